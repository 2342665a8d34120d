"""The View's requests that the server answers: out, back, progress and cancellation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from mcpapps_cli import wire
from mcpapps_cli.host import message
from mcpapps_cli.host.effect import CallServer, CancelServer, Effect, Send
from mcpapps_cli.host.event import ServerProgress, ServerReply
from mcpapps_cli.host.input_required import read_input_required
from mcpapps_cli.host.message import RequestId
from mcpapps_cli.model import JsonObject

OPEN_MAX: Final = 256
"""Requests of one View that may be open at the server at once."""


@dataclass(frozen=True, slots=True)
class _Open:
    id: RequestId
    token: int | str | None


class Relay:
    """The open server requests of one View, by the number of their `CallServer` effect."""

    def __init__(self, numbers: Iterator[int]):
        self._numbers = numbers
        self._open: dict[int, _Open] = {}

    def has(self, id_: RequestId) -> bool:
        """Whether a request with that id of the View is open."""
        return any(call.id == id_ for call in self._open.values())

    def forward(self, request: message.Request) -> Iterator[Effect]:
        """Pass a request on; the params stay as they are but for the View's progress token."""
        if len(self._open) >= OPEN_MAX:
            text = f"{OPEN_MAX} requests are open already"
            yield Send(message.error(request.id, wire.IMPLEMENTATION_ERROR, text))
            return
        number = next(self._numbers)
        params, token = _without_token(request.params)
        self._open[number] = _Open(request.id, token)
        yield CallServer(number, request.method, params)

    def reply(self, event: ServerReply) -> Iterator[Effect]:
        """Give the View the server's answer, error code and data and `_meta` included."""
        call = self._open.pop(event.request, None)
        if call is None:
            return
        if event.result is not None and read_input_required(event.result) is not None:
            text = "the server asked for input that the host did not give"
            yield Send(message.error(call.id, wire.IMPLEMENTATION_ERROR, text))
        elif event.error is None:
            yield Send(message.result(call.id, {} if event.result is None else event.result))
        else:
            yield Send({"jsonrpc": "2.0", "id": call.id, "error": _sound_error(event.error)})

    def progress(self, event: ServerProgress) -> Iterator[Effect]:
        """Give the View progress under its own token; one that gave no token asked for none."""
        call = self._open.get(event.request)
        if call is not None and call.token is not None:
            params = {**event.params, "progressToken": call.token}
            yield Send(message.notification(wire.PROGRESS, params))

    def cancel(self, id_: RequestId, reason: str | None) -> Iterator[Effect]:
        """Cancel the View's request; it gets no answer any more."""
        for number in [number for number, call in self._open.items() if call.id == id_]:
            del self._open[number]
            yield CancelServer(number, reason)

    def cancel_all(self, reason: str) -> Iterator[Effect]:
        """Cancel every open request of a document that is gone."""
        for number in list(self._open):
            yield CancelServer(number, reason)
        self._open.clear()

    def fail_all(self, text: str) -> Iterator[Effect]:
        """Answer every open request with an error: the server is gone."""
        for call in self._open.values():
            yield Send(message.error(call.id, wire.INTERNAL_ERROR, text))
        self._open.clear()


def _without_token(params: JsonObject) -> tuple[JsonObject, int | str | None]:
    meta = params.get("_meta")
    if not isinstance(meta, dict) or "progressToken" not in meta:
        return params, None
    token = meta["progressToken"]
    kept = {key: value for key, value in meta.items() if key != "progressToken"}
    clean: dict[str, Any] = {key: value for key, value in params.items() if key != "_meta"}
    if kept:
        clean["_meta"] = kept
    return clean, token if message.is_request_id(token) else None


def _sound_error(error: JsonObject) -> JsonObject:
    code, text = error.get("code"), error.get("message")
    if isinstance(code, int) and isinstance(text, str):
        return error
    # A View's JSON-RPC layer would throw the whole answer away and wait for ever.
    return {"code": wire.INTERNAL_ERROR, "message": "the server sent a malformed error"}
