"""What a model is told of a server's tools and of their results."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpapps_cli.metadata import model_content, model_tools


def tool(name: str, **ui: Any) -> dict[str, Any]:
    return {"name": name, "_meta": {"ui": ui}}


@pytest.mark.parametrize(
    ("visibility", "shown"),
    [
        (["model", "app"], True),
        (["model"], True),
        (["app"], False),
        ([], False),
        ("app", False),
        ("model", True),
        (["Model"], False),
        (None, True),
    ],
)
def test_e31_k125_l16_l24_the_model_is_told_of_tools_whose_visibility_has_model(
    visibility: Any, shown: bool
) -> None:
    plain = {"name": "plain", "inputSchema": {}}
    entry = tool("t", visibility=visibility)
    assert model_tools([entry, plain]) == ((entry, plain) if shown else (plain,))


def test_e31_absent_visibility_is_both_and_the_order_is_kept() -> None:
    entries = [tool("b"), tool("a", resourceUri="ui://a"), {"name": "c"}, {"name": "d", "_meta": 7}]
    assert model_tools(entries) == tuple(entries)
    assert model_tools(entries)[0] is entries[0]


def test_l25_the_model_gets_the_content_and_not_the_data_of_the_view() -> None:
    block = {"type": "text", "text": "21 degrees"}
    result = {"content": [block], "structuredContent": {"high": 21}, "_meta": {"token": "t"}}
    assert model_content(result) == (block,)
    assert model_content({"structuredContent": {"high": 21}}) == ()


ANY = st.recursive(
    st.none() | st.integers() | st.text() | st.sampled_from([object(), b"x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["_meta", "ui", "visibility", "content", 3]), inner, max_size=3
        )
    ),
    max_leaves=10,
)


@given(ANY)
def test_what_is_no_list_of_tools_has_none_for_the_model(value: Any) -> None:
    assert all(isinstance(tool, dict) for tool in model_tools(value))
    assert model_tools(None) == ()


@given(st.lists(ANY, max_size=4))
def test_nothing_raises_and_nothing_is_made_up(entries: list[Any]) -> None:
    assert all(any(kept is entry for entry in entries) for kept in model_tools(entries))
    for entry in entries:
        assert all(isinstance(block, dict) for block in model_content(entry))
