"""JSON-RPC requests and replies over one transport, as MCP uses them."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mcpapps_cli import wire
from mcpapps_cli.errors import McpAppsError, RpcError, ServerError
from mcpapps_cli.model import JsonObject
from mcpapps_cli.rpc.limits import DEFAULT_LIMITS, Limits
from mcpapps_cli.rpc.transport import Transport
from mcpapps_cli.words import cut

_CANCEL_SECONDS = 1.0
# A server that asks without reading our answers must not make us keep them all.
_UNSENT_REPLIES = 64
_ECHO = "it only sends back what it is sent"
_ECHO_HELP = "give the command that starts an MCP server which speaks on stdio"
# One for all connections: a View goes on asking for its call by an id, and a server that was
# started anew, or knows no sessions, must not take it for another.
_IDS = itertools.count(1)


def reserve_id() -> int:
    """Return the id of a request to come; no other request of this process has it."""
    return next(_IDS)


@dataclass(frozen=True, slots=True)
class _Pending:
    method: str
    reply: asyncio.Future[JsonObject]
    on_progress: Callable[[JsonObject], None] | None


class Peer:
    """Matches replies to requests, and answers what the server asks.

    Args:
        transport: Not started yet.
        limits: Bounds on kept noise.
        on_noise: Called with each stdout line that is no JSON-RPC.
        on_notification: Called with method and params of each notification, except the progress
            of a request that has its own callback.
        evidence: Gives the last stderr lines for an error's details.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        limits: Limits = DEFAULT_LIMITS,
        on_noise: Callable[[str], None] | None = None,
        on_notification: Callable[[str, JsonObject], None] | None = None,
        evidence: Callable[[], Sequence[str]] = tuple,
    ):
        self.noise: list[str] = []
        self.evidence = evidence
        self.heard = False
        self._transport = transport
        self._limits = limits
        self._on_noise = on_noise
        self._on_notification = on_notification
        self._loop = asyncio.get_running_loop()
        self._pending: dict[int, _Pending] = {}
        self._background: set[asyncio.Task[None]] = set()
        self._gone: asyncio.Future[str] = self._loop.create_future()
        transport.start(self)

    @property
    def gone_reason(self) -> str | None:
        """Why the server is gone, or None while it is there."""
        return self._gone.result() if self._gone.done() else None

    async def wait_gone(self) -> str:
        """Wait until the server has ended; return why."""
        return await asyncio.shield(self._gone)

    async def request(
        self,
        method: str,
        params: JsonObject | None = None,
        *,
        request_id: int | None = None,
        timeout: float | None = None,
        on_progress: Callable[[JsonObject], None] | None = None,
        cancellable: bool = True,
    ) -> JsonObject:
        """Send a request and return its result as received.

        Args:
            method: The method.
            params: Its params.
            request_id: What `reserve_id` gave; None takes the next one.
            timeout: Seconds until the request fails; None waits for ever.
            on_progress: Called with the params of each progress notification.
            cancellable: Whether the server is told when nobody waits any more.

        Raises:
            RpcError: The server answered with an error.
            ServerError: The server is gone, was silent too long, or sent no proper answer.
        """
        if self._gone.done():
            raise self._lost()
        if request_id is None:
            request_id = reserve_id()
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": request_id, "method": method}
        body = dict(params or {})
        if on_progress is not None:
            body["_meta"] = {**_object(body.get("_meta")), "progressToken": request_id}
        if body or params is not None:
            message["params"] = body
        reply: asyncio.Future[JsonObject] = self._loop.create_future()
        self._pending[request_id] = _Pending(method, reply, on_progress)
        sent = False
        try:
            async with asyncio.timeout(timeout):
                await self._transport.send(message)
                sent = True
                return await reply
        except TimeoutError:
            reason = f'"{method}" was not answered within {timeout:g} s'
            raise ServerError(reason, details=self._details()) from None
        finally:
            del self._pending[request_id]
            if reply.cancel() or reply.cancelled():
                abandoned = self._transport.abandon(request_id)
                if sent and cancellable and not abandoned and not self._gone.done():
                    self._in_background(partial(self._cancel, request_id))
            else:
                # Marks the error as seen when it came together with a cancellation.
                reply.exception()

    async def notify(self, method: str, params: JsonObject | None = None) -> None:
        """Send a notification.

        Raises:
            ServerError: The server is gone.
        """
        if self._gone.done():
            raise self._lost()
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = dict(params)
        await self._transport.send(message)

    async def aclose(self) -> None:
        """Fail what is open and end the transport."""
        self.gone("the connection was closed")
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await self._transport.aclose()

    def received(self, message: dict[str, Any]) -> None:
        """Take one message of the server."""
        self.heard = True
        if isinstance(method := message.get("method"), str):
            if message.get("id") is None:
                self._notified(method, _object(message.get("params")))
            else:
                self._asked(method, message["id"])
        elif (pending := self._find(message.get("id"))) is not None and not pending.reply.done():
            _settle(pending, message)

    def failed(self, request_id: int | None, error: McpAppsError) -> None:
        """Fail one request; None means the only one that is open, if there is just one."""
        if request_id is None and len(self._pending) == 1:
            request_id = next(iter(self._pending))
        pending = self._pending.get(request_id or 0)
        if pending is not None and not pending.reply.done():
            pending.reply.set_exception(error)

    def unreadable(self, line: str) -> None:
        """Keep and report a line that is no JSON-RPC."""
        line = line[: self._limits.line_characters]
        if len(self.noise) < self._limits.noise_lines:
            self.noise.append(line)
        if self._on_noise is not None:
            self._loop.call_soon(self._on_noise, line)

    def gone(self, reason: str) -> None:
        """Fail everything that is open; nothing more will come."""
        if self._gone.done():
            return
        self._gone.set_result(reason)
        for pending in self._pending.values():
            if not pending.reply.done():
                pending.reply.set_exception(self._lost())

    def _find(self, reply_id: object) -> _Pending | None:
        # Some servers send an integer id back as text.
        if isinstance(reply_id, str) and reply_id.isascii() and reply_id.isdigit():
            reply_id = int(reply_id[:18])
        if isinstance(reply_id, int) and not isinstance(reply_id, bool):
            return self._pending.get(reply_id)
        return None

    def _notified(self, method: str, params: JsonObject) -> None:
        if method == wire.PROGRESS:
            pending = self._find(params.get("progressToken"))
            if pending is not None and pending.on_progress is not None:
                # Through the loop, so that a fault in the callback does not end the reading.
                self._loop.call_soon(pending.on_progress, params)
                return
        if self._on_notification is not None:
            self._loop.call_soon(self._on_notification, method, params)

    def _asked(self, method: str, request_id: object) -> None:
        if (own := self._find(request_id)) is not None and own.method == method != wire.PING:
            # What a program like `cat` does, or a terminal that echoes.
            if not own.reply.done():
                own.reply.set_exception(ServerError(_ECHO, help=_ECHO_HELP))
            return
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": request_id}
        if method == wire.PING:
            answer["result"] = {}
        else:
            text = f"this client does not offer {method}"
            answer["error"] = {"code": wire.METHOD_NOT_FOUND, "message": text}
        if len(self._background) < _UNSENT_REPLIES:
            self._in_background(partial(self._transport.send, answer))

    async def _cancel(self, request_id: int) -> None:
        async with asyncio.timeout(_CANCEL_SECONDS):
            params = {"requestId": request_id, "reason": "nobody waits for the answer any more"}
            await self.notify(wire.CANCELLED, params)

    def _in_background(self, work: Callable[[], Awaitable[None]]) -> None:
        async def run() -> None:
            try:
                await work()
            except (ServerError, TimeoutError):
                # Nobody waits for it, and whoever asks next is told.
                return

        task = asyncio.create_task(run())
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def _lost(self) -> ServerError:
        return ServerError(self._gone.result(), details=self._details())

    def _details(self) -> tuple[str, ...]:
        return tuple(self.evidence())


def _settle(pending: _Pending, message: dict[str, Any]) -> None:
    if message.get("error") is not None:
        pending.reply.set_exception(_rpc_error(message["error"]))
    elif isinstance(message.get("result"), dict):
        pending.reply.set_result(message["result"])
    elif "result" in message:
        reason = f'the result of "{pending.method}" is not an object'
        pending.reply.set_exception(ServerError(reason))
    else:
        reason = f'the answer to "{pending.method}" has neither a result nor an error'
        pending.reply.set_exception(ServerError(reason))


def _rpc_error(error: object) -> RpcError:
    fields = _object(error)
    code, text = fields.get("code"), fields.get("message")
    return RpcError(
        code if isinstance(code, int) else wire.INTERNAL_ERROR,
        text if isinstance(text, str) else cut(str(error)),
        fields.get("data"),
    )


def _object(value: object) -> JsonObject:
    return value if isinstance(value, dict) else {}
