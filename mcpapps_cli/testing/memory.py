"""A server object of this process, spoken to through the SDK without a process or a socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any, Final

from mcpapps_cli.errors import ServerError, UserError
from mcpapps_cli.model import EraChoice
from mcpapps_cli.rpc import Client, converse
from mcpapps_cli.rpc.transport import Receiver

_INNER: Final = ("_lowlevel_server", "_mcp_server")
"""Where the low-level server is in `MCPServer` of mcp 2, and in the `FastMCP` of both kinds."""


@asynccontextmanager
async def connect_in_memory(
    server: Any, *, era: EraChoice = "auto", timeout: float = 15.0
) -> AsyncIterator[Client]:
    """Run a server object in a task, and shake hands with it.

    Args:
        server: An `MCPServer`, a `FastMCP` or a low-level `Server`, or a function that makes one.
        era: Which handshake to use.
        timeout: Seconds for the handshake.

    Raises:
        ServerError: it does not speak MCP.
        UserError: it is no server, or the SDK is not installed.
    """
    low_level, around = _read(server)
    transport = _Lines()
    task = asyncio.create_task(_serve(low_level, around, transport))
    try:
        async with converse(transport, era=era, timeout=timeout) as client:
            yield client
    finally:
        transport.end()
        task.cancel()
        await asyncio.wait([task])


def in_memory(value: object) -> bool:
    """Whether a value is something other than the name of a server."""
    return value is not None and not isinstance(value, str | Path)


def _read(server: Any) -> tuple[Any, AbstractAsyncContextManager[Any]]:
    if not _serves(server) and callable(server) and not isinstance(server, type):
        server = server()
    if not _serves(server):
        raise UserError(
            f'"{type(server).__name__}" is no MCP server object',
            help="give an MCPServer, a FastMCP or a low-level Server, or the TARGET as a string",
        )
    if hasattr(server, "create_initialization_options"):
        return server, nullcontext()
    low_level = next(getattr(server, name) for name in _INNER if hasattr(server, name))
    # FastMCP enters the lifespan of its server outside the low-level one.
    manager = getattr(server, "_lifespan_manager", None)
    return low_level, nullcontext() if manager is None else manager()


def _serves(server: object) -> bool:
    return any(hasattr(server, name) for name in ("create_initialization_options", *_INNER))


async def _serve(low_level: Any, around: AbstractAsyncContextManager[Any], lines: _Lines) -> None:
    from mcp.server.stdio import stdio_server

    # Of a file the SDK wants no more than to read its lines, to write and to flush.
    pipes: Any = lines
    try:
        async with around, stdio_server(stdin=pipes, stdout=pipes) as (read, write):
            await low_level.run(read, write, low_level.create_initialization_options())
    except Exception as exc:
        lines.end(f"the server failed: {exc!r}")
    else:
        lines.end()


class _Lines:
    """A transport for our client, and stdin and stdout for the SDK's server."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._receiver: Receiver | None = None
        self._ended = ""

    def start(self, receiver: Receiver) -> None:
        self._receiver = receiver
        if self._ended:
            receiver.gone(self._ended)

    async def send(self, message: dict[str, Any]) -> None:
        if self._ended:
            raise ServerError(self._ended)
        self._lines.put_nowait(json.dumps(message) + "\n")

    def abandon(self, request_id: int) -> bool:
        return False

    async def aclose(self) -> None:
        self.end()

    def end(self, reason: str = "the server ended") -> None:
        if not self._ended:
            self._ended = reason
            self._lines.put_nowait(None)
            if self._receiver is not None:
                self._receiver.gone(reason)

    def __aiter__(self) -> _Lines:
        return self

    async def __anext__(self) -> str:
        line = await self._lines.get()
        if line is None:
            raise StopAsyncIteration
        return line

    async def write(self, text: str) -> None:
        if self._receiver is not None:
            self._receiver.received(json.loads(text))

    async def flush(self) -> None:
        return
