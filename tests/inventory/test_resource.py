"""Which content item is the page, and what its text is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpapps_cli.inventory import resource_from
from mcpapps_cli.model import Resource, Skip

URI = "ui://a"


def outcome(result: dict[str, Any]) -> tuple[str | None, str | None]:
    resource, skip = resource_from(URI, None, result)
    assert resource.uri == URI
    return resource.html, None if skip is None else skip.reason


@pytest.mark.parametrize(
    ("contents", "html"),
    [
        ([{"uri": URI, "text": "<p>"}], "<p>"),
        ([{"uri": "ui://other", "text": "<p>"}], "<p>"),
        ([{"text": ""}], ""),
        ([{"uri": "ui://other", "text": "no"}, {"uri": URI, "text": "yes"}], "yes"),
        ([7, {"text": "<p>"}], "<p>"),
        ([{"uri": URI, "blob": "PHA+w6k8L3A+"}], "<p>é</p>"),
        ([{"uri": URI, "blob": "PHA+\nw6k8\r\nL3A+\n"}], "<p>é</p>"),
        ([{"uri": URI, "text": "text wins", "blob": "PHA+"}], "text wins"),
    ],
)
def test_the_item_with_the_uri_else_the_only_one_is_the_page(contents: Any, html: str) -> None:
    assert outcome({"contents": contents}) == (html, None)


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        ({}, 'the resources/read result has no list "contents"'),
        ({"contents": {}}, 'the resources/read result has no list "contents"'),
        ({"contents": "x"}, 'the resources/read result has no list "contents"'),
        ({"contents": []}, "the resources/read result has no content item"),
        ({"contents": [1]}, "the resources/read result has no content item"),
        (
            {"contents": [{"text": "a"}, {"text": "b"}]},
            "none of its 2 content items has this URI",
        ),
        ({"contents": [{"uri": URI}]}, "its content has neither text nor blob"),
        ({"contents": [{"uri": URI, "text": 1}]}, "its content has neither text nor blob"),
        ({"contents": [{"uri": URI, "blob": "PHA"}]}, "its blob is not base64"),
        ({"contents": [{"uri": URI, "blob": "PHA-"}]}, "its blob is not base64"),
        ({"contents": [{"uri": URI, "blob": "é"}]}, "its blob is not base64"),
        ({"contents": [{"uri": URI, "blob": "YWL/"}]}, "its blob is not UTF-8: byte 2 is wrong"),
    ],
)
def test_what_has_no_page_says_why(result: dict[str, Any], reason: str) -> None:
    assert outcome(result) == (None, reason)


def test_the_raw_answer_stays_whatever_its_page() -> None:
    items = ({"uri": URI, "blob": "!"}, {"uri": "ui://b", "text": "b"})
    listing = {"uri": URI, "name": "A"}
    resource, skip = resource_from(URI, listing, {"contents": list(items), "_meta": {"a": 1}})
    assert resource == Resource(URI, listing, items, items[0], None, {"a": 1})
    assert skip == Skip(URI, "its blob is not base64", True)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
ITEM = JSON | st.fixed_dictionaries(
    {}, optional={"uri": JSON | st.just(URI), "text": JSON, "blob": JSON, "_meta": JSON}
)


@settings(deadline=None)
@given(
    st.dictionaries(st.text(max_size=4), JSON),
    st.fixed_dictionaries({}, optional={"contents": JSON | st.lists(ITEM), "_meta": JSON}),
)
def test_any_result_gives_a_page_or_a_reason(extra: Any, result: Any) -> None:
    html, reason = outcome({**extra, **result})
    assert (html is None) != (reason is None)
