"""A server that is started here and then reached over HTTP: its port, and until it listens."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from mcpapps_cli.errors import ServerError
from mcpapps_cli.model import ServerSpec

if TYPE_CHECKING:
    from mcpapps_cli.rpc.client import Client
    from mcpapps_cli.rpc.process import ServerProcess

_FIRST_RETRY: Final = 0.02
_LAST_RETRY: Final = 0.25
"""Seconds between two looks whether the server listens already."""
_LINES: Final = 20


def with_port(spec: ServerSpec) -> tuple[ServerSpec, int | None]:
    """Return the server with a free port in place of `{port}`, and in its environment."""
    if spec.url is None or not any("{port}" in word for word in (spec.url, *spec.command)):
        return spec, None
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = tuple(word.replace("{port}", port) for word in spec.command)
    env = {**spec.env, "PORT": port, "FASTMCP_PORT": port}
    return replace(spec, command=command, env=env), int(port)


def at_port(spec: ServerSpec, port: int | None) -> ServerSpec:
    """Return where a started server is reached."""
    return replace(spec, url=str(spec.url).replace("{port}", str(port)), command=())


async def when_it_listens(
    stack: contextlib.AsyncExitStack,
    connect: Callable[[], AbstractAsyncContextManager[Client]],
    process: ServerProcess,
    *,
    label: str,
    timeout: float,
) -> Client:
    """Return the first connection that succeeds.

    Args:
        stack: Gets the connection.
        connect: Tries once.
        process: The started server.
        label: How it is shown.
        timeout: Seconds until the last try.

    Raises:
        ServerError: it ended, or did not listen in time; `details` has its last stderr lines.
    """
    pause = _FIRST_RETRY
    deadline = asyncio.get_running_loop().time() + timeout
    while True:
        try:
            return await stack.enter_async_context(connect())
        except ServerError as error:
            details = tuple(process.stderr_tail[-_LINES:])
            if process.returncode is not None:
                reason = (await process.wait_end()).removeprefix("the server ")
                raise ServerError(
                    f'server "{label}" {reason} before it answered',
                    help="correct what its stderr shows",
                    details=details,
                ) from error
            if asyncio.get_running_loop().time() > deadline:
                raise ServerError(error.message, help=error.help, details=details) from error
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LAST_RETRY)


async def drain(process: ServerProcess, report: Callable[[str], None]) -> None:
    """Take the stdout of an HTTP server, which carries no protocol, until it ends."""
    with contextlib.suppress(OSError, ValueError):
        while line := await process.stdout.readline():
            report(line.decode(errors="replace").rstrip())
