"""From the frame's document to the View's `initialized`, also when the document is replaced."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from mcpapps_cli import wire
from mcpapps_cli.host import grant, message, requests, tell
from mcpapps_cli.host.effect import (
    Effect,
    Mount,
    Note,
    Reveal,
    Send,
    SetMode,
    StartTimer,
    StopTimer,
)
from mcpapps_cli.host.event import ProbeReport
from mcpapps_cli.host.evidence import weigh_size
from mcpapps_cli.host.message import Request, shorten
from mcpapps_cli.host.params import params_fault
from mcpapps_cli.host.state import Phase, State

FRAME_TIMER: Final = "frame"
FRAME_SECONDS: Final = 10.0
"""From the frame to its document; generous, because only a dead sandbox needs it."""
HANDSHAKE_TIMER: Final = "handshake"
HANDSHAKE_SECONDS: Final = 3.0
"""From the loaded document to `initialized`."""


def start(state: State) -> Iterator[Effect]:
    """Create the frame."""
    mount = grant.mount(state.mounting)
    yield mount
    yield from _log_grants(state, mount)
    yield from state.size.start(state.context.get("containerDimensions"))
    if state.mode != "inline":
        yield SetMode(state.mode)
        yield from state.size.set_mode(state.mode)
    for fault in state.context_faults:
        yield Note("warning", fault)
    yield StartTimer(FRAME_TIMER, FRAME_SECONDS)


def _log_grants(state: State, mount: Mount) -> Iterator[Effect]:
    """Note what the View may do, and which document it is (specification, Security 3 and 4)."""
    html = state.mounting.html.encode("utf-8", "surrogatepass")
    detail = {
        "policy": mount.policy,
        "allow": mount.allow,
        "sandbox": mount.sandbox,
        "sha256": hashlib.sha256(html).hexdigest(),
    }
    yield Note("info", f'"{shorten(state.mounting.uri)}" is mounted under {mount.policy}', detail)
    csp = grant.granted_csp(state.mounting)
    if csp is not None and (
        origins := dict.fromkeys((*csp.connect, *csp.resource, *csp.frame, *csp.base_uri))
    ):
        text = f"the View may reach {', '.join(origins)}"
        yield Note("info", shorten(text, 1000), {"origins": list(origins)})


def hand_over(state: State) -> Iterator[Effect]:
    """Give the document to the proxy page, which is ready (specification, Sandbox proxy)."""
    state.phase = Phase.LOADING
    params = grant.resource_ready_params(state.mounting)
    yield Send(message.notification(wire.UI_SANDBOX_RESOURCE_READY, params))


def reach_frame(state: State) -> Iterator[Effect]:
    """Note that the document is there; the time for the handshake begins."""
    if not state.ladder.is_ok("frame"):
        yield StopTimer(FRAME_TIMER)
        yield from state.ladder.reach("frame")
        yield StartTimer(HANDSHAKE_TIMER, HANDSHAKE_SECONDS)


def initialize(state: State, request: Request) -> Iterator[Effect]:
    """Answer `ui/initialize`."""
    fault = params_fault(wire.UI_INITIALIZE, request.params)
    if fault is not None:
        if state.phase < Phase.ANSWERED:
            detail = {"path": fault}
            yield from state.ladder.expire("initialize", "rejected-parameters", detail)
        yield from requests.reject(state, request, fault)
        return
    if state.phase >= Phase.ANSWERED:
        text = "a second ui/initialize from one document: is the View mounted twice?"
        yield from state.complain(text)
    state.greetings += 1
    state.app_tools.declare(request.params["appCapabilities"].get("tools"))
    modes = request.params["appCapabilities"].get("availableDisplayModes")
    state.declared_modes = None if modes is None else tuple(modes)
    if modes is not None and state.mode not in modes and "inline" in modes:
        yield from requests.change(state, {"displayMode": "inline"})
    if state.phase <= Phase.ANSWERED:
        state.phase = Phase.ANSWERED
        state.unsent_context.clear()
    yield from state.ladder.reach("initialize")
    answer = grant.initialize_result(state.mounting, state.context)
    yield Send(message.result(request.id, answer))
    yield from tell.deliver(state)


def finish(state: State) -> Iterator[Effect]:
    """Take `ui/notifications/initialized`: from now on the host may speak."""
    if state.phase is Phase.LOADING:
        text = "the View sent initialized although its ui/initialize was never accepted"
        yield from state.complain(text)
        return
    if state.phase is not Phase.ANSWERED:
        yield from state.complain("the View sent initialized twice")
        return
    state.phase = Phase.READY
    yield StopTimer(HANDSHAKE_TIMER)
    yield from state.ladder.reach("initialized")
    if state.early_size is not None:
        yield from weigh_size(state, state.early_size)
        state.early_size = None
    yield from tell.catch_up(state)
    # After what the View waits for: a frame that is drawn at once would hold it up.
    if not state.revealed:
        state.revealed = True
        yield Reveal()
    yield from state.app_tools.open(unasked=state.profile.app_tools)


def notice_document(state: State, report: ProbeReport, *, waiting: bool) -> Iterator[Effect]:
    """Take what a report says of the document it comes from.

    Args:
        state: The View's.
        report: Any report.
        waiting: Whether the handshake's timer runs.
    """
    document = report.detail.get("document")
    if document is not None and document != state.document:
        if state.document is not None:
            yield from _start_over(state)
        state.document = document
    if report.kind != "loaded":
        return
    if report.detail.get("by") == "sandbox":
        # A document may greet before it has loaded; one that has not greeted is another one.
        if state.loads and 0 < state.greetings <= state.loads:
            yield from _start_over(state)
        state.loads += 1
    yield from reach_frame(state)
    if waiting and state.phase < Phase.READY:
        yield StartTimer(HANDSHAKE_TIMER, HANDSHAKE_SECONDS)


def _start_over(state: State) -> Iterator[Effect]:
    """Meet another document in the same frame: the View has reloaded or left itself."""
    if state.phase >= Phase.CLOSING:
        return
    yield Note("warning", "the View replaced its document; the handshake starts over")
    yield from state.relay.cancel_all("the View replaced its document")
    yield from state.app_tools.end("the View replaced its document")
    for timer in (HANDSHAKE_TIMER, tell.PAINT_TIMER):
        yield StopTimer(timer)
    state.forget_document()
    yield StartTimer(FRAME_TIMER, FRAME_SECONDS)
