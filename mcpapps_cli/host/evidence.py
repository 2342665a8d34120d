"""What the probe and the browser saw, weighed for the ladder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from mcpapps_cli import wire
from mcpapps_cli.host import tell
from mcpapps_cli.host.effect import Effect, Note, StepName
from mcpapps_cli.host.event import ProbeReport, Violation
from mcpapps_cli.host.message import shorten
from mcpapps_cli.host.state import State
from mcpapps_cli.model import JsonObject

_STORAGE: Final = ("localStorage", "sessionStorage", "indexedDB", "cookie", "caches")
# The official SDK warns with these words, and names the handler.
_LATE_HANDLER: Final = "handler registered after connect()"
_HANDLERS: Final[dict[str, StepName]] = {'"toolinput"': "input", '"toolresult"': "result"}
_DELIVERIES: Final[dict[str, StepName]] = {
    wire.UI_TOOL_INPUT: "input",
    wire.UI_TOOL_RESULT: "result",
}
_NETWORK: Final[dict[bool | None, tuple[str, str]]] = {
    True: ("cors-refused", "CORS"),
    False: ("network-failed", "network"),
    None: ("cors-or-network", "CORS or network"),
}
_LEVELS: Final[dict[str, Literal["info", "warning", "error"]]] = {
    **dict.fromkeys(("warn", "warning"), "warning"),
    **dict.fromkeys(("error", "assert", "critical", "alert", "emergency"), "error"),
}


def note_level(level: object) -> Literal["info", "warning", "error"]:
    """Return the level of a note for a console method or an MCP log level."""
    return _LEVELS.get(level, "info") if isinstance(level, str) else "info"


def weigh_report(state: State, report: ProbeReport) -> Iterator[Effect]:
    """Take a report of the probe, except `loaded`."""
    detail = report.detail
    match report.kind:
        case "error":
            text = _text(detail, "message")
            storage = "SecurityError" in text or any(word in text for word in _STORAGE)
            state.ladder.saw("storage-refused" if storage else "script-error", detail)
            yield Note("error", f"script error: {text}", detail, "script-error")
        case "storage":
            state.ladder.saw("storage-refused", detail)
            yield Note("warning", f"storage refused: {_text(detail, 'api')}", detail, "storage")
        case "console":
            text = _text(detail, "text")
            if _LATE_HANDLER in text:
                for handler, step in _HANDLERS.items():
                    if handler in text:
                        state.ladder.saw("late-listener", {"step": step, "message": text})
            yield Note(note_level(detail.get("level")), text, detail, "console")
        case "network":
            cors = detail.get("cors")
            cause, why = _NETWORK[cors if isinstance(cors, bool) else None]
            state.ladder.saw(cause, detail)
            failed = f"request failed ({why}): {_text(detail, 'url')}"
            yield Note("error", failed, detail, "network")
        case "listener":
            yield from _weigh_listener(state, detail)
        case "painted":
            if state.ladder.is_ok("result") and detail.get("result") is not False:
                yield from state.ladder.reach("painted")
        case "loaded":
            pass


def _weigh_listener(state: State, detail: JsonObject) -> Iterator[Effect]:
    method = detail.get("method")
    if detail.get("present") is False:
        if isinstance(method, str) and method in _DELIVERIES:
            step = _DELIVERIES[method]
            yield from state.ladder.prove_broken(step, "late-listener", {"method": method})
    else:
        state.listener_seen = True


def weigh_violation(state: State, violation: Violation) -> Iterator[Effect]:
    """Take a Content-Security-Policy report."""
    if violation.blocked in ("eval", "wasm-eval"):
        # Libraries such as Zod try eval once and carry on without it.
        yield Note("info", f"{violation.blocked} is blocked; code that only probes it carries on")
        return
    directive = violation.directive
    if directive.startswith(("script-src", "worker-src")):
        cause = "script-blocked"
    elif directive == "connect-src":
        cause = "connection-blocked"
    else:
        cause = "blocked-by-policy"
    state.ladder.saw(
        cause,
        {
            "directive": directive,
            "blocked": violation.blocked,
            "line": violation.line,
            "column": violation.column,
            "source": violation.source,
        },
    )


def weigh_size(state: State, params: JsonObject) -> Iterator[Effect]:
    """Take `ui/notifications/size-changed`."""
    yield from state.size.report(params)
    if state.size.looping:
        heights = {"heights": list(state.size.run)}
        yield from state.ladder.prove_broken("painted", "size-growing", heights)


def paint_deadline(state: State) -> Iterator[Effect]:
    """Judge what is visible, `tell.PAINT_SECONDS` after the result."""
    silent = state.size.follows_height and not state.size.reported
    if state.ladder.is_ok("painted"):
        if silent:
            text = "the View never reported its size, so the frame keeps its first height"
            yield Note("warning", text)
        return
    if not state.listener_seen:
        state.ladder.saw("no-listener", {"method": wire.UI_TOOL_INPUT})
    if silent:
        state.ladder.saw("size-not-reported", {"height": state.profile.start_height})
    yield from state.ladder.expire_paint(tell.PAINT_SECONDS)


def _text(detail: JsonObject, key: str) -> str:
    value = detail.get(key)
    return shorten(value, 1000) if isinstance(value, str) else "unknown"
