"""One View of one tool call, from its frame to its end: events in, effects out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Final

from mcpapps_cli import wire
from mcpapps_cli.host import app_tools, handshake, message, requests, size, tell
from mcpapps_cli.host import event as ev
from mcpapps_cli.host.effect import Effect, Note, Send, StartTimer, StopTimer, Unmount
from mcpapps_cli.host.event import Event
from mcpapps_cli.host.evidence import (
    note_level,
    paint_deadline,
    weigh_report,
    weigh_size,
    weigh_violation,
)
from mcpapps_cli.host.message import Notification, Request, Response, shorten
from mcpapps_cli.host.mounting import Mounting
from mcpapps_cli.host.state import Phase, State
from mcpapps_cli.model import JsonObject

__all__ = ["Engine", "Mounting", "Phase"]

TEARDOWN_TIMER: Final = "teardown"


class Engine:
    """The host's side of one View; it never waits and knows no clock.

    Call `start` once, then `handle` with every event in the order in which things happened, and
    carry the returned effects out in order. After `Unmount` nothing comes any more. A new mount
    needs a new engine.

    Args:
        mounting: The View and the host to be.
        ids: Source of the JSON-RPC ids of requests to the View. Give all engines of a host one
            source, so that no two frames ever see the same id.
    """

    def __init__(self, mounting: Mounting, *, ids: Iterator[int] | None = None):
        self._ids = count(1) if ids is None else ids
        self._state = State(mounting, self._ids)
        self._running: set[str] = set()
        self._teardown: int | None = None
        self._ping: int | None = None
        self._close_reason = ""

    @property
    def phase(self) -> Phase:
        """How far the View has come."""
        return self._state.phase

    @property
    def context(self) -> JsonObject:
        """The host context as it is now."""
        return self._state.context

    def start(self) -> tuple[Effect, ...]:
        """Return the effects that create the frame."""
        return self._collect(handshake.start(self._state))

    def handle(self, event: Event) -> tuple[Effect, ...]:
        """Return the effects of an event; never raises, whatever the View posts."""
        if self._state.phase is Phase.CLOSED:
            # A call must be answered, also when there is nobody left to do it.
            if isinstance(event, ev.CallAppTool):
                return tuple(self._state.app_tools.call(event))
            return ()
        return self._collect(self._hear(event))

    def _hear(self, event: Event) -> Iterator[Effect]:
        heard: Event | None = event
        for quirk in self._state.mounting.quirks:
            if heard is not None and quirk.event is not None:
                before, heard = heard, quirk.event(heard)
                if heard is None or heard != before:
                    yield Note("info", f"quirk {quirk.name}: {quirk.title}")
        if heard is not None:
            yield from self._on(heard)
        elif isinstance(event, ev.ToolResult):
            yield from self._state.ladder.leave_open("result", "withheld")
            yield from self._state.ladder.leave_open("painted", "withheld")

    def _collect(self, effects: Iterator[Effect]) -> tuple[Effect, ...]:
        collected: list[Effect] = []
        for effect in effects:
            for quirk in self._state.mounting.quirks:
                effect = effect if quirk.effect is None else quirk.effect(effect)
            match effect:
                case StartTimer(name):
                    self._running.add(name)
                case StopTimer(name):
                    if name not in self._running:
                        continue
                    self._running.discard(name)
                case _:
                    pass
            collected.append(effect)
        return tuple(collected)

    def _on(self, event: Event) -> Iterator[Effect]:
        state = self._state
        match event:
            case ev.ViewMessage(raw):
                yield from self._on_message(raw)
            case ev.ToolInputPartial(arguments):
                yield from tell.deliver(state, state.delivery.take_partial(arguments))
            case ev.ToolInput(arguments):
                yield from tell.deliver(state, state.delivery.take_input(arguments))
            case ev.ToolResult(result):
                yield from tell.deliver(state, state.delivery.take_result(result))
            case ev.ToolCancelled(reason):
                yield from tell.deliver(state, state.delivery.take_cancelled(reason))
            case ev.ServerReply():
                yield from state.relay.reply(event)
            case ev.ServerProgress():
                yield from state.relay.progress(event)
            case ev.ServerNotification(method, params):
                yield from tell.relay_notification(state, method, params)
            case ev.ToolsListed(tools):
                state.tools = tools
            case ev.ServerGone(reason):
                yield from tell.end_server(state, reason)
            case ev.TimerFired(name):
                yield from self._on_timer(name)
            case ev.ContextChange(context):
                yield from requests.change(state, context)
            case ev.UserAnswer(number, allowed) if state.app_tools.asks(number):
                yield from state.app_tools.answer(number, allowed=allowed)
            case ev.UserAnswer():
                yield from state.desk.answer(event)
            case ev.ProbeReport():
                yield from self._on_report(event)
            case ev.Violation():
                yield from weigh_violation(state, event)
            case ev.CloseRequested(reason, patience):
                yield from self._close(reason, patience)
            case ev.PingRequested() if state.phase is Phase.READY:
                self._ping = next(self._ids)
                yield Send(message.request(self._ping, wire.PING, {}))
            case ev.ListAppTools():
                yield from state.app_tools.refresh()
            case ev.CallAppTool():
                yield from state.app_tools.call(event)
            case ev.CancelAppTool(call, reason):
                yield from state.app_tools.cancel(call, reason)

    def _on_message(self, raw: object) -> Iterator[Effect]:
        state = self._state
        posted = message.read_message(raw)
        if isinstance(posted, message.Malformed):
            yield from state.complain(f"the frame posted no JSON-RPC message: {posted.why}")
            return
        if state.phase is Phase.SANDBOX and _is_proxy_ready(posted):
            yield from handshake.hand_over(state)
            return
        if not isinstance(posted, Response) and posted.method.startswith(wire.SANDBOX_PREFIX):
            text = f'"{shorten(posted.method)}" is between host and proxy only and was dropped'
            yield from state.complain(text)
            return
        if state.phase is Phase.SANDBOX:
            yield from state.complain("a message came before the document and was dropped")
            return
        yield from handshake.reach_frame(state)
        match posted:
            case message.BadParams(id_, method):
                request = Request(id_, method, {})
                yield from requests.reject(state, request, "params must be an object")
            case Request(_, wire.UI_INITIALIZE, _):
                yield from handshake.initialize(state, posted)
            case Request():
                yield from requests.answer(state, posted)
            case Notification():
                yield from self._on_notification(posted)
            case Response():
                yield from self._on_response(posted)

    def _on_notification(self, posted: Notification) -> Iterator[Effect]:
        state, params = self._state, posted.params
        match posted.method:
            case wire.UI_INITIALIZED:
                yield from handshake.finish(state)
            case wire.UI_SIZE_CHANGED if state.phase < Phase.READY:
                state.early_size = params
                yield from state.complain(f"{posted.method} came before the handshake ended")
            case wire.UI_SIZE_CHANGED:
                yield from weigh_size(state, params)
            case wire.LOG_MESSAGE:
                data = params.get("data")
                text = shorten(data, 1000) if isinstance(data, str) else "the View logged"
                yield Note(note_level(params.get("level")), text, params, "console")
            case wire.CANCELLED:
                yield from self._cancel(params)
            case wire.PROGRESS:
                pass
            case wire.TOOLS_LIST_CHANGED if state.app_tools.announces_changes:
                yield from state.app_tools.changed()
            case wire.UI_REQUEST_TEARDOWN if posted.method in state.profile.methods:
                yield from self._close("the View asked for it")
            case method:
                yield from state.complain(f'the View sent an unknown "{shorten(method)}"')

    def _cancel(self, params: JsonObject) -> Iterator[Effect]:
        id_, reason = params.get("requestId"), params.get("reason")
        if message.is_request_id(id_):
            self._state.desk.forget(id_)
            yield from self._state.relay.cancel(id_, reason if isinstance(reason, str) else None)

    def _on_response(self, posted: Response) -> Iterator[Effect]:
        if self._state.app_tools.awaits(posted.id):
            yield from self._state.app_tools.respond(posted)
            return
        if self._ping is not None and posted.id == self._ping:
            self._ping = None
            return
        if self._teardown is None or posted.id != self._teardown:
            yield from self._state.complain("the View answered a request that nobody made")
            return
        if posted.error is not None:
            # Views without a handler answer -32601: an error means "go ahead".
            yield Note("info", "the View answered the teardown with an error", posted.error)
        yield from self._unmount()

    def _on_report(self, report: ev.ProbeReport) -> Iterator[Effect]:
        if self._state.phase is not Phase.SANDBOX:
            waiting = handshake.HANDSHAKE_TIMER in self._running
            yield from handshake.notice_document(self._state, report, waiting=waiting)
            yield from weigh_report(self._state, report)

    def _on_timer(self, name: str) -> Iterator[Effect]:
        if name not in self._running:
            return
        self._running.discard(name)
        state = self._state
        match name:
            case handshake.FRAME_TIMER:
                cause = "sandbox-silent" if state.phase is Phase.SANDBOX else "not-loaded"
                yield from state.ladder.expire("frame", cause)
            case handshake.HANDSHAKE_TIMER:
                yield from state.ladder.expire_handshake(handshake.HANDSHAKE_SECONDS)
            case tell.PAINT_TIMER:
                yield from paint_deadline(state)
            case size.TIMER:
                yield from state.size.window_ended()
            case _ if name.startswith(app_tools.TIMER):
                yield from state.app_tools.time_out(name)
            case _:
                text = "the View did not answer ui/resource-teardown in time"
                yield Note("warning", text, kind="fault")
                yield from self._unmount(silent=True)

    def _close(self, reason: str, patience: float = ev.TEARDOWN_SECONDS) -> Iterator[Effect]:
        state = self._state
        if state.phase is Phase.CLOSING:
            return
        self._close_reason = reason
        if state.phase is not Phase.READY or wire.UI_RESOURCE_TEARDOWN not in state.profile.sends:
            yield from self._unmount()
            return
        state.phase = Phase.CLOSING
        self._teardown = next(self._ids)
        params = {"reason": reason}
        yield Send(message.request(self._teardown, wire.UI_RESOURCE_TEARDOWN, params))
        yield StartTimer(TEARDOWN_TIMER, patience)

    def _unmount(self, *, silent: bool = False) -> Iterator[Effect]:
        state = self._state
        yield from state.relay.cancel_all(self._close_reason)
        yield from state.app_tools.end(self._close_reason)
        state.desk.forget_all()
        for name in sorted(self._running):
            yield StopTimer(name)
        state.phase = Phase.CLOSED
        yield Unmount(self._close_reason, silent)


def _is_proxy_ready(posted: message.Message) -> bool:
    return isinstance(posted, Notification) and posted.method == wire.UI_SANDBOX_PROXY_READY
