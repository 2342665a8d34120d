"""Who may see and call a tool: H10 to H12 and rows K104, K125, K126."""

from __future__ import annotations

from typing import Any

import pytest

from mcpapps_cli.host.visibility import agent_tools, call_refusal


def tool(visibility: Any = ..., name: str = "t") -> dict[str, Any]:
    ui = {} if visibility is ... else {"visibility": visibility}
    return {"name": name, "_meta": {"ui": ui}}


@pytest.mark.parametrize(
    ("visibility", "model", "app"),
    [
        (..., True, True),
        (["model", "app"], True, True),
        (["app", "model"], True, True),
        (["model"], True, False),
        (["app"], False, True),
        ([], False, False),
        (["model", "model"], True, False),
        (["app", "something"], False, True),
        (["something"], False, False),
    ],
)
def test_h10_h11_visibility_is_by_membership(visibility: Any, model: bool, app: bool) -> None:
    entry = tool(visibility)
    assert (agent_tools([entry]) == (entry,)) is model
    assert (call_refusal([entry], "t") is None) is app


def test_a_tool_without_metadata_is_everybodys() -> None:
    entry = {"name": "t"}
    assert agent_tools([entry]) == (entry,)
    assert call_refusal([entry], "t") is None


def test_h10_app_only_tools_leave_the_agents_list_and_nothing_else() -> None:
    shown, hidden = tool(["model"], "a"), tool(["app"], "b")
    assert agent_tools([shown, hidden]) == (shown,)


def test_why_a_call_is_refused_is_told_apart() -> None:
    tools = [tool(["model"], "hidden")]
    assert call_refusal(tools, "hidden") == "hidden"
    assert call_refusal(tools, "absent") == "unlisted"
    assert call_refusal([], "hidden") == "unlisted"


def test_h11_of_two_tools_with_one_name_both_must_be_visible() -> None:
    assert call_refusal([tool(["app"]), tool(["model"])], "t") == "hidden"


def test_entries_that_are_no_tools_are_passed_over() -> None:
    assert call_refusal([None, "t", tool(["app"])], "t") is None  # type: ignore[list-item]
