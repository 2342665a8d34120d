"""Interpreters that have imported what the server will need, and wait for the word to go."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import marshal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mcpapps_cli.dev.copies import Copies
from mcpapps_cli.dev.guard import Guard
from mcpapps_cli.dev.program import NotPython, read_program
from mcpapps_cli.dev.trace import Places, Trace, merged, modules_to_warm, read_trace
from mcpapps_cli.model import ServerSpec
from mcpapps_cli.rpc import ServerProcess, start_process
from mcpapps_cli.rpc.launch import with_port
from mcpapps_cli.tasks import Tasks

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


@dataclass(frozen=True, slots=True)
class _Interpreter:
    """One that waits for the word to go, and what its bootstrap answered."""

    process: ServerProcess
    notes: Path
    answer: Mapping[str, Any]
    port: int | None = None


@dataclass(eq=False, slots=True)
class _Waiting:
    spec: ServerSpec
    names: tuple[str, ...]
    ready: asyncio.Task[_Interpreter]

    def fits(self, spec: ServerSpec) -> bool:
        """Whether `spec` may be started in it, as far as is known already."""
        if self.spec != spec or self.ready.cancelled():
            return False
        if not self.ready.done():
            return True
        return self.ready.exception() is None and not self.ready.result().process.ended


@dataclass(eq=False, slots=True)
class _Original:
    """An interpreter that makes copies, and for what."""

    spec: ServerSpec
    names: tuple[str, ...]
    copies: Copies
    answer: Mapping[str, Any]

    def fits(self, spec: ServerSpec) -> bool:
        return self.spec == spec and not self.copies.process.ended


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
        self._copied: _Original | None = None
        self._names: tuple[str, ...] = ()
        self._failed: set[str] = set()
        self._wanted = 1
        self._tasks = Tasks()

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
        original = self._original(spec)
        waiting = self._take(spec, only_ready=original is not None)
        if waiting is None:
            waiting = self._begin(spec, () if original is None else original.names)
        elif not waiting.ready.done():
            self._wanted = MOST
        try:
            return await self._go(waiting)
        except (OSError, EOFError, ValueError):
            self._tell("the standby interpreter ended early; servers start plainly")
            self._enabled = False
            return await self._start_plainly(spec)
        except asyncio.CancelledError:
            # It has not been told to go, and the next start will want it.
            self._waiting.append(waiting)
            raise

    async def _go(self, waiting: _Waiting) -> Started:
        interpreter = await asyncio.shield(waiting.ready)
        process, answer = interpreter.process, interpreter.answer
        try:
            process.stdin.write(b"go")
        except (OSError, ValueError):
            await process.end()
            raise
        # An optional part that a package tried and did without; nobody needs to know.
        self._failed.update(answer["failed"])
        places = Places(tuple(answer["site"]), answer["stdlib"])
        warm = bool(waiting.names)
        return Started(process, interpreter.notes, places, warm, interpreter.port)

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
        if trace.stale:
            self._retire()
        for waiting in [each for each in self._waiting if not (each.names and each.fits(spec))]:
            self._waiting.remove(waiting)
            self._drop(waiting)
        wanted = self._wanted if self._original(spec) is None else 1
        for _ in range(wanted - len(self._waiting)):
            self._waiting.append(self._begin(spec, self._names))

    async def ready(self) -> None:
        """Wait until an interpreter waits that is ready, or none will be."""
        if self._waiting:
            tasks = [waiting.ready for waiting in self._waiting]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)

    async def close(self) -> None:
        """End every interpreter that waits."""
        self._enabled = False
        self._retire()
        waiting, self._waiting = self._waiting, []
        await asyncio.gather(*(self._end(each) for each in waiting))
        await self._tasks.end()

    def disable(self, reason: str) -> None:
        """Start plainly from now on."""
        self._enabled = False
        self._tell(reason)
        self._retire()
        for waiting in self._waiting:
            self._drop(waiting)
        self._waiting.clear()

    async def _start_plainly(self, spec: ServerSpec) -> Started:
        spec, port = with_port(spec)
        return Started(await self._launch(spec), port=port)

    def _take(self, spec: ServerSpec, *, only_ready: bool) -> _Waiting | None:
        fitting = [each for each in self._waiting if each.fits(spec)]
        found = [each for each in fitting if each.ready.done() or not only_ready]
        if not found:
            return None
        # The one that is ready, else the one that has been at it longest.
        best = next((each for each in found if each.ready.done()), found[0])
        self._waiting.remove(best)
        return best

    def _original(self, spec: ServerSpec) -> _Original | None:
        found = self._copied
        return found if found is not None and found.fits(spec) else None

    def _begin(self, spec: ServerSpec, names: tuple[str, ...]) -> _Waiting:
        return _Waiting(spec, names, asyncio.create_task(self._prepare(spec, names)))

    async def _prepare(self, spec: ServerSpec, names: tuple[str, ...]) -> _Interpreter:
        original = self._original(spec)
        if original is not None and set(names) <= set(original.names):
            with contextlib.suppress(OSError):
                return await self._copy(original)
            self._retire()
        told, port = with_port(spec)
        program = read_program(told)
        command = (*program.interpreter, *program.flags, str(_BOOTSTRAP))
        process = await self._launch(replace(told, command=command))
        try:
            notes = self._new_notes()
            order = marshal.dumps(
                {
                    "argv": list(program.argv),
                    "plain": [*program.flags, *program.argv],
                    "modules": list(names),
                    "report": str(notes),
                    "root": str(spec.cwd),
                    # What is imported once serves many starts; with nothing imported there is
                    # nothing to gain, and a port is for one server.
                    "copies": bool(names) and port is None,
                },
                2,
            )
            process.stdin.write(b"%08d" % len(order) + order)
            answer = await _read_answer(process)
        except BaseException:
            self._tasks.start(process.end())
            raise
        if not answer["copies"]:
            return _Interpreter(process, notes, answer, port)
        self._retire()
        copies = Copies(process, self._guard.folder)
        self._copied = _Original(spec, names, copies, answer)
        return await self._copy(self._copied)

    async def _copy(self, original: _Original) -> _Interpreter:
        notes = self._new_notes()
        process = await original.copies.make(notes, self._guard.add)
        self._tasks.start(self._forget(process))
        return _Interpreter(process, notes, original.answer)

    def _new_notes(self) -> Path:
        # The servers of one session share the folder.
        return self._guard.folder / f"{next(_NUMBERS)}.txt"

    def _retire(self) -> None:
        """Make no more copies of the present original."""
        original, self._copied = self._copied, None
        if original is not None:
            self._tasks.start(original.copies.finish())

    async def _launch(self, spec: ServerSpec) -> ServerProcess:
        process = await start_process(spec)
        self._guard.add(process.pid)
        self._tasks.start(self._forget(process))
        return process

    async def _forget(self, process: ServerProcess) -> None:
        await process.wait_end()
        self._guard.remove(process.pid)

    def _drop(self, waiting: _Waiting) -> None:
        self._tasks.start(self._end(waiting))

    async def _end(self, waiting: _Waiting) -> None:
        waiting.ready.cancel()
        await asyncio.wait({waiting.ready})
        if not waiting.ready.cancelled() and waiting.ready.exception() is None:
            await waiting.ready.result().process.end()

    def _tell(self, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self._on_note(text)


async def _read_answer(process: ServerProcess) -> dict[str, Any]:
    size = int(await process.stdout.readexactly(8))
    found = marshal.loads(await process.stdout.readexactly(size))
    if not isinstance(found, dict):
        raise ValueError("the bootstrap answered with something else")
    return found
