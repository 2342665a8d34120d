"""The current server, whichever it is, as one MCP endpoint that stays while it is reloaded."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
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

_EVENTS = "text/event-stream"
_LIST_FILTERS = {
    "toolsListChanged": wire.TOOLS_LIST_CHANGED,
    "promptsListChanged": wire.PROMPTS_LIST_CHANGED,
    "resourcesListChanged": wire.RESOURCES_LIST_CHANGED,
}
"""What a client may ask to be told (2026-07-28, `subscriptions/listen`)."""

_LISTS = ("tools", "resources", "prompts")


@dataclass(eq=False, slots=True)
class _Listener:
    """One client's open stream.

    Attributes:
        methods: The notifications it asked for; None means all, as before 2026-07-28.
        meta: What each message to it carries.
    """

    methods: frozenset[str] | None = None
    meta: JsonObject = field(default_factory=dict)
    queue: asyncio.Queue[dict[str, Any] | None] = field(default_factory=asyncio.Queue)

    def take(self, method: str, params: JsonObject) -> None:
        if self.methods is not None:
            if method not in self.methods:
                return
            params = {**params, "_meta": {**params.get("_meta", {}), **self.meta}}
        self.queue.put_nowait({"jsonrpc": "2.0", "method": method, "params": dict(params)})


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
        self._listeners: set[_Listener] = set()
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
        for listener in self._listeners:
            listener.take(method, params)

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
            return StreamingResponse(self._events(_Listener()), media_type=_EVENTS)
        if request.method == "DELETE":
            return Response(status_code=204)
        if request.method != "POST":
            return Response(status_code=405)
        message = await _read(request)
        if message is None:
            return JSONResponse(_error(None, wire.PARSE_ERROR, "Parse error"), status_code=400)
        if message.get("id") is None or "method" not in message:
            return Response(status_code=202)
        if message["method"] == wire.SUBSCRIPTIONS_LISTEN:
            return StreamingResponse(self._subscribed(message), media_type=_EVENTS)
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
            "capabilities": _unsubscribed(_listening(inventory.capabilities)),
            "_meta": {wire.META_SERVER_INFO: dict(inventory.server_info)},
        }

    async def _subscribed(self, message: dict[str, Any]) -> AsyncIterator[str]:
        """Serve one `subscriptions/listen` (2026-07-28): its answer is the stream itself."""
        params = message.get("params")
        wanted = params.get("notifications") if isinstance(params, dict) else None
        wanted = wanted if isinstance(wanted, dict) else {}
        # Updates of single resources would need a subscription at a server that is replaced.
        honored = {key: True for key in _LIST_FILTERS if wanted.get(key) is True}
        meta = {wire.META_SUBSCRIPTION_ID: message["id"]}
        listener = _Listener(frozenset(_LIST_FILTERS[key] for key in honored), meta)
        acknowledged = {"notifications": honored, "_meta": meta}
        method = wire.SUBSCRIPTIONS_ACKNOWLEDGED
        yield _event({"jsonrpc": "2.0", "method": method, "params": acknowledged})
        async for event in self._events(listener):
            yield event
        yield _event(_result(message["id"], {"resultType": "complete", "_meta": meta}))

    async def _events(self, listener: _Listener) -> AsyncIterator[str]:
        self._listeners.add(listener)
        try:
            while (message := await listener.queue.get()) is not None:
                yield _event(message)
        finally:
            self._listeners.discard(listener)

    def _end_listeners(self) -> None:
        for listener in self._listeners:
            listener.queue.put_nowait(None)


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


def _unsubscribed(capabilities: JsonObject) -> dict[str, Any]:
    resources = capabilities.get("resources")
    if not isinstance(resources, dict):
        return dict(capabilities)
    return {**capabilities, "resources": {**resources, "subscribe": False}}


def _event(message: JsonObject) -> str:
    return f"event: message\ndata: {json.dumps(message)}\n\n"


def _result(request_id: Any, result: JsonObject) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "result": dict(result)}


def _error(request_id: Any, code: int, message: str, data: Any = None) -> dict[str, Any]:
    error = {"code": code, "message": message, **({} if data is None else {"data": data})}
    return {"jsonrpc": "2.0", "id": request_id, "error": error}
