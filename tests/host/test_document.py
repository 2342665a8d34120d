"""The deadlines of frame and handshake, and a View that replaces its document."""

from __future__ import annotations

from mcpapps_cli.host.effect import AskUser, Reveal, StartTimer, StopTimer
from mcpapps_cli.host.engine import Phase
from mcpapps_cli.host.event import ProbeReport, TimerFired, ToolInput, ToolResult, UserAnswer
from tests.host.rig import INITIALIZE, RESULT, Rig, methods, notes, of, steps


def test_the_handshake_has_three_seconds_from_the_load() -> None:
    rig = Rig()
    rig.notify("ui/notifications/sandbox-proxy-ready")
    effects = rig.feed(ProbeReport("loaded", {"by": "sandbox"}))
    assert StartTimer("handshake", 3.0) in effects
    assert steps(rig.feed(TimerFired("handshake"))) == [
        ("initialize", "broken", "handshake-missing")
    ]


def test_a_handshake_that_stops_half_way_breaks_initialized() -> None:
    rig = Rig().answered()
    assert steps(rig.feed(TimerFired("handshake"))) == [
        ("initialized", "broken", "handshake-unfinished")
    ]


def test_a_late_handshake_mends_its_rungs() -> None:
    rig = Rig().loaded()
    rig.feed(TimerFired("handshake"))
    effects = rig.ask(0, "ui/initialize", INITIALIZE)
    effects += rig.notify("ui/notifications/initialized")
    assert steps(effects) == [("initialize", "ok", None), ("initialized", "ok", None)]


def test_a_finished_handshake_has_no_deadline() -> None:
    rig = Rig().ready()
    assert StopTimer("handshake") in rig.all
    assert rig.feed(TimerFired("handshake")) == ()


def test_a_silent_sandbox_and_a_missing_load_are_told_apart() -> None:
    assert steps(Rig().feed(TimerFired("frame"))) == [("frame", "broken", "sandbox-silent")]
    rig = Rig()
    rig.notify("ui/notifications/sandbox-proxy-ready")
    assert steps(rig.feed(TimerFired("frame"))) == [("frame", "broken", "not-loaded")]


def test_h31_a_new_document_gets_the_input_and_the_result_again() -> None:
    rig = Rig(probe=True).loaded()
    rig.feed(ProbeReport("listener", {"document": "a"}))
    rig.ask(0, "ui/initialize", INITIALIZE)
    rig.notify("ui/notifications/initialized")
    rig.feed(ToolInput({"city": "Oslo"}), ToolResult(RESULT))
    effects = rig.feed(ProbeReport("listener", {"document": "b"}))
    assert "replaced its document" in notes(effects)
    assert rig.engine.phase is Phase.LOADING
    rig.ask(0, "ui/initialize", INITIALIZE)
    assert methods(rig.notify("ui/notifications/initialized")) == [
        "ui/notifications/tool-input",
        "ui/notifications/tool-result",
    ]


def test_answers_for_a_replaced_document_are_not_sent_to_the_new_one() -> None:
    rig = Rig(probe=True).loaded()
    rig.feed(ProbeReport("listener", {"document": "a"}))
    rig.ask(0, "ui/initialize", INITIALIZE)
    rig.notify("ui/notifications/initialized")
    (call,) = [e for e in rig.ask(1, "tools/call", {"name": "lookup"}) if hasattr(e, "request")]
    effects = rig.feed(ProbeReport("listener", {"document": "b"}))
    assert [e.request for e in effects if hasattr(e, "request")] == [call.request]


def test_a_frame_that_loads_again_without_a_handshake_is_waited_for() -> None:
    rig = Rig().ready()
    rig.feed(ProbeReport("loaded", {"by": "sandbox"}))
    effects = rig.feed(TimerFired("handshake"))
    assert steps(effects) == [("initialize", "broken", "handshake-missing")]


def test_a_question_of_a_replaced_document_is_forgotten() -> None:
    rig = Rig(probe=True).loaded()
    rig.feed(ProbeReport("listener", {"document": "a"}))
    rig.ask(0, "ui/initialize", INITIALIZE)
    rig.notify("ui/notifications/initialized")
    (question,) = of(rig.ask(1, "ui/open-link", {"url": "https://example.com"}), AskUser)
    rig.feed(ProbeReport("listener", {"document": "b"}))
    assert rig.feed(UserAnswer(question.request, allowed=True)) == ()


def test_a_frame_is_revealed_once_however_many_documents_it_has() -> None:
    rig = Rig(probe=True).loaded()
    for document in ("a", "b"):
        rig.feed(ProbeReport("listener", {"document": document}))
        rig.ask(0, "ui/initialize", INITIALIZE)
        rig.notify("ui/notifications/initialized")
    assert of(rig.all, Reveal) == [Reveal()]


def test_a_greeting_before_the_load_belongs_to_that_load() -> None:
    rig = Rig()
    rig.notify("ui/notifications/sandbox-proxy-ready")
    rig.ask(0, "ui/initialize", INITIALIZE)
    rig.notify("ui/notifications/initialized")
    rig.feed(ProbeReport("loaded", {"by": "sandbox"}))
    assert rig.engine.phase is Phase.READY


def test_a_second_greeting_before_a_second_load_is_not_undone() -> None:
    rig = Rig().ready()
    rig.ask(0, "ui/initialize", INITIALIZE)
    rig.feed(ProbeReport("loaded", {"by": "sandbox"}))
    assert rig.engine.phase is Phase.READY


def test_the_probe_and_the_sandbox_may_report_the_same_load() -> None:
    rig = Rig().loaded()
    rig.feed(ProbeReport("loaded", {"by": "probe"}), ProbeReport("loaded", {"by": "probe"}))
    rig.ask(0, "ui/initialize", INITIALIZE)
    rig.feed(ProbeReport("loaded", {"by": "probe"}))
    assert rig.engine.phase is Phase.ANSWERED
