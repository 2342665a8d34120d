"""Character references in attribute values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpapps_cli.markup.characters import decode, decode_with_offsets
from tests.markup.standard import by_html5lib


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("a&amp;b", "a&b"),
        ("a&ampb", "a&ampb"),
        ("a&amp=b", "a&amp=b"),
        ("a&amp", "a&"),
        ("a&amp b", "a& b"),
        ("&notit;", "&notit;"),
        ("&not;it", "¬it"),
        ("&hellip;&hellip", "…&hellip"),
        ("&#65;&#65 &#x41;&#X41", "AA AA"),
        ("&#65a", "Aa"),
        ("&#;&#x;&#xg;", "&#;&#x;&#xg;"),
        ("&#0;&#xD800;&#x110000;&#99999999999;", "\ufffd" * 4),
        ("&#128;&#x99;&#129;", "€™\x81"),
        ("&#" + "9" * 5000 + ";", "\ufffd"),
        ("&#" + "0" * 5000 + "65;", "A"),
        ("&NotEqualTilde;", "\u2242\u0338"),
        ("&;&&amp;", "&;&&"),
        ("a\r\nb\rc\nd", "a\nb\nc\nd"),
        ("\0", "\ufffd"),
    ],
)
def test_decode(raw: str, value: str) -> None:
    assert decode(raw) == value


PIECES = st.lists(
    st.sampled_from(["&amp;", "&amp", "&#1", "&#x41;", "&lt=", "&", "\r\n", "\r", "\n", "\0", "a"])
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
).map("".join)


@given(PIECES)
def test_decode_is_what_html5lib_makes_of_an_attribute(raw: str) -> None:
    raw = raw.replace('"', "")
    assert by_html5lib(f'<a b="{raw}">')[0][2] == {"b": decode(raw)}


@given(PIECES)
def test_offsets_point_at_what_a_character_is_written_as(raw: str) -> None:
    value, offsets = decode_with_offsets(raw)
    assert value == decode(raw)
    assert len(offsets) == len(value) + 1
    assert offsets == sorted(offsets)
    assert offsets[-1] == len(raw)
    for character, offset in zip(value, offsets, strict=False):
        assert raw[offset] == character or raw[offset] in "&\r\0"
