"""What the host tells a View unasked: the call that created it, changes, the server's end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcpapps_cli import wire
from mcpapps_cli.host import message
from mcpapps_cli.host.effect import Effect, Note, Send, StartTimer
from mcpapps_cli.host.state import Phase, State
from mcpapps_cli.model import JsonObject

PAINT_TIMER: Final = "paint"
PAINT_SECONDS: Final = 5.0
"""From the result to something visible."""
_LIST_CHANGED: Final = {
    wire.TOOLS_LIST_CHANGED: "serverTools",
    wire.RESOURCES_LIST_CHANGED: "serverResources",
    wire.PROMPTS_LIST_CHANGED: "serverPrompts",
}


def deliver(state: State, dropped: str | None = None) -> Iterator[Effect]:
    """Send what is due of the call; `dropped` says why something just taken is not."""
    if dropped is not None:
        yield Note("warning", dropped)
    if state.phase is Phase.ANSWERED and state.profile.input_early:
        for method, params in state.delivery.due_early():
            yield Send(message.notification(method, params))
            yield from state.ladder.reach("input")
    if state.phase is not Phase.READY:
        return
    for method, params in state.delivery.due():
        if method in state.profile.sends:
            yield from state.tell(method, params)
        match method:
            case wire.UI_TOOL_INPUT:
                yield from state.ladder.reach("input")
            case wire.UI_TOOL_RESULT:
                yield from state.ladder.reach("result")
                if state.mounting.probe:
                    yield StartTimer(PAINT_TIMER, PAINT_SECONDS)
                else:
                    yield from state.ladder.leave_open("painted", "no-probe")
            case wire.UI_TOOL_CANCELLED:
                if state.ladder.step("result") is None:
                    yield from state.ladder.leave_open("result", "call-cancelled", params)
                yield from state.ladder.leave_open("painted", "call-cancelled", params)


def catch_up(state: State) -> Iterator[Effect]:
    """Send what had to wait for `initialized`."""
    if state.unsent_context:
        yield from state.tell(wire.UI_HOST_CONTEXT_CHANGED, dict(state.unsent_context))
    for method, params in state.unsent_changes.items():
        yield from state.tell(method, params)
    state.unsent_context.clear()
    state.unsent_changes.clear()
    yield from deliver(state)


def relay_notification(state: State, method: str, params: JsonObject) -> Iterator[Effect]:
    """Pass a server's `list_changed` on, if the host advertises it; nothing else is a View's."""
    capability = state.profile.capabilities.get(_LIST_CHANGED.get(method, ""))
    if not capability or capability.get("listChanged") is not True:
        return
    if state.phase < Phase.READY:
        state.unsent_changes[method] = params
    yield from state.tell(method, params)


def end_server(state: State, reason: str) -> Iterator[Effect]:
    """Answer every open request of the View, and cancel a call that has no result yet."""
    text = f"the server is gone: {reason}"
    yield Note("error", text)
    yield from state.relay.fail_all(text)
    if not state.delivery.ended:
        yield from state.ladder.expire("result", "server-gone", {"reason": reason})
        yield from deliver(state, state.delivery.take_cancelled(text))
