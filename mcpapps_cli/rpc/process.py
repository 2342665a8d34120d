"""A server process: started with the whole environment, ended with everything it started."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from mcpapps_cli.errors import CommandError, ServerError
from mcpapps_cli.model import ServerSpec
from mcpapps_cli.rpc.framing import Line, LineSplitter, Overlong
from mcpapps_cli.rpc.limits import DEFAULT_LIMITS, Limits

_STREAM_LIMIT = 2**20
_STDERR_SECONDS = 0.5
_KILL_SECONDS = 2.0
# Windows has no SIGKILL; there the number is not used.
_KILL = getattr(signal, "SIGKILL", 9)


class _Pipes(asyncio.subprocess.SubprocessStreamProtocol):
    """Streams of a child, and its exit apart from the end of its pipes.

    `asyncio.subprocess.Process.wait` also waits for the pipes, which a child of the child may
    hold open for ever.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop):
        super().__init__(limit=_STREAM_LIMIT, loop=loop)
        self.exited: asyncio.Future[None] = loop.create_future()

    def process_exited(self) -> None:
        super().process_exited()
        if not self.exited.done():
            self.exited.set_result(None)


class Child(Protocol):
    """A process with three pipes, however it came to be.

    Attributes:
        pid: Its process id, which on POSIX is also its group.
        stdin: To write to.
        stdout: To read from.
        stderr: To read from.
        exited: Done once it has ended.
    """

    pid: int
    stdin: asyncio.StreamWriter
    stdout: asyncio.StreamReader
    stderr: asyncio.StreamReader
    exited: asyncio.Future[None]

    @property
    def returncode(self) -> int | None:
        """The exit code, negative for a signal on POSIX; None while it runs."""

    def kill(self) -> None:
        """End it at once."""

    def close(self) -> None:
        """Close the pipes."""


class _Subprocess:
    """A child of this process."""

    def __init__(self, transport: asyncio.SubprocessTransport, pipes: _Pipes):
        assert pipes.stdin is not None
        assert pipes.stdout is not None
        assert pipes.stderr is not None
        self.pid = transport.get_pid()
        self.stdin, self.stdout, self.stderr = pipes.stdin, pipes.stdout, pipes.stderr
        self.exited = pipes.exited
        self._transport = transport

    @property
    def returncode(self) -> int | None:
        return self._transport.get_returncode()

    def kill(self) -> None:
        self._transport.kill()

    def close(self) -> None:
        self._transport.close()


class ServerProcess:
    """A running server and its pipes; made by `start_process`.

    Args:
        child: The process.
        limits: Bounds on kept stderr, and on the time that ending it may take.
        on_stderr: Called with each line of stderr.
        hide: Says of each line whether it is neither reported nor kept.
        said: Lines of stderr that it wrote before.

    Attributes:
        stdin: To write to.
        stdout: To read from.
        pid: The process id, which on POSIX is also its group.
    """

    def __init__(
        self,
        child: Child,
        *,
        limits: Limits = DEFAULT_LIMITS,
        on_stderr: Callable[[str], None] | None = None,
        hide: Callable[[str], bool] | None = None,
        said: Sequence[str] = (),
    ):
        self.stdin = child.stdin
        self.stdout = child.stdout
        self.pid = child.pid
        self._child = child
        self._exited = child.exited
        # What the server started must end with it, and later its id may belong to another group.
        self._exited.add_done_callback(lambda _: self._signal_group(_KILL))
        self._limits = limits
        self._on_stderr = on_stderr
        self._hide = hide
        self._tail: deque[str] = deque(said, maxlen=limits.stderr_lines)
        self._stderr = asyncio.create_task(self._read_stderr(child.stderr))

    @property
    def returncode(self) -> int | None:
        """The exit code, negative for a signal on POSIX; None while it runs."""
        return self._child.returncode

    @property
    def ended(self) -> bool:
        """Whether it has ended; how may be unknown."""
        return self._exited.done()

    @property
    def stderr_tail(self) -> Sequence[str]:
        """The last lines of stderr, oldest first."""
        return tuple(self._tail)

    def report_stderr(
        self, callback: Callable[[str], None] | None, hide: Callable[[str], bool] | None = None
    ) -> None:
        """Call `callback` with each further line of stderr that `hide` is not true of."""
        self._on_stderr = callback
        self._hide = hide

    async def wait_end(self) -> str:
        """Wait until the process has ended; return how, in words."""
        await asyncio.wait({self._exited})
        # The last lines say why, so they must have been read when the reason is reported.
        await asyncio.wait({self._stderr}, timeout=_STDERR_SECONDS)
        return f"the server {_how_it_ended(self.returncode)}"

    async def end(self) -> None:
        """Close stdin, wait, terminate, wait, kill; takes little longer than both waits."""
        try:
            if self.stdin.transport.get_write_buffer_size():
                # Closing would wait for a server that does not read.
                self.stdin.transport.abort()
            else:
                self.stdin.close()
            if not await self._ended_within(self._limits.close_seconds):
                await self._terminate()
                await self._ended_within(self._limits.close_seconds)
        finally:
            await self._close()

    async def _close(self) -> None:
        try:
            if not self._exited.done():
                self._signal_group(_KILL)
                await self._ended_within(_KILL_SECONDS)
        finally:
            self._stderr.cancel()
            self._child.close()
            await asyncio.gather(self._stderr, return_exceptions=True)

    async def _ended_within(self, seconds: float) -> bool:
        done, _ = await asyncio.wait({self._exited}, timeout=seconds)
        return bool(done)

    async def _terminate(self) -> None:
        if sys.platform == "win32":
            await _end_tree(self.pid)
        else:
            self._signal_group(signal.SIGTERM)

    def _signal_group(self, number: int) -> None:
        if sys.platform == "win32":
            with contextlib.suppress(OSError):
                self._child.kill()
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)

    async def _read_stderr(self, stderr: asyncio.StreamReader) -> None:
        splitter = LineSplitter(4 * self._limits.line_characters)
        with contextlib.suppress(OSError):
            while chunk := await stderr.read(2**16):
                for line in splitter.feed(chunk):
                    self._keep(line)
        for line in splitter.finish():
            self._keep(line)

    def _keep(self, line: Line | Overlong) -> None:
        if isinstance(line, Overlong):
            if line.ended:
                return
            data = line.head
        else:
            data = line.data
        text = data.decode(errors="replace")[: self._limits.line_characters]
        if self._hide is not None and self._hide(text):
            return
        self._tail.append(text)
        if self._on_stderr is not None:
            # Through the loop, so that a fault in the callback does not end the reading.
            asyncio.get_running_loop().call_soon(self._on_stderr, text)


async def start_process(
    spec: ServerSpec,
    *,
    limits: Limits = DEFAULT_LIMITS,
    on_stderr: Callable[[str], None] | None = None,
    hide: Callable[[str], bool] | None = None,
) -> ServerProcess:
    """Start `spec.command` in its own process group, with our environment and `spec.env`.

    Args:
        spec: What to start, and where.
        limits: Bounds on kept stderr, and on the time that ending it may take.
        on_stderr: Called with each line of stderr.
        hide: Says of each line whether it is neither reported nor kept.

    Raises:
        ServerError: The command or the folder does not exist, or may not be run.
    """
    if not spec.command:
        raise ServerError("no server command is given", help='pass --command "..." or --url URL')
    if not spec.cwd.is_dir():
        raise ServerError(
            f'server folder "{spec.cwd}" does not exist',
            help="correct cwd in the server's settings, or pass --cwd",
        )
    env = {**os.environ, **{name: str(value) for name, value in spec.env.items()}}
    program, *arguments = spec.command
    flags: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        # Only a full path finds the .cmd files that npm installs.
        program = shutil.which(program, path=env.get("PATH")) or program
        flags = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    loop = asyncio.get_running_loop()
    try:
        transport, pipes = await loop.subprocess_exec(
            lambda: _Pipes(loop),
            program,
            *arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=spec.cwd,
            env=env,
            **flags,
        )
    except OSError as error:
        raise _not_started(spec.command[0], error) from error
    except ValueError as error:
        raise ServerError(
            "the server's command or environment contains a null character"
        ) from error
    child = _Subprocess(transport, pipes)
    return ServerProcess(child, limits=limits, on_stderr=on_stderr, hide=hide)


def _not_started(program: str, error: OSError) -> CommandError:
    match error:
        case FileNotFoundError():
            return CommandError(
                f'server command "{program}" was not found',
                help="check its name, give its full path, or install it",
            )
        case PermissionError() if Path(program).is_dir():
            return CommandError(
                f'server command "{program}" is a folder',
                help=f"give a command line, or the folder as TARGET, without --command: {program}",
            )
        case PermissionError():
            return CommandError(
                f'server command "{program}" may not be run',
                help=f'make it executable, or name its interpreter: --command "python {program}"',
            )
        case _:
            return CommandError(
                f'server command "{program}" cannot be started: {error.strerror}',
                help="run it in a terminal to see why",
            )


def _how_it_ended(returncode: int | None) -> str:
    if returncode is None:
        return "has ended"
    if returncode < 0:
        with contextlib.suppress(ValueError):
            return f"was ended by {signal.Signals(-returncode).name}"
    return f"ended with exit code {returncode}"


async def _end_tree(pid: int) -> None:
    # Windows has no process groups to signal; taskkill walks the tree of children.
    with contextlib.suppress(OSError):
        killer = await asyncio.create_subprocess_exec(
            *("taskkill", "/F", "/T", "/PID", str(pid)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        await killer.wait()
