"""The rungs, and which cause explains a broken one."""

from __future__ import annotations

from typing import Any

import pytest

from mcpapps_cli.host.effect import STEPS, Note, Step
from mcpapps_cli.host.event import ProbeReport, TimerFired, ToolInput, ToolResult, Violation
from mcpapps_cli.host.ladder import CAUSES, Ladder, check_resource
from mcpapps_cli.model import Resource
from tests.host.rig import INITIALIZE, PAGE, RESULT, TOOL, Rig, notes, of, sent, steps

URI = "ui://demo/chart.html"
MIME = "text/html;profile=mcp-app"
GOOD = Resource(URI, content={"uri": URI, "mimeType": MIME, "text": PAGE}, html=PAGE)
HANDSHAKE = TimerFired("handshake")
PAINT = TimerFired("paint")
LISTENER = ProbeReport("listener", {"at": 1})


def served(mime: Any = MIME, html: str | None = PAGE) -> Resource:
    return Resource(URI, content={"uri": URI, "mimeType": mime}, html=html)


def shown() -> Rig:
    rig = Rig(probe=True).ready()
    rig.feed(LISTENER, ToolInput({}), ToolResult(RESULT))
    rig.notify("ui/notifications/size-changed", {"height": 300})
    return rig


def test_the_rungs_are_the_eleven_of_the_ladder() -> None:
    rungs = "server tool resource mime html frame initialize initialized input result painted"
    assert " ".join(STEPS) == rungs


def test_a_good_resource_reaches_five_rungs() -> None:
    assert steps(check_resource(GOOD, TOOL)) == [
        (step, "ok", None) for step in ("server", "tool", "resource", "mime", "html")
    ]


@pytest.mark.parametrize(
    ("resource", "tool", "broken", "rule"),
    [
        (GOOD, {"name": "t"}, ("tool", "no-view"), None),
        (None, TOOL, ("resource", "unreadable"), "resource-uri-dangling"),
        (Resource(URI), TOOL, ("resource", "unreadable"), "resource-uri-dangling"),
        (
            GOOD,
            {"name": "t", "_meta": {"ui": {"resourceUri": "https://example.com"}}},
            ("resource", "unreadable"),
            "resource-uri-dangling",
        ),
        (served("text/html"), TOOL, ("mime", "wrong-mime"), "mime-type"),
        (served("text/html; profile=mcp-app"), TOOL, ("mime", "wrong-mime"), "mime-type"),
        (served("TEXT/HTML;profile=mcp-app"), TOOL, ("mime", "wrong-mime"), "mime-type"),
        (served(None), TOOL, ("mime", "wrong-mime"), "mime-type"),
        (served(html='{"a": "<html>"}'), TOOL, ("html", "not-html"), "content-not-html"),
        (served(html=""), TOOL, ("html", "not-html"), "content-not-html"),
        (served(html=None), TOOL, ("html", "not-html"), "content-not-html"),
    ],
)
def test_the_first_broken_rung_is_the_last_one(
    resource: Resource | None, tool: dict[str, Any], broken: tuple[str, str], rule: str | None
) -> None:
    *reached, last = check_resource(resource, tool)
    assert {step.state for step in reached} == {"ok"}
    assert (last.step, last.cause) == broken
    assert (last.state, last.rule) == ("broken", rule)


@pytest.mark.parametrize(
    ("evidence", "cause"),
    [
        ([], "handshake-missing"),
        ([ProbeReport("error", {"message": "Uncaught TypeError: x is null"})], "script-error"),
        ([ProbeReport("storage", {"api": "localStorage", "line": 4})], "storage-refused"),
        (
            [
                ProbeReport("error", {"message": "SecurityError: the document is sandboxed"}),
                ProbeReport("error", {"message": "Uncaught TypeError"}),
            ],
            "storage-refused",
        ),
        ([Violation("script-src-elem", "https://cdn.example.com/a.js")], "script-blocked"),
        ([Violation("connect-src", "https://api.example.com")], "connection-blocked"),
        ([Violation("img-src", "https://img.example.com/a.png")], "blocked-by-policy"),
        (
            [
                Violation("img-src", "https://img.example.com/a.png"),
                ProbeReport("error", {"message": "Uncaught ReferenceError: React"}),
                Violation("script-src-elem", "https://cdn.example.com/react.js"),
            ],
            "script-blocked",
        ),
        ([Violation("script-src", "eval")], "handshake-missing"),
        ([Violation("script-src", "wasm-eval")], "handshake-missing"),
        ([ProbeReport("console", {"level": "error", "text": "oh"})], "handshake-missing"),
    ],
)
def test_a_missing_handshake_is_explained(evidence: list[Any], cause: str) -> None:
    rig = Rig(probe=True).loaded()
    assert steps(rig.feed(*evidence)) == []
    assert steps(rig.feed(HANDSHAKE)) == [("initialize", "broken", cause)]


def test_the_detail_of_a_broken_rung_is_what_was_seen_first() -> None:
    rig = Rig(probe=True).loaded()
    first = {"message": "Uncaught TypeError: x is null", "line": 14, "column": 3}
    rig.feed(ProbeReport("error", first), ProbeReport("error", {"message": "another"}))
    assert of(rig.feed(HANDSHAKE), Step)[0].detail == first


def test_the_wrong_method_breaks_initialize_at_once() -> None:
    rig = Rig().loaded()
    effects = rig.ask(0, "initialize", {"clientInfo": {}})
    assert steps(effects) == [("initialize", "broken", "wrong-method")]
    assert of(effects, Step)[0].rule == "initialize-wrong-method"
    assert sent(effects)[0]["error"]["code"] == -32601
    assert steps(rig.feed(HANDSHAKE)) == []


def test_a_request_before_the_handshake_ended_stays_broken() -> None:
    rig = Rig().answered()
    effects = rig.ask(1, "tools/call", {"name": "lookup"})
    assert steps(effects) == [("initialized", "broken", "early-request")]
    assert of(effects, Step)[0].rule == "call-before-initialized"
    assert steps(rig.notify("ui/notifications/initialized")) == []


def test_a_script_error_in_a_healthy_view_breaks_nothing() -> None:
    rig = shown()
    effects = rig.feed(ProbeReport("error", {"message": "Uncaught TypeError"}))
    effects += rig.feed(ProbeReport("painted", {"result": True}), PAINT)
    assert steps(effects) == [("painted", "ok", None)]


def test_without_the_probe_painted_is_unknown() -> None:
    rig = Rig().ready()
    effects = rig.feed(ToolInput({}), ToolResult(RESULT))
    assert steps(effects)[-1] == ("painted", "unknown", "no-probe")


def test_painted_counts_after_the_result_only() -> None:
    rig = Rig(probe=True).ready()
    rig.feed(LISTENER, ToolInput({}))
    assert steps(rig.feed(ProbeReport("painted", {"result": False}))) == []
    rig.feed(ToolResult(RESULT))
    assert steps(rig.feed(ProbeReport("painted", {"result": False}))) == []
    assert steps(rig.feed(ProbeReport("painted", {"result": True}))) == [("painted", "ok", None)]


def test_what_is_painted_late_mends_the_rung() -> None:
    rig = shown()
    assert steps(rig.feed(PAINT)) == [("painted", "broken", "nothing-visible")]
    assert steps(rig.feed(ProbeReport("painted"))) == [("painted", "ok", None)]


@pytest.mark.parametrize(
    ("evidence", "cause", "rule"),
    [
        (ProbeReport("error", {"message": "Uncaught TypeError"}), "script-error", None),
        (ProbeReport("network", {"url": "u", "cors": True}), "cors-refused", None),
        (ProbeReport("network", {"url": "u", "cors": False}), "network-failed", None),
        (ProbeReport("network", {"url": "u"}), "cors-or-network", None),
        (
            Violation("img-src", "https://a.example"),
            "blocked-by-policy",
            "undeclared-resource-origin",
        ),
        (
            Violation("connect-src", "https://a.example"),
            "connection-blocked",
            "undeclared-connect-origin",
        ),
    ],
)
def test_an_empty_view_is_explained(evidence: Any, cause: str, rule: str | None) -> None:
    rig = shown()
    rig.feed(evidence)
    (step,) = of(rig.feed(PAINT), Step)
    assert (step.step, step.state, step.cause, step.rule) == ("painted", "broken", cause, rule)


def test_a_refused_call_explains_an_empty_view() -> None:
    rig = shown()
    rig.ask(1, "tools/call", {"name": "delete_all"})
    assert steps(rig.feed(PAINT)) == [("painted", "broken", "call-refused")]


def test_an_empty_view_without_a_size_is_explained_so() -> None:
    rig = Rig(probe=True).ready()
    rig.feed(LISTENER, ToolInput({}), ToolResult(RESULT))
    assert steps(rig.feed(PAINT)) == [("painted", "broken", "size-not-reported")]


def test_a_visible_view_without_a_size_is_only_noted() -> None:
    rig = Rig(probe=True).ready()
    rig.feed(LISTENER, ToolInput({}), ToolResult(RESULT), ProbeReport("painted"))
    effects = rig.feed(PAINT)
    assert steps(effects) == []
    assert "never reported its size" in notes(effects)


def test_a_view_of_fixed_height_need_not_report_its_size() -> None:
    rig = Rig(probe=True, context={"containerDimensions": {"height": 400}}).ready()
    rig.feed(LISTENER, ToolInput({}), ToolResult(RESULT), ProbeReport("painted"))
    assert rig.feed(PAINT) == ()


@pytest.mark.parametrize(
    ("method", "step"),
    [("ui/notifications/tool-input", "input"), ("ui/notifications/tool-result", "result")],
)
def test_a_delivery_that_met_no_listener_breaks_its_rung(method: str, step: str) -> None:
    rig = shown()
    effects = rig.feed(ProbeReport("listener", {"method": method, "present": False}))
    assert steps(effects) == [(step, "broken", "late-listener")]
    assert of(effects, Step)[0].rule == "late-handler"


def test_a_delivery_that_met_a_listener_breaks_nothing() -> None:
    detail = {"method": "ui/notifications/tool-input", "present": True}
    assert rig_steps(ProbeReport("listener", detail)) == []


def rig_steps(*events: Any) -> list[tuple[str, str, str | None]]:
    return steps(shown().feed(*events))


def test_a_view_that_never_listens_breaks_input_first() -> None:
    rig = Rig(probe=True).ready()
    rig.feed(ToolInput({}), ToolResult(RESULT))
    assert steps(rig.feed(PAINT)) == [
        ("input", "broken", "no-listener"),
        ("painted", "broken", "no-listener"),
    ]


def test_a_handler_after_connect_explains_an_empty_view_of_the_sdk() -> None:
    rig = shown()
    warning = (
        '[ext-apps] "toolresult" handler registered after connect() completed the ui/initialize '
        "handshake. The host may have already sent this notification."
    )
    effects = rig.feed(ProbeReport("console", {"level": "warning", "text": warning}))
    assert steps(effects) == []
    assert steps(rig.feed(PAINT)) == [
        ("result", "broken", "late-listener"),
        ("painted", "broken", "late-listener"),
    ]


def test_a_blocked_eval_is_information() -> None:
    effects = Rig(probe=True).loaded().feed(Violation("script-src", "eval"))
    assert [note.level for note in of(effects, Note)] == ["info"]


def test_reports_before_the_document_are_nobodys() -> None:
    assert Rig(probe=True).feed(ProbeReport("error", {"message": "x"})) == ()


def test_a_rung_is_reported_once_per_state() -> None:
    rig = Rig().loaded()
    rig.ask(0, "ui/initialize", INITIALIZE)
    assert steps(rig.ask(1, "ui/initialize", INITIALIZE)) == []


def test_a_deadline_does_not_break_a_rung_that_is_reached() -> None:
    ladder = Ladder()
    assert [step.state for step in ladder.reach("frame")] == ["ok"]
    assert list(ladder.expire("frame", "not-loaded")) == []
    assert [step.state for step in ladder.prove_broken("frame", "not-loaded")] == ["broken"]


def test_a_timer_that_does_not_run_cannot_fire() -> None:
    assert Rig(probe=True).ready().feed(PAINT, HANDSHAKE, TimerFired("teardown")) == ()


def test_every_cause_is_a_slug_and_every_rule_a_name() -> None:
    for cause, rule in CAUSES.items():
        assert cause == cause.lower().strip("-")
        assert rule is None or rule == rule.lower().strip("-")
