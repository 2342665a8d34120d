"""The host origin: the page's files, its WebSocket, and who may reach them."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.websockets import WebSocket

from mcpapps_cli.resources import bridge_dir
from mcpapps_cli.stage.address import LOOPBACK, Addresses

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}


class HostOrigin:
    """The ASGI application of the host origin.

    A request is answered only when its `Host` is this origin (else 421), its `Origin`, if any,
    is this origin (else 403), and it brings the token: once in the URL, from then on in an
    HttpOnly cookie whose name contains the port, for cookies ignore ports (else 403).

    Args:
        port: The port of 127.0.0.1 it is served on.
        sandbox_port: The port of the only origin whose pages may be framed.
        on_page: Serves one accepted WebSocket until it closes.
        folder: The page's files; nothing outside is ever opened.
        token: The secret of this stage.
        addresses: How a browser elsewhere reaches the two origins.
    """

    def __init__(
        self,
        port: int,
        sandbox_port: int,
        *,
        on_page: Callable[[WebSocket], Awaitable[None]],
        folder: Path | None = None,
        token: str | None = None,
        addresses: Addresses = LOOPBACK,
    ):
        self._loopback = f"http://127.0.0.1:{port}"
        self.origin = addresses.public_origin or self._loopback
        self._addresses = addresses
        self.token = token or secrets.token_urlsafe(24)
        self._host = f"127.0.0.1:{port}"
        self._cookie = f"mcpapps_{port}"
        self._on_page = on_page
        self._folder = folder or bridge_dir() / "inspector"
        self._files = _list_files(self._folder)
        sandbox = (
            addresses.sandbox_origin
            or f"http://localhost:{sandbox_port} http://*.localhost:{sandbox_port}"
        )
        socket = self.origin.replace("http", "ws", 1)
        self._policy = (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            f"connect-src 'self' {socket}; frame-src {sandbox}; base-uri 'none'; "
            "form-action 'none'; frame-ancestors 'none'"
        )

    @property
    def url(self) -> str:
        """The page's address, with the token."""
        return f"{self.origin}/?token={self.token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request or serve one page's WebSocket."""
        if scope["type"] == "websocket":
            await self._socket(WebSocket(scope, receive, send))
            return
        connection = HTTPConnection(scope)
        response = self._refusal(connection, needs_origin=False) or self._answer(connection)
        await response(scope, receive, send)

    async def _socket(self, socket: WebSocket) -> None:
        refusal = self._refusal(socket, needs_origin=True)
        if refusal is None and socket.scope["path"] != "/socket":
            refusal = PlainTextResponse("not found", status_code=404)
        if refusal is not None:
            await socket.send_denial_response(refusal)
            return
        await socket.accept()
        await self._on_page(socket)

    def _refusal(self, connection: HTTPConnection, *, needs_origin: bool) -> Response | None:
        host = connection.headers.get("host", "").lower()
        if host != self._host and not self._addresses.allows(host):
            return PlainTextResponse("wrong host", status_code=421)
        origin = connection.headers.get("origin")
        ours = (self.origin, self._loopback, *_origins_of(self._addresses.allow_hosts, host))
        if origin not in ours and (needs_origin or origin is not None):
            return PlainTextResponse("foreign origin", status_code=403)
        if not self._has_cookie(connection.headers) and not self._has_token(connection):
            return PlainTextResponse(
                "the token is missing: open the address that mcpapps printed\n", status_code=403
            )
        return None

    def _answer(self, connection: HTTPConnection) -> Response:
        if connection.scope["method"] not in {"GET", "HEAD"}:
            return PlainTextResponse("only GET", status_code=405, headers={"Allow": "GET, HEAD"})
        path = connection.scope["path"]
        file = self._files.get("index.html" if path == "/" else path.removeprefix("/"))
        if file is None:
            return PlainTextResponse("not found", status_code=404)
        response = Response(
            file.read_bytes(),
            headers={
                "Content-Type": _TYPES[file.suffix],
                "Content-Security-Policy": self._policy,
                "X-Content-Type-Options": "nosniff",
                "Referrer-Policy": "no-referrer",
                "Cross-Origin-Opener-Policy": "same-origin",
                "Cross-Origin-Resource-Policy": "same-origin",
                "Cache-Control": "no-store",
            },
        )
        if path == "/" and self._has_token(connection):
            # Served at once, without a redirect: a strict cookie would not come along on one
            # that started from a link on another site. The page removes the token itself.
            response.set_cookie(
                self._cookie,
                self.token,
                path="/",
                httponly=True,
                samesite="strict",
                secure=self.origin.startswith("https:"),
            )
        return response

    def _has_token(self, connection: HTTPConnection) -> bool:
        if connection.scope["path"] != "/":
            return False
        given = parse_qs(connection.url.query).get("token", [])
        return any(_equal(value, self.token) for value in given)

    def _has_cookie(self, headers: Headers) -> bool:
        pairs = (
            pair.strip().partition("=")
            for line in headers.getlist("cookie")
            for pair in line.split(";")
        )
        return any(name == self._cookie and _equal(value, self.token) for name, _, value in pairs)


def _origins_of(allowed: tuple[str, ...], host: str) -> tuple[str, ...]:
    """Return the origins of an allowed host that a request names."""
    names = {name.lower() for name in allowed}
    if host in names or host.rpartition(":")[0] in names:
        return (f"http://{host}", f"https://{host}")
    return ()


def _equal(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(), expected.encode())


def _list_files(folder: Path) -> dict[str, Path]:
    """Return the servable files by URL path: a path that is not listed is never opened."""
    return {
        file.relative_to(folder).as_posix(): file
        for file in sorted(folder.rglob("*"))
        if file.suffix in _TYPES and file.is_file()
    }
