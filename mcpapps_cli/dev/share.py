"""The current server, whichever it is, as one MCP endpoint that stays while it is reloaded."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from mcpapps_cli import wire
from mcpapps_cli.dev.supervisor import Supervisor
from mcpapps_cli.errors import McpAppsError, RpcError
from mcpapps_cli.model import JsonObject

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import Receive, Scope, Send

FIRST_PORT = 8000
"""Where the search for a free port begins."""
BODY_MAX = 16 * 2**20
"""Bytes of one request."""

_LISTS = ("tools", "resources", "prompts")


class Share:
    """Serves streamable HTTP at `/mcp/<token>` on loopback while it is entered, in both eras.

    A request goes to the server that is current when it comes. After a reload every connected
    client is told that the lists may have changed.

    Args:
        supervisor: Where requests go.

    Attributes:
        url: The endpoint, once entered.
    """

    url: str

    def __init__(self, supervisor: Supervisor):
        self._supervisor = supervisor
        self._token = secrets.token_urlsafe(24)
        self._listeners: set[asyncio.Queue[JsonObject | None]] = set()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Bind a port and begin to serve."""
        from mcpapps_cli.stage.loopback import IPV4, bind, serve

        async with self._stack:
            port, bound = bind((IPV4,), None, first=FIRST_PORT)
            sockets = [self._stack.enter_context(_as_tcp(sock)) for sock in bound]
            self._host = f"{IPV4}:{port}"
            self.url = f"http://{self._host}/mcp/{self._token}"
            await self._stack.enter_async_context(serve((self, sockets)))
            self._stack.callback(self._end_listeners)
            self._stack = self._stack.pop_all()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End every connection and free the port."""
        await self._stack.aclose()

    def announce(self) -> None:
        """Tell every client that the lists may have changed."""
        for name in _LISTS:
            self.notify(f"notifications/{name}/list_changed", {})

    def notify(self, method: str, params: JsonObject) -> None:
        """Pass a notification of the server on to every client that listens."""
        for queue in self._listeners:
            queue.put_nowait({"jsonrpc": "2.0", "method": method, "params": dict(params)})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        from starlette.requests import Request

        if scope["type"] != "http":
            return
        response = await self._answer(Request(scope, receive))
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        from starlette.responses import JSONResponse, Response, StreamingResponse

        if request.headers.get("host") not in (
            self._host,
            self._host.replace("127.0.0.1", "localhost"),
        ):
            return Response(status_code=421)
        if not secrets.compare_digest(request.url.path, f"/mcp/{self._token}"):
            return Response(status_code=404)
        # Pages in a browser have no business here, wherever they come from.
        if request.headers.get("origin"):
            return Response(status_code=403)
        if request.method == "GET":
            return StreamingResponse(self._events(), media_type="text/event-stream")
        if request.method == "DELETE":
            return Response(status_code=204)
        if request.method != "POST":
            return Response(status_code=405)
        message = await _read(request)
        if message is None:
            return JSONResponse(_error(None, -32700, "Parse error"), status_code=400)
        if message.get("id") is None or "method" not in message:
            return Response(status_code=202)
        return JSONResponse(await self._reply(message))

    async def _reply(self, message: dict[str, Any]) -> dict[str, Any]:
        request_id, method = message["id"], str(message["method"])
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        if method == wire.PING:
            return _result(request_id, {})
        try:
            if method == wire.INITIALIZE:
                return _result(request_id, self._welcome(params))
            if method == wire.DISCOVER:
                return _result(request_id, self._discovered())
            return _result(request_id, await self._supervisor.request(method, _own(params)))
        except RpcError as exc:
            return _error(request_id, exc.code, exc.message, exc.data)
        except McpAppsError as exc:
            return _error(request_id, wire.INTERNAL_ERROR, exc.message)

    def _welcome(self, params: JsonObject) -> dict[str, Any]:
        inventory = self._supervisor.inventory()
        version = params.get("protocolVersion")
        return {
            "protocolVersion": version
            if version in wire.CORE_HANDSHAKE_VERSIONS
            else wire.CORE_LEGACY,
            "serverInfo": dict(inventory.server_info)
            or {"name": self._supervisor.name, "version": "0"},
            "capabilities": _listening(inventory.capabilities),
        }

    def _discovered(self) -> dict[str, Any]:
        inventory = self._supervisor.inventory()
        return {
            "resultType": "complete",
            "ttlMs": 0,
            "cacheScope": "private",
            "supportedVersions": [wire.CORE_MODERN],
            "capabilities": _listening(inventory.capabilities),
            "_meta": {wire.META_SERVER_INFO: dict(inventory.server_info)},
        }

    async def _events(self) -> AsyncIterator[str]:
        queue: asyncio.Queue[JsonObject | None] = asyncio.Queue()
        self._listeners.add(queue)
        try:
            while (message := await queue.get()) is not None:
                yield f"event: message\ndata: {json.dumps(message)}\n\n"
        finally:
            self._listeners.discard(queue)

    def _end_listeners(self) -> None:
        for queue in self._listeners:
            queue.put_nowait(None)


def _as_tcp(sock: socket.socket) -> socket.socket:
    """Return a socket that says it is TCP: only then asyncio sends small answers at once."""
    kind, family = sock.type, sock.family
    return socket.socket(family, kind, socket.IPPROTO_TCP, fileno=sock.detach())


async def _read(request: Request) -> dict[str, Any] | None:
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > BODY_MAX:
            return None
    try:
        message = json.loads(data)
    except ValueError:
        return None
    return message if isinstance(message, dict) else None


def _own(params: dict[str, Any]) -> dict[str, Any]:
    """Return params without what the other client said about itself; our client says its own."""
    meta = params.get("_meta")
    if not isinstance(meta, dict):
        return params
    own = (wire.META_PROTOCOL_VERSION, wire.META_CLIENT_INFO, wire.META_CLIENT_CAPABILITIES)
    rest = {key: value for key, value in meta.items() if key not in (*own, "progressToken")}
    return {**params, "_meta": rest}


def _listening(capabilities: JsonObject) -> dict[str, Any]:
    lists = {
        name: {**value, "listChanged": True}
        for name, value in capabilities.items()
        if name in _LISTS and isinstance(value, dict)
    }
    return {**capabilities, **lists}


def _result(request_id: Any, result: JsonObject) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "result": dict(result)}


def _error(request_id: Any, code: int, message: str, data: Any = None) -> dict[str, Any]:
    error = {"code": code, "message": message, **({} if data is None else {"data": data})}
    return {"jsonrpc": "2.0", "id": request_id, "error": error}
