"""Loopback sockets, and ASGI applications served on them inside this process."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import AsyncIterator, Generator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import uvicorn

from mcpapps_cli.errors import PortTaken

if TYPE_CHECKING:
    from starlette.types import ASGIApp

FIRST_PORT = 5173
"""Where the search for a free port begins."""
PORTS_TRIED = 100
IPV4 = "127.0.0.1"
IPV6 = "::1"
MESSAGE_MAX = 16 * 2**20
"""Bytes of one WebSocket message from the page; the page itself stops at a quarter of it."""


def bind(
    hosts: Sequence[str], port: int | None, *, first: int = FIRST_PORT, option: str = "--port"
) -> tuple[int, tuple[socket.socket, ...]]:
    """Listen on one port of several loopback addresses.

    Args:
        hosts: Addresses; an IPv6 one is left out where the machine has no IPv6 loopback.
        port: A port that must be had; 0 is any; None looks from `first` upwards.
        first: The first port tried when `port` is None.
        option: The option named when an explicit port is taken.

    Returns:
        The port and its listening sockets, in the order of `hosts`.

    Raises:
        PortTaken: an explicit port is in use.
    """
    for candidate in _candidates(port, first):
        sockets = _listen(hosts, candidate)
        if sockets:
            return sockets[0].getsockname()[1], sockets
    raise PortTaken(
        f"port {port if port is not None else first} is in use",
        help=f"pass another {option}, or stop the program that holds it",
    )


def _candidates(port: int | None, first: int) -> Iterable[int]:
    if port is not None:
        # With 0 the second address may find the first one's port taken.
        return (0,) * 20 if port == 0 else (port,)
    return (*range(first, min(first + PORTS_TRIED, 65536)), *(0,) * 20)


def _listen(hosts: Sequence[str], port: int) -> tuple[socket.socket, ...]:
    """Return one socket for each host, or none at all."""
    with contextlib.ExitStack() as stack:
        sockets: list[socket.socket] = []
        for host in hosts:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            if family == socket.AF_INET6 and not _has_ipv6():
                continue
            # asyncio turns Nagle's algorithm off only where the protocol is named.
            sock = stack.enter_context(
                socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
            )
            if sys.platform == "win32":
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
            else:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            try:
                sock.bind((host, port))
                sock.listen(128)
            except OSError:
                return ()
            port = sock.getsockname()[1]
            sockets.append(sock)
        stack.pop_all()
        return tuple(sockets)


def _has_ipv6() -> bool:
    if not socket.has_ipv6:
        return False
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind((IPV6, 0))
    except OSError:
        return False
    return True


class _Server(uvicorn.Server):
    """A server inside somebody else's process: signals are not its business."""

    def __init__(self, config: uvicorn.Config):
        super().__init__(config)
        self.listening = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self.listening.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


@asynccontextmanager
async def serve(*apps: tuple[ASGIApp, Sequence[socket.socket]]) -> AsyncIterator[None]:
    """Serve ASGI applications on listening sockets while the block runs, then close them."""
    servers = [_Server(_config(app)) for app, _ in apps]
    tasks = [
        asyncio.create_task(server.serve(sockets=list(sockets)))
        for server, (_, sockets) in zip(servers, apps, strict=True)
    ]
    try:
        for server in servers:
            await server.listening.wait()
        yield
    finally:
        for server in servers:
            server.should_exit = True
        await asyncio.gather(*tasks)


def _config(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        lifespan="off",
        log_config=None,
        access_log=False,
        log_level="critical",
        server_header=False,
        date_header=False,
        proxy_headers=False,
        ws_max_size=MESSAGE_MAX,
        # Loopback: compressing costs more time than it saves.
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
    )
