"""JSON-RPC over a pair of pipes, one message a line."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from mcpapps_cli.errors import ServerError
from mcpapps_cli.rpc.framing import (
    Line,
    LineSplitter,
    Overlong,
    decode,
    encode,
    overlong_id,
    unreadable_reply,
)
from mcpapps_cli.rpc.limits import DEFAULT_LIMITS, Limits
from mcpapps_cli.rpc.transport import Receiver

_CHUNK = 2**18
# A child of the server may hold the pipe open after the server itself has ended.
_DRAIN_SECONDS = 0.5
_EXIT_SECONDS = 1.0
_CLOSED = "the server closed its stdout"


class StdioTransport:
    """Speaks over streams that the caller opened and will close.

    Args:
        reader: The server's stdout.
        writer: The server's stdin.
        limits: Bounds on what is read.
        wait_end: Waits for the end of the process behind the streams and describes it, as in
            `the server ended with exit code 1`; None when there is no process to wait for.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        limits: Limits = DEFAULT_LIMITS,
        wait_end: Callable[[], Awaitable[str]] | None = None,
    ):
        self._reader = reader
        self._writer = writer
        self._limits = limits
        self._wait_end = wait_end
        self._writing = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self, receiver: Receiver) -> None:
        """Begin to read."""
        reading = asyncio.create_task(self._read(receiver))
        self._tasks.append(asyncio.create_task(self._watch(reading, receiver)))
        self._tasks.append(reading)

    async def send(self, message: dict[str, Any]) -> None:
        """Write one message; waits while an earlier one is still in the pipe."""
        data = encode(message) + b"\n"
        try:
            async with self._writing:
                # Draining first bounds the buffer to one message when the server does not read,
                # and a caller that gives up here has written nothing.
                await self._writer.drain()
                if self._writer.is_closing():
                    raise ConnectionResetError
                self._writer.write(data)
        except OSError as error:
            # A server that has ended is a better reason than its pipe, and is known in a moment.
            await asyncio.wait(self._tasks[:1], timeout=_DRAIN_SECONDS + _EXIT_SECONDS)
            raise ServerError("the server closed its stdin") from error

    def abandon(self, request_id: int) -> bool:
        """Return False: only a notification cancels a request here."""
        return False

    async def aclose(self) -> None:
        """Stop reading; the streams stay the caller's."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _watch(self, reading: asyncio.Task[None], receiver: Receiver) -> None:
        if self._wait_end is None:
            await asyncio.wait({reading})
            receiver.gone(_CLOSED)
            return
        ending = asyncio.ensure_future(self._wait_end())
        try:
            await asyncio.wait({reading, ending}, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait({reading}, timeout=_DRAIN_SECONDS)
            await asyncio.wait({ending}, timeout=_EXIT_SECONDS)
            receiver.gone(ending.result() if ending.done() else _CLOSED)
        finally:
            ending.cancel()
            reading.cancel()

    async def _read(self, receiver: Receiver) -> None:
        splitter = LineSplitter(self._limits.message_bytes)
        try:
            while chunk := await self._reader.read(_CHUNK):
                for line in splitter.feed(chunk):
                    self._take(line, receiver)
        except OSError:
            pass
        for line in splitter.finish():
            self._take(line, receiver)

    def _take(self, line: Line | Overlong, receiver: Receiver) -> None:
        if isinstance(line, Overlong):
            self._take_overlong(line, receiver)
        elif (messages := decode(line.data)) is not None:
            for message in messages:
                receiver.received(message)
        elif line.data.strip():
            receiver.unreadable(
                line.data[: 4 * self._limits.line_characters].decode(errors="replace")
            )
            if (reply := unreadable_reply(line.data)) is not None:
                # Nothing more will come for that request, so nobody needs to wait for it.
                request_id, why = reply
                receiver.failed(request_id, ServerError(f"the answer cannot be read: {why}"))

    def _take_overlong(self, line: Overlong, receiver: Receiver) -> None:
        bound = f"{self._limits.message_bytes / 2**20:g} MiB"
        request_id = overlong_id(line)
        if not line.ended:
            receiver.unreadable(line.head.decode(errors="replace"))
        if line.ended or request_id is not None:
            receiver.failed(
                request_id,
                ServerError(
                    f"the server sent a line of more than {bound}",
                    help="make the answer smaller, such as by paging or by serving data on demand",
                ),
            )
