"""Interpreters that have imported what the server will need, and wait for the word to go."""

from __future__ import annotations

import asyncio
import itertools
import marshal
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mcpapps_cli.dev.guard import Guard
from mcpapps_cli.dev.program import NotPython, Program, read_program
from mcpapps_cli.dev.trace import Places, Trace, merged, modules_to_warm, read_trace
from mcpapps_cli.errors import ServerError
from mcpapps_cli.model import ServerSpec
from mcpapps_cli.rpc import ServerProcess, start_process

_BOOTSTRAP = Path(__file__).resolve().parent / "bootstrap.py"
_NUMBERS = itertools.count(1)
MOST = 2
"""Interpreters that wait at once, where one is not ready as often as it is needed."""


@dataclass(frozen=True, slots=True)
class Started:
    """A server process that runs the user's program.

    Attributes:
        process: With stdin and stdout for the protocol.
        notes: Where its bootstrap notes files; None for a plain start.
        places: What is foreign to it.
        warm: Whether it had imported modules before.
        port: The port that a server over HTTP was told, or None.
    """

    process: ServerProcess
    notes: Path | None = None
    places: Places | None = None
    warm: bool = False
    port: int | None = None

    def trace(self) -> Trace:
        """Return what it did with files until now."""
        return read_trace(self.notes) if self.notes is not None else Trace()


@dataclass(eq=False, slots=True)
class _Waiting:
    spec: ServerSpec
    names: tuple[str, ...]
    process: ServerProcess
    notes: Path
    port: int | None
    answer: asyncio.Task[dict[str, Any]]


class Reserve:
    """Starts servers, from a waiting interpreter where there is one.

    Args:
        guard: Told of every process.
        exclude: Modules that no waiting interpreter imports.
        enabled: Whether there are waiting interpreters; without them servers start plainly.
        on_note: Told, once each, why something starts plainly.
    """

    def __init__(
        self,
        guard: Guard,
        *,
        exclude: tuple[str, ...] = (),
        enabled: bool = True,
        on_note: Callable[[str], None] = lambda text: None,
    ):
        self._guard = guard
        self._exclude = exclude
        self._enabled = enabled
        self._on_note = on_note
        self._told: set[str] = set()
        self._waiting: list[_Waiting] = []
        self._names: tuple[str, ...] = ()
        self._failed: set[str] = set()
        self._wanted = 1
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, spec: ServerSpec, *, plain: bool = False) -> Started:
        """Start the server's program, at once where an interpreter waits for it.

        Args:
            spec: What to start.
            plain: Start it as a shell would.

        Raises:
            ServerError: The command cannot be started.
        """
        try:
            program = None if plain or not self._enabled else read_program(spec)
        except NotPython as reason:
            started = await self._start_plainly(spec)
            # Only now: of a command that cannot be run at all there is nothing else to say.
            self._tell(f"no standby: {reason}")
            return started
        if program is None:
            return await self._start_plainly(spec)
        waiting = self._take(spec)
        warm = waiting is not None
        if waiting is None:
            waiting = await self._prepare(spec, program, ())
        elif not waiting.answer.done():
            self._wanted = MOST
        try:
            waiting.process.stdin.write(b"go")
            answer = await waiting.answer
        except (OSError, EOFError, ValueError):
            await waiting.process.end()
            self._tell("the standby interpreter ended early; servers start plainly")
            self._enabled = False
            return await self._start_plainly(spec)
        except BaseException:
            await waiting.process.end()
            raise
        # An optional part that a package tried and did without; nobody needs to know.
        self._failed.update(answer["failed"])
        places = Places(tuple(answer["site"]), answer["stdlib"])
        warm = warm and bool(waiting.names)
        return Started(waiting.process, waiting.notes, places, warm, waiting.port)

    def refill(self, spec: ServerSpec, last: Started) -> None:
        """Let interpreters wait for the next start of `spec`, given how the last one went."""
        if last.places is None or not self._enabled:
            return
        trace = last.trace()
        if trace.early < len(trace.modules):
            self._tell(
                "the server changes os.environ before its last imports, which stay cold; "
                "an env-file in [tool.mcpapps.server] sets them earlier"
            )
        found = modules_to_warm(trace, last.places, self._exclude)
        self._names = tuple(n for n in merged(self._names, found) if n not in self._failed)
        if not self._names:
            return
        for waiting in [each for each in self._waiting if not self._fits(each, spec)]:
            self._waiting.remove(waiting)
            self._drop(waiting)
        for _ in range(self._wanted - len(self._waiting)):
            self._in_background(self._add(spec))

    async def close(self) -> None:
        """End every interpreter that waits."""
        self._enabled = False
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(self._end(each) for each in self._waiting))

    def disable(self, reason: str) -> None:
        """Start plainly from now on."""
        self._enabled = False
        self._tell(reason)
        for waiting in self._waiting:
            self._drop(waiting)
        self._waiting.clear()

    async def _start_plainly(self, spec: ServerSpec) -> Started:
        spec, port = _with_port(spec)
        return Started(await self._launch(spec), port=port)

    def _fits(self, waiting: _Waiting, spec: ServerSpec) -> bool:
        return waiting.spec == spec and waiting.process.returncode is None

    def _take(self, spec: ServerSpec) -> _Waiting | None:
        found = [each for each in self._waiting if self._fits(each, spec)]
        if not found:
            return None
        # The one that is ready, else the one that has been at it longest.
        best = next((each for each in found if each.answer.done()), found[0])
        self._waiting.remove(best)
        return best

    async def _add(self, spec: ServerSpec) -> None:
        try:
            program = read_program(spec)
            self._waiting.append(await self._prepare(spec, program, self._names))
        except (NotPython, ServerError):
            return

    async def _prepare(
        self, spec: ServerSpec, program: Program, names: tuple[str, ...]
    ) -> _Waiting:
        command = (*program.interpreter, *program.flags, str(_BOOTSTRAP))
        told, port = _with_port(spec)
        program = read_program(told)
        process = await self._launch(replace(told, command=command))
        # The servers of one session share the folder.
        notes = self._guard.folder / f"{next(_NUMBERS)}.txt"
        order = marshal.dumps(
            {
                "argv": list(program.argv),
                "plain": [*program.flags, *program.argv],
                "modules": list(names),
                "report": str(notes),
                "root": str(spec.cwd),
            },
            2,
        )
        process.stdin.write(b"%08d" % len(order) + order)
        answer = asyncio.create_task(_read_answer(process))
        return _Waiting(spec, names, process, notes, port, answer)

    async def _launch(self, spec: ServerSpec) -> ServerProcess:
        process = await start_process(spec)
        self._guard.add(process.pid)
        self._in_background(self._forget(process))
        return process

    async def _forget(self, process: ServerProcess) -> None:
        await process.wait_end()
        self._guard.remove(process.pid)

    def _drop(self, waiting: _Waiting) -> None:
        self._in_background(self._end(waiting))

    async def _end(self, waiting: _Waiting) -> None:
        waiting.answer.cancel()
        await asyncio.gather(waiting.answer, return_exceptions=True)
        await waiting.process.end()

    def _tell(self, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self._on_note(text)

    def _in_background(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _read_answer(process: ServerProcess) -> dict[str, Any]:
    size = int(await process.stdout.readexactly(8))
    found = marshal.loads(await process.stdout.readexactly(size))
    if not isinstance(found, dict):
        raise ValueError("the bootstrap answered with something else")
    return found


def _with_port(spec: ServerSpec) -> tuple[ServerSpec, int | None]:
    """Return the server with a free port in place of `{port}`, and in its environment."""
    if spec.url is None or not any("{port}" in word for word in (spec.url, *spec.command)):
        return spec, None
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = tuple(word.replace("{port}", port) for word in spec.command)
    env = {**spec.env, "PORT": port, "FASTMCP_PORT": port}
    return replace(spec, command=command, env=env), int(port)
