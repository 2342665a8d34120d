"""An interpreter that has imported modules and makes a copy of itself for each start.

Importing takes most of a start, and saves may come faster than a waiting interpreter imports; a
copy takes milliseconds. Linux only; elsewhere, and where modules left threads or sockets behind,
each waiting interpreter serves once.
"""

from __future__ import annotations

import asyncio
import contextlib
import marshal
import os
from asyncio import StreamReader, StreamReaderProtocol, StreamWriter
from collections.abc import Callable
from pathlib import Path

from mcpapps_cli.rpc import ServerProcess

_FORK_SECONDS = 10.0


class Copies:
    """Makes copies of a process in which `bootstrap` said that it can be copied.

    Args:
        process: The original; `finish` ends it.
        folder: Where named pipes are made.
    """

    def __init__(self, process: ServerProcess, folder: Path):
        self.process = process
        self._folder = folder
        self._said = process.stderr_tail
        self._count = 0
        self._turn = asyncio.Lock()
        self._born: asyncio.Queue[int | None] = asyncio.Queue()
        self._living: dict[int, _Copy] = {}
        # Of copies that ended before anybody knew them.
        self._ended: dict[int, int] = {}
        self._reading = asyncio.create_task(self._read())

    async def make(self, notes: Path, on_pid: Callable[[int], None]) -> ServerProcess:
        """Return a copy, which waits for the word to go.

        Args:
            notes: Where it will note files.
            on_pid: Called with the id of the new process before anything else happens.

        Raises:
            OSError: There is none, as the original has ended or the system refuses.
        """
        async with self._turn:
            self._count += 1
            base = self._folder / f"{self.process.pid}-{self._count}"
            with _Pipes(base) as pipes:
                order = marshal.dumps({"report": str(notes), "pipes": str(base)}, 2)
                self.process.stdin.write(b"%08d" % len(order) + order)
                try:
                    async with asyncio.timeout(_FORK_SECONDS):
                        pid = await self._born.get()
                except TimeoutError:
                    pid = None
                if pid is None:
                    raise OSError("the waiting interpreter makes no copy")
                on_pid(pid)
                copy = _Copy(pid, *await pipes.streams())
        self._living[pid] = copy
        if pid in self._ended:
            self._end(pid, self._ended.pop(pid))
        elif self._reading.done():
            self._follow(pid)
        return ServerProcess(copy, said=self._said)

    async def finish(self) -> None:
        """End the original once its last copy has ended: only it learns how they end."""
        try:
            while self._living:
                await asyncio.wait([copy.exited for copy in self._living.values()])
        finally:
            await self.process.end()

    async def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := await self.process.stdout.readline():
                sign, numbers = line[:1], [int(word) for word in line[1:].split()]
                if sign == b"+":
                    self._born.put_nowait(numbers[0])
                else:
                    self._end(*numbers)
        # The original has ended: its copies go on, and nobody tells how they end.
        self._born.put_nowait(None)
        for pid in tuple(self._living):
            self._follow(pid)

    def _end(self, pid: int, code: int | None) -> None:
        copy = self._living.pop(pid, None)
        if copy is not None:
            copy.end(code)
        elif code is not None:
            self._ended[pid] = code

    def _follow(self, pid: int) -> None:
        """Learn of a copy's end from the system."""
        try:
            fd = os.pidfd_open(pid)
        except (OSError, AttributeError):
            self._end(pid, None)
            return
        loop = asyncio.get_running_loop()

        def ended() -> None:
            loop.remove_reader(fd)
            os.close(fd)
            self._end(pid, None)

        loop.add_reader(fd, ended)


class _Copy:
    """A copy as the process of a server."""

    def __init__(self, pid: int, stdin: StreamWriter, stdout: StreamReader, stderr: StreamReader):
        self.pid = pid
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = stderr
        self.exited: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.returncode: int | None = None

    def end(self, code: int | None) -> None:
        self.returncode = code
        if not self.exited.done():
            self.exited.set_result(None)

    def kill(self) -> None:
        os.kill(self.pid, 9)

    def close(self) -> None:
        self.stdin.close()
        for reader in (self.stdout, self.stderr):
            transport = reader._transport  # type: ignore[attr-defined]
            if transport is not None:
                transport.close()


class _Pipes:
    """Three named pipes, named only until both ends have them open."""

    def __init__(self, base: Path):
        self._paths = [Path(f"{base}.{fd}") for fd in range(3)]
        self._fds: list[int] = []

    def __enter__(self) -> _Pipes:
        for path in self._paths:
            os.mkfifo(path, 0o600)
        # Both ways, so that the other side finds it open; until it is there nobody reads.
        modes = (os.O_RDWR, os.O_RDONLY, os.O_RDONLY)
        for path, mode in zip(self._paths, modes, strict=True):
            self._fds.append(os.open(path, mode | os.O_NONBLOCK | os.O_CLOEXEC))
        return self

    def __exit__(self, *_: object) -> None:
        for path in self._paths:
            path.unlink(missing_ok=True)
        for fd in self._fds:
            os.close(fd)

    async def streams(self) -> tuple[StreamWriter, StreamReader, StreamReader]:
        """Return the ends of this process, now that the other process has its own."""
        to_write = os.open(self._paths[0], os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        stdin = await _writer(to_write)
        stdout, stderr = [await _reader(self._fds.pop()) for _ in range(2)][::-1]
        return stdin, stdout, stderr


async def _writer(fd: int) -> StreamWriter:
    loop = asyncio.get_running_loop()
    # A writer needs a protocol that knows when it is closed; the reader in it is never used.
    protocol = StreamReaderProtocol(StreamReader())
    transport, _ = await loop.connect_write_pipe(lambda: protocol, os.fdopen(fd, "wb", 0))
    return StreamWriter(transport, protocol, None, loop)


async def _reader(fd: int) -> StreamReader:
    reader = StreamReader(limit=2**20)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: StreamReaderProtocol(reader), os.fdopen(fd, "rb", 0)
    )
    return reader
