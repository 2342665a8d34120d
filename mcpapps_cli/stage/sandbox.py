"""The sandbox origin: one proxy page per mounted View, its policy as a header, its reports."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from mcpapps_cli.host.event import Violation
from mcpapps_cli.resources import bridge_dir
from mcpapps_cli.stage.address import LOOPBACK, Addresses
from mcpapps_cli.stage.probe import Splice
from mcpapps_cli.stage.report import TEXT_MAX, read_report

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

REPORT_MAX = 64 * 2**10
"""Bytes of one violation report."""
REPORT_BURST = 200
REPORT_RATE = 20.0
"""Reports per second and View once the burst is used up."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One proxy page.

    Attributes:
        key: Unguessable path of the page; the View can read it from its base URL.
        channel: Secret that marks what the proxy and the probe say of their own; the View under
            an opaque origin cannot read it.
        policy: The View's Content-Security-Policy.
        allow: The `allow` attribute of the inner frame.
        probe: What goes into the document; None leaves it byte for byte.
        on_violation: Called with every violation the browser reports.
        on_missing: Called with every path the View asked of its own origin.
    """

    key: str
    channel: str
    policy: str
    allow: str
    probe: Splice | None
    on_violation: Callable[[Violation], None]
    on_missing: Callable[[str], None]


@dataclass(slots=True)
class _Allowance:
    """A token bucket."""

    clock: Callable[[], float]
    left: float = REPORT_BURST
    at: float = field(init=False)

    def __post_init__(self) -> None:
        self.at = self.clock()

    def take(self) -> bool:
        now = self.clock()
        self.left = min(REPORT_BURST, self.left + (now - self.at) * REPORT_RATE)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Sandbox:
    """The ASGI application of the sandbox origin; it knows no secret of the host's.

    Args:
        port: The port it is served on; only requests for `localhost` and its subdomains on that
            port are answered.
        host_origin: The only page that may frame a proxy page.
        on_stray: Called with a path that cannot be told to belong to one View.
        addresses: How a browser elsewhere reaches it.
        clock: Seconds that never go back.

    Attributes:
        origin: Where a browser finds it.
    """

    def __init__(
        self,
        port: int,
        host_origin: str,
        *,
        on_stray: Callable[[str], None] = lambda path: None,
        addresses: Addresses = LOOPBACK,
        clock: Callable[[], float] = time.monotonic,
    ):
        self.port = port
        self.origin = addresses.sandbox_origin or f"http://localhost:{port}"
        self._addresses = addresses
        self.host_origin = host_origin
        self._on_stray = on_stray
        self._clock = clock
        self._frames: dict[str, tuple[Frame, _Allowance]] = {}

    def open(self, frame: Frame) -> None:
        """Serve a proxy page from now on."""
        self._frames[frame.key] = (frame, _Allowance(self._clock))

    def close(self, key: str) -> None:
        """Forget a proxy page; its late reports are answered 404."""
        self._frames.pop(key, None)

    def url(self, key: str, *, subdomain: str | None = None) -> str:
        """Return the address of a proxy page, on a subdomain when the View has its own origin.

        A forwarded port has no subdomains, so that there no View may have one (`Emulation`).
        """
        if subdomain is None:
            return f"{self.origin}/{key}/"
        return f"http://{subdomain}.localhost:{self.port}/{key}/"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; no WebSocket is ever accepted."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        response = await self._answer(Request(scope, receive))
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Cache-Control"] = "no-store"
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        host = request.headers.get("host", "").lower()
        name, _, port = host.partition(":")
        ours = (name == "localhost" or name.endswith(".localhost")) and port == str(self.port)
        if not ours and not self._addresses.allows(host):
            return PlainTextResponse("wrong host", status_code=421)
        key, slash, rest = request.url.path.lstrip("/").partition("/")
        frame, allowance = self._frames.get(key, (None, None))
        if frame is None or allowance is None:
            self._stray(request.url.path)
            return PlainTextResponse("not found", status_code=404)
        if rest == "" and slash and request.method in {"GET", "HEAD"}:
            return self._page(frame)
        if rest == "report" and request.method == "POST":
            return await self._report(request, frame, allowance)
        if allowance.take():
            frame.on_missing(rest[:TEXT_MAX])
        return PlainTextResponse("not found", status_code=404)

    def _stray(self, path: str) -> None:
        # A root-relative URL carries no key, and an opaque origin sends no path as referrer.
        frames = list(self._frames.values())
        # One View may have a second page in reserve.
        if len({frame.on_missing for frame, _ in frames}) != 1:
            self._on_stray(path[:TEXT_MAX])
            return
        frame, allowance = frames[0]
        if allowance.take():
            frame.on_missing(path[:TEXT_MAX])

    def _page(self, frame: Frame) -> Response:
        response = HTMLResponse(_proxy_page(self.host_origin, frame))
        report = f"{self.origin}/{frame.key}/report"
        response.headers["Content-Security-Policy"] = f"{frame.policy}; report-uri {report}"
        # A second policy, so that the first stays exactly what the View's metadata asks for.
        response.headers.append("Content-Security-Policy", f"frame-ancestors {self.host_origin}")
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return response

    async def _report(self, request: Request, frame: Frame, allowance: _Allowance) -> Response:
        if not allowance.take():
            return PlainTextResponse("too many reports", status_code=429)
        body = bytearray()
        try:
            async for chunk in request.stream():
                body += chunk
                if len(body) > REPORT_MAX:
                    return PlainTextResponse("report too large", status_code=413)
        except ClientDisconnect:
            return Response(status_code=400)
        for violation in read_report(bytes(body)):
            frame.on_violation(violation)
        return Response(status_code=204)


def _proxy_page(host_origin: str, frame: Frame) -> str:
    config = {
        "host": host_origin,
        "channel": frame.channel,
        "allow": frame.allow,
        "probe": frame.probe and {"at": frame.probe.at, "text": frame.probe.text},
    }
    # Inside a script element, even one that holds data, `<` could begin its end tag.
    data = json.dumps(config).replace("<", "\\u003c")
    page = _asset("proxy.html").replace("/*proxy*/", _asset("proxy.js"))
    return page.replace("/*config*/", data)


@cache
def _asset(name: str) -> str:
    return (bridge_dir() / "sandbox" / name).read_text(encoding="utf-8")


def own_subdomain(server: str, uri: str) -> str:
    """Return the label under `localhost` that a View with its own origin always gets."""
    return "v" + hashlib.sha256(f"{server}\n{uri}".encode()).hexdigest()[:24]
