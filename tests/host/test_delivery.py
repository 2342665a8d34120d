"""What the View is told of its call: H29 to H32."""

from __future__ import annotations

from mcpapps_cli.host.effect import Note, StartTimer
from mcpapps_cli.host.event import (
    ServerGone,
    ToolCancelled,
    ToolInput,
    ToolInputPartial,
    ToolResult,
)
from tests.host.rig import RESULT, Rig, methods, notes, of, sent, steps

INPUT = "ui/notifications/tool-input"
PARTIAL = "ui/notifications/tool-input-partial"
RESULT_METHOD = "ui/notifications/tool-result"
CANCELLED = "ui/notifications/tool-cancelled"


def test_h29_tool_input_carries_the_complete_arguments() -> None:
    rig = Rig().ready()
    assert sent(rig.feed(ToolInput({"city": "Oslo", "days": 3}))) == [
        {"jsonrpc": "2.0", "method": INPUT, "params": {"arguments": {"city": "Oslo", "days": 3}}}
    ]


def test_h29_tool_input_is_sent_at_most_once() -> None:
    rig = Rig().ready()
    rig.feed(ToolInput({"city": "Oslo"}))
    effects = rig.feed(ToolInput({"city": "Bergen"}))
    assert sent(effects) == []
    assert "at most once" in notes(effects)


def test_h29_a_result_waits_for_the_input() -> None:
    rig = Rig().ready()
    assert sent(rig.feed(ToolResult(RESULT))) == []
    assert methods(rig.feed(ToolInput({}))) == [INPUT, RESULT_METHOD]


def test_h30_partials_come_before_the_input_any_number_of_times() -> None:
    rig = Rig().ready()
    effects = rig.feed(
        ToolInputPartial({}), ToolInputPartial({"city": "Os"}), ToolInput({"city": "Oslo"})
    )
    assert [(m["method"], m["params"]["arguments"]) for m in sent(effects)] == [
        (PARTIAL, {}),
        (PARTIAL, {"city": "Os"}),
        (INPUT, {"city": "Oslo"}),
    ]


def test_h30_partials_stop_once_the_input_is_sent() -> None:
    rig = Rig().ready()
    rig.feed(ToolInput({}))
    effects = rig.feed(ToolInputPartial({"city": "Os"}))
    assert sent(effects) == []
    assert "partial input" in notes(effects)


def test_only_the_newest_partial_waits_for_the_handshake() -> None:
    rig = Rig().answered()
    rig.feed(ToolInputPartial({"city": "O"}), ToolInputPartial({"city": "Os"}))
    effects = rig.notify("ui/notifications/initialized")
    assert [m["params"] for m in sent(effects)] == [{"arguments": {"city": "Os"}}]


def test_h31_the_result_is_the_params_with_everything_in_it() -> None:
    result = {
        "content": [],
        "structuredContent": {"rows": [1]},
        "isError": True,
        "_meta": {"trace": "t", "example.com/x": {"deep": [None]}},
        "unheardOf": 1,
    }
    rig = Rig().ready()
    (message,) = sent(rig.feed(ToolInput({}), ToolResult(result)))[1:]
    assert message == {"jsonrpc": "2.0", "method": RESULT_METHOD, "params": result}


def test_a_second_result_is_dropped() -> None:
    rig = Rig().ready()
    rig.feed(ToolInput({}), ToolResult(RESULT))
    effects = rig.feed(ToolResult(RESULT))
    assert sent(effects) == []
    assert "already answered" in notes(effects)


def test_h32_a_cancellation_is_told_with_its_reason() -> None:
    rig = Rig().ready()
    (message,) = sent(rig.feed(ToolInput({}), ToolCancelled("the user stopped it")))[1:]
    assert message["method"] == CANCELLED
    assert message["params"] == {"reason": "the user stopped it"}


def test_h32_a_cancellation_needs_no_reason_and_no_input() -> None:
    rig = Rig().ready()
    (message,) = sent(rig.feed(ToolCancelled()))
    assert message == {"jsonrpc": "2.0", "method": CANCELLED, "params": {}}
    assert sent(rig.feed(ToolInput({}))) == []


def test_h32_a_reason_may_be_empty_text() -> None:
    (message,) = sent(Rig().ready().feed(ToolCancelled("")))
    assert message["params"] == {"reason": ""}


def test_h32_a_cancellation_during_the_handshake_is_told_after_it() -> None:
    rig = Rig().answered()
    assert sent(rig.feed(ToolInputPartial({"city": "Os"}), ToolCancelled("enough"))) == []
    assert [
        (m["method"], m["params"]) for m in sent(rig.notify("ui/notifications/initialized"))
    ] == [
        (PARTIAL, {"arguments": {"city": "Os"}}),
        (CANCELLED, {"reason": "enough"}),
    ]


def test_after_a_cancellation_there_is_no_result() -> None:
    rig = Rig().ready()
    rig.feed(ToolInput({}), ToolCancelled())
    effects = rig.feed(ToolResult(RESULT))
    assert sent(effects) == []
    assert "already cancelled" in notes(effects)


def test_h32_a_server_that_goes_during_the_call_cancels_it() -> None:
    rig = Rig().ready()
    rig.feed(ToolInput({}))
    effects = rig.feed(ServerGone("exit code 1"))
    (message,) = sent(effects)
    assert message["method"] == CANCELLED
    assert message["params"] == {"reason": "the server is gone: exit code 1"}
    assert steps(effects) == [
        ("result", "broken", "server-gone"),
        ("painted", "unknown", "call-cancelled"),
    ]


def test_a_server_that_goes_after_the_result_changes_nothing_for_the_view() -> None:
    rig = Rig().ready()
    rig.feed(ToolInput({}), ToolResult(RESULT))
    effects = rig.feed(ServerGone("exit code 1"))
    assert effects == (Note("error", "the server is gone: exit code 1"),)


def test_a_cancelled_call_leaves_result_and_painted_open() -> None:
    rig = Rig().ready()
    assert steps(rig.feed(ToolInput({}), ToolCancelled())) == [
        ("input", "ok", None),
        ("result", "unknown", "call-cancelled"),
        ("painted", "unknown", "call-cancelled"),
    ]


def test_a_profile_that_sends_no_partials_sends_none() -> None:
    rig = Rig({"sends": frozenset({INPUT, RESULT_METHOD})}).ready()
    effects = rig.feed(ToolInputPartial({"a": 1}), ToolInput({"a": 1}))
    assert methods(effects) == [INPUT]


def test_the_time_to_paint_starts_with_the_result() -> None:
    rig = Rig(probe=True).ready()
    assert of(rig.feed(ToolInput({})), StartTimer) == []
    assert of(rig.feed(ToolResult(RESULT)), StartTimer) == [StartTimer("paint", 5.0)]
