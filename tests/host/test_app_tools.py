"""Tools that a View provides, seen from the host."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from mcpapps_cli.host.effect import AppToolResult, AppTools, AskUser, StartTimer
from mcpapps_cli.host.event import (
    CallAppTool,
    CancelAppTool,
    CloseRequested,
    ListAppTools,
    ProbeReport,
    TimerFired,
    UserAnswer,
)
from mcpapps_cli.model import JsonObject
from tests.host.rig import Rig, methods, notes, of, sent

DECLARED = {"tools": {"listChanged": True}}
ZOOM = {"name": "zoom", "inputSchema": {"type": "object"}}
LOOK = {"name": "look", "annotations": {"readOnlyHint": True}}
NESTED: Any = functools.reduce(lambda inner, _: [inner], range(50_000), [])
DONE = {"content": [{"type": "text", "text": "done"}]}


def answer(rig: Rig, request: JsonObject, result: Any) -> Any:
    return rig.post({"jsonrpc": "2.0", "id": request["id"], "result": result})


def listed(*tools: JsonObject, **fields: Any) -> Rig:
    rig = Rig(**fields).ready(DECLARED)
    (request,) = sent(rig.feed(ListAppTools()))
    answer(rig, request, {"tools": list(tools)})
    return rig


def test_the_tools_are_listed_when_the_host_wants_them() -> None:
    rig = Rig().ready(DECLARED)
    assert "tools/list" not in methods(rig.all)
    (request,) = sent(rig.feed(ListAppTools()))
    assert (request["method"], request["params"]) == ("tools/list", {})
    assert of(answer(rig, request, {"tools": [ZOOM, LOOK]}), AppTools) == [AppTools((ZOOM, LOOK))]


def test_k101_a_host_that_uses_them_lists_them_after_the_handshake() -> None:
    rig = Rig({"app_tools": True}).answered(DECLARED)
    assert "tools/list" not in methods(rig.all)
    assert methods(rig.notify("ui/notifications/initialized")) == ["tools/list"]
    assert "tools/list" not in methods(Rig({"app_tools": True}).ready().all)


def test_h16_a_wish_before_the_handshake_waits_for_its_end() -> None:
    rig = Rig().answered(DECLARED)
    assert sent(rig.feed(ListAppTools())) == []
    assert methods(rig.notify("ui/notifications/initialized")) == ["tools/list"]


def test_a_view_without_tools_has_none() -> None:
    effects = Rig().ready().feed(ListAppTools())
    assert (of(effects, AppTools), sent(effects)) == ([AppTools(())], [])


def test_pages_are_followed_to_the_end() -> None:
    rig = Rig().ready(DECLARED)
    (first,) = sent(rig.feed(ListAppTools()))
    (second,) = sent(answer(rig, first, {"tools": [ZOOM], "nextCursor": "2"}))
    assert second["params"] == {"cursor": "2"}
    assert of(answer(rig, second, {"tools": [LOOK]}), AppTools) == [AppTools((ZOOM, LOOK))]


def test_a_page_without_anything_new_is_the_last() -> None:
    rig = Rig().ready(DECLARED)
    (first,) = sent(rig.feed(ListAppTools()))
    (second,) = sent(answer(rig, first, {"tools": [ZOOM], "nextCursor": "2"}))
    last = answer(rig, second, {"tools": [ZOOM], "nextCursor": "3"})
    assert (sent(last), of(last, AppTools)) == ([], [AppTools((ZOOM,))])


def test_at_most_fifty_tools_are_taken() -> None:
    rig = Rig().ready(DECLARED)
    (request,) = sent(rig.feed(ListAppTools()))
    many = [{"name": f"t{number}"} for number in range(60)]
    effects = answer(rig, request, {"tools": many, "nextCursor": "more"})
    assert [len(found.tools) for found in of(effects, AppTools)] == [50]
    assert sent(effects) == []
    assert "only 50 tools" in notes(effects)


def test_entries_without_a_name_of_their_own_are_dropped_with_one_note() -> None:
    rig = Rig().ready(DECLARED)
    (request,) = sent(rig.feed(ListAppTools()))
    effects = answer(rig, request, {"tools": [ZOOM, ZOOM, {}, None, {"name": 3}, {"name": ""}]})
    assert of(effects, AppTools) == [AppTools((ZOOM,))]
    assert notes(effects).count("\n") == 0
    assert "without a name" in notes(effects)


def test_k102_an_error_to_the_list_is_shown_with_code_and_message_and_changes_nothing() -> None:
    rig = listed(ZOOM)
    (request,) = sent(rig.feed(ListAppTools()))
    error = {"code": -32601, "message": "Method not found"}
    effects = rig.post({"jsonrpc": "2.0", "id": request["id"], "error": error})
    assert "tools/list with error -32601: Method not found" in notes(effects)
    assert of(effects, AppTools) == []
    assert methods(rig.feed(CallAppTool(1, "zoom"))) == ["tools/call"]


def test_k102_a_list_that_is_not_answered_has_a_deadline() -> None:
    rig = Rig().ready(DECLARED)
    effects = rig.feed(ListAppTools())
    assert StartTimer("app-tool-list", 30.0) in effects
    assert "did not answer tools/list" in notes(rig.feed(TimerFired("app-tool-list")))
    assert methods(rig.feed(ListAppTools())) == ["tools/list"]


def test_k103_a_call_is_answered_with_the_views_result() -> None:
    rig = listed(ZOOM)
    (request,) = sent(rig.feed(CallAppTool(5, "zoom", {"level": 3})))
    assert request["method"] == "tools/call"
    assert request["params"] == {"name": "zoom", "arguments": {"level": 3}}
    assert of(answer(rig, request, DONE), AppToolResult) == [AppToolResult(5, result=DONE)]


def test_k103_a_failed_tool_is_a_result_and_an_error_keeps_code_message_and_data() -> None:
    rig = listed(ZOOM)
    failed = {**DONE, "isError": True}
    (request,) = sent(rig.feed(CallAppTool(1, "zoom")))
    assert of(answer(rig, request, failed), AppToolResult) == [AppToolResult(1, result=failed)]
    (request,) = sent(rig.feed(CallAppTool(2, "zoom")))
    error = {"code": -32602, "message": "level is missing", "data": {"path": "level"}}
    effects = rig.post({"jsonrpc": "2.0", "id": request["id"], "error": error})
    assert of(effects, AppToolResult) == [AppToolResult(2, error=error)]


def test_a_call_has_thirty_seconds_and_is_cancelled_then() -> None:
    rig = listed(ZOOM)
    effects = rig.feed(CallAppTool(1, "zoom"))
    (request,) = sent(effects)
    (timer,) = of(effects, StartTimer)
    assert timer.seconds == 30.0
    late = rig.feed(TimerFired(timer.name))
    assert [message["method"] for message in sent(late)] == ["notifications/cancelled"]
    assert sent(late)[0]["params"]["requestId"] == request["id"]
    assert [result.error for result in of(late, AppToolResult)] == [
        {"code": -32000, "message": "no answer within 30 s"}
    ]
    assert of(answer(rig, request, DONE), AppToolResult) == []


def test_a_call_that_the_host_gives_up_is_cancelled() -> None:
    rig = listed(ZOOM)
    rig.feed(CallAppTool(1, "zoom"))
    effects = rig.feed(CancelAppTool(1, "enough"))
    assert [message["params"]["reason"] for message in sent(effects)] == ["enough"]
    assert [result.call for result in of(effects, AppToolResult)] == [1]
    assert rig.feed(CancelAppTool(1)) == ()


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ({}, "has no content array"),
        ({"content": "x"}, "has no content array"),
        ({"content": [], "structuredContent": NESTED}, "has more than 10485760 bytes"),
        (
            {"content": [{"type": "text", "text": "x" * (10 * 2**20)}]},
            "has more than 10485760 bytes",
        ),
    ],
)
def test_a_faulty_result_is_an_error(result: JsonObject, text: str) -> None:
    rig = listed(ZOOM)
    (request,) = sent(rig.feed(CallAppTool(1, "zoom")))
    (told,) = of(answer(rig, request, result), AppToolResult)
    assert told.error is not None
    assert text in told.error["message"]


def test_a_tool_that_is_not_listed_is_not_called() -> None:
    effects = listed(ZOOM).feed(CallAppTool(1, "fly"))
    assert sent(effects) == []
    assert [result.error["code"] for result in of(effects, AppToolResult) if result.error] == [
        -32602
    ]


def test_a_view_without_tools_cannot_be_called() -> None:
    (told,) = of(Rig().ready().feed(CallAppTool(1, "zoom")), AppToolResult)
    assert told.error == {"code": -32601, "message": "the View provides no tools"}


def test_open_calls_are_bounded() -> None:
    rig = listed(ZOOM)
    effects = rig.feed(*(CallAppTool(number, "zoom") for number in range(17)))
    assert methods(effects) == ["tools/call"] * 16
    assert [told.call for told in of(effects, AppToolResult)] == [16]


def test_a_call_that_is_not_read_only_is_asked_about_where_the_host_does_so() -> None:
    rig = listed(ZOOM, LOOK, profile={"consent": frozenset({"app-tool"})})
    assert methods(rig.feed(CallAppTool(1, "look"))) == ["tools/call"]
    (question,) = of(rig.feed(CallAppTool(2, "zoom", {"level": 1})), AskUser)
    assert question.kind == "app-tool"
    assert question.detail == {"name": "zoom", "arguments": {"level": 1}}
    assert methods(rig.feed(UserAnswer(question.request, allowed=True))) == ["tools/call"]
    (question,) = of(rig.feed(CallAppTool(3, "zoom")), AskUser)
    (told,) = of(rig.feed(UserAnswer(question.request, allowed=False)), AppToolResult)
    assert (told.call, told.error) == (
        3,
        {"code": -32000, "message": 'the user declined the tool "zoom"'},
    )


def test_k107_changes_are_followed_once_somebody_wanted_the_tools() -> None:
    changed = "notifications/tools/list_changed"
    assert methods(Rig().ready(DECLARED).notify(changed)) == []
    rig = listed(ZOOM)
    (request,) = sent(rig.notify(changed))
    assert of(answer(rig, request, {"tools": [LOOK]}), AppTools) == [AppTools((LOOK,))]


def test_changes_in_a_row_are_listed_once_a_second() -> None:
    changed = "notifications/tools/list_changed"
    rig = listed(ZOOM)
    (request,) = sent(rig.notify(changed))
    answer(rig, request, {"tools": [LOOK]})
    assert [sent(rig.notify(changed)) for _ in range(100)] == [[]] * 100
    (request,) = sent(rig.feed(TimerFired("app-tool-relist")))
    assert request["method"] == "tools/list"
    answer(rig, request, {"tools": [ZOOM]})
    assert sent(rig.feed(TimerFired("app-tool-relist"))) == []


def test_a_change_that_was_not_declared_is_only_noted() -> None:
    rig = Rig().ready({"tools": {}})
    (request,) = sent(rig.feed(ListAppTools()))
    answer(rig, request, {"tools": [ZOOM]})
    effects = rig.notify("notifications/tools/list_changed")
    assert sent(effects) == []
    assert "list_changed" in notes(effects)


def test_tools_go_with_the_view_and_a_closed_view_answers_with_an_error() -> None:
    rig = listed(ZOOM)
    rig.feed(CallAppTool(1, "zoom"))
    (teardown,) = sent(rig.feed(CloseRequested("done")))
    effects = answer(rig, teardown, {})
    assert [told.call for told in of(effects, AppToolResult)] == [1]
    assert of(effects, AppTools) == [AppTools(())]
    (told,) = of(rig.feed(CallAppTool(2, "zoom")), AppToolResult)
    assert told.error == {"code": -32000, "message": "the View is not open"}


def test_tools_go_with_the_document() -> None:
    rig = listed(ZOOM)
    rig.feed(ProbeReport("console", {"document": "a"}), CallAppTool(1, "zoom"))
    effects = rig.feed(ProbeReport("console", {"document": "b"}))
    assert of(effects, AppTools) == [AppTools(())]
    assert [told.call for told in of(effects, AppToolResult)] == [1]


def test_a_change_while_the_tools_are_listed_lists_them_once_more() -> None:
    changed = "notifications/tools/list_changed"
    rig = listed(ZOOM)
    (request,) = sent(rig.feed(ListAppTools()))
    assert sent(rig.feed(ListAppTools())) == []
    (again,) = sent(answer(rig, request, {"tools": [LOOK]}))
    assert again["method"] == "tools/list"
    assert sent(rig.notify(changed)) == []
    assert sent(answer(rig, again, {"tools": [LOOK]})) == []
    assert methods(rig.feed(TimerFired("app-tool-relist"))) == ["tools/list"]


def test_an_open_question_ends_with_the_view() -> None:
    rig = listed(ZOOM, profile={"consent": frozenset({"app-tool"})})
    (question,) = of(rig.feed(CallAppTool(1, "zoom")), AskUser)
    (teardown,) = sent(rig.feed(CloseRequested("done")))
    effects = answer(rig, teardown, {})
    assert [told.call for told in of(effects, AppToolResult)] == [1]
    assert rig.feed(UserAnswer(question.request, allowed=True)) == ()


@pytest.mark.parametrize("error", [{}, {"code": "x", "message": "y"}, {"code": 1}])
def test_a_malformed_error_becomes_a_sound_one(error: JsonObject) -> None:
    rig = listed(ZOOM)
    (request,) = sent(rig.feed(CallAppTool(1, "zoom")))
    effects = rig.post({"jsonrpc": "2.0", "id": request["id"], "error": error})
    assert of(effects, AppToolResult) == [
        AppToolResult(1, error={"code": -32603, "message": "the View sent a malformed error"})
    ]
