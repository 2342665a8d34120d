"""What a View asks of its host, once the message is known to be a request."""

from __future__ import annotations

from collections.abc import Iterator

from mcpapps_cli import wire
from mcpapps_cli.host import message
from mcpapps_cli.host.consent import KINDS, deny
from mcpapps_cli.host.context import change_context, next_mode, offered_modes, styles_of
from mcpapps_cli.host.effect import Effect, ModelContext, Note, Send, SetMode
from mcpapps_cli.host.message import Request, shorten
from mcpapps_cli.host.params import params_fault
from mcpapps_cli.host.state import Phase, State
from mcpapps_cli.host.visibility import call_refusal
from mcpapps_cli.model import JsonObject


def answer(state: State, request: Request) -> Iterator[Effect]:
    """Answer any request but `ui/initialize`."""
    method = request.method
    if method not in state.profile.methods:
        yield from _unknown(state, request)
    elif method == wire.PING:
        yield Send(message.result(request.id, {}))
    elif state.phase < Phase.READY and state.profile.early_requests == "refuse":
        yield from _too_early(state, request)
    elif (fault := params_fault(method, request.params)) is not None:
        yield from reject(state, request, fault)
    elif method in KINDS:
        yield from _note_clash(state, request)
        yield from state.desk.take(request)
    elif method == wire.UI_REQUEST_DISPLAY_MODE:
        yield from _request_mode(state, request)
    elif method == wire.UI_UPDATE_MODEL_CONTEXT:
        if not message.same_json(request.params, state.model_context):
            state.model_context = request.params
            yield ModelContext(request.params)
        yield Send(message.result(request.id, {}))
    elif method == wire.TOOLS_CALL:
        yield from _call_tool(state, request)
    elif not method.startswith("ui/"):
        yield from _note_clash(state, request)
        yield from state.relay.forward(request)
    else:
        yield from _unknown(state, request)


def reject(state: State, request: Request, fault: str) -> Iterator[Effect]:
    """Refuse a request whose params are wrong, naming the path."""
    yield from state.complain(f"{request.method} rejected: {fault}")
    text = f"Invalid params: {fault}"
    yield Send(message.error(request.id, wire.INVALID_PARAMS, text))


def change(state: State, new: JsonObject) -> Iterator[Effect]:
    """Change the host context, tell the View, and carry out what it means for the frame."""
    mode = new.get("displayMode")
    modes = state.declared_modes
    if mode is not None and mode != state.mode and modes is not None and mode not in modes:
        yield Note("warning", f'the View does not support the display mode "{mode}"')
        # Whoever asked for it shows the mode that stays.
        yield SetMode(state.mode)
        new = {key: value for key, value in new.items() if key != "displayMode"}
    if "theme" in new:
        new = {**styles_of(state.profile, new["theme"]), **new}
    changed, faults = change_context(state.context, new)
    for fault in faults:
        yield Note("warning", fault)
    if "displayMode" in changed:
        yield SetMode(state.mode)
        yield from state.size.set_mode(state.mode)
    if "containerDimensions" in new:
        yield from state.size.resize_container(state.context.get("containerDimensions"))
    if not changed or wire.UI_HOST_CONTEXT_CHANGED not in state.profile.sends:
        return
    if state.phase is Phase.ANSWERED:
        state.unsent_context.update(changed)
    yield from state.tell(wire.UI_HOST_CONTEXT_CHANGED, changed)


def _unknown(state: State, request: Request) -> Iterator[Effect]:
    name = shorten(request.method)
    if request.method == wire.INITIALIZE and state.phase < Phase.ANSWERED:
        yield from state.ladder.expire("initialize", "wrong-method", {"method": name})
    yield from state.complain(f'the View asked for "{name}", which this host does not serve')
    yield Send(message.error(request.id, wire.METHOD_NOT_FOUND, f"Method not found: {name}"))


def _too_early(state: State, request: Request) -> Iterator[Effect]:
    text = f"{request.method} was sent before {wire.UI_INITIALIZED}"
    yield from state.complain(text)
    yield from state.ladder.prove_broken("initialized", "early-request", {"method": request.method})
    yield Send(message.error(request.id, wire.INVALID_REQUEST, text))


def _call_tool(state: State, request: Request) -> Iterator[Effect]:
    name: str = request.params["name"]
    refusal = call_refusal(state.tools, name)
    if refusal is None:
        yield from _note_clash(state, request)
        yield from state.relay.forward(request)
        return
    shown = shorten(name)
    why = "the server does not list it" if refusal == "unlisted" else 'it is not visible to "app"'
    text = f'tool "{shown}" may not be called by the View: {why}'
    state.ladder.saw("call-refused", {"tool": shown, "why": refusal})
    yield from state.complain(text)
    if refusal == "unlisted":
        yield Send(message.error(request.id, wire.INVALID_PARAMS, text))
    else:
        yield deny(request.id, text, state.profile.denial, tool=True)


def _request_mode(state: State, request: Request) -> Iterator[Effect]:
    wanted: str = request.params["mode"]
    offered = offered_modes(state.context)
    mode = next_mode(wanted, current=state.mode, offered=offered, declared=state.declared_modes)
    refused = "mode" in state.profile.refuses
    if refused:
        mode = state.mode
    if mode != wanted:
        why = "the View did not declare it" if wanted in offered else "this host does not offer it"
        why = "the host declines it" if refused else why
        yield from state.complain(f'display mode "{wanted}" declined: {why}', level="info")
    yield from change(state, {"displayMode": mode})
    yield Send(message.result(request.id, {"mode": mode}))


def _note_clash(state: State, request: Request) -> Iterator[Effect]:
    if state.relay.has(request.id) or state.desk.has(request.id):
        yield from state.complain(f"the request id {request.id!r:.100} is in use already")
