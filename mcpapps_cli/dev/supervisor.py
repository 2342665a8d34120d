"""The current server behind a stage: a new one is proven good before the old one ends."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from mcpapps_cli.dev.bytecode import forget_bytecode
from mcpapps_cli.dev.echo import Echoes
from mcpapps_cli.dev.event import (
    DevEvent,
    ServerFailed,
    ServerOutput,
    ServerReady,
    error_json,
)
from mcpapps_cli.dev.generation import Generation
from mcpapps_cli.dev.reason import fails_plainly, is_contention
from mcpapps_cli.dev.standby import Reserve
from mcpapps_cli.dev.trace import Places, Trace
from mcpapps_cli.errors import CommandError, ServerError
from mcpapps_cli.inventory import read_resource
from mcpapps_cli.model import EraChoice, Inventory, JsonObject, Project, Resource
from mcpapps_cli.rpc import reserve_id
from mcpapps_cli.stage.backend import server_name
from mcpapps_cli.stage.event import NoteEvent

HOLD = 1.0
"""Seconds that a call waits for a new server while the old one could still take it."""
STEADY = 5.0
"""Seconds after which the end of a server says nothing about its start."""
CRASHES = 3
"""Early ends in a row after which a server is started again only on a save."""


class Supervisor:
    """Keeps one server running; the `Backend` of a stage.

    Args:
        project: Its `server` says what to start.
        reserve: Starts the processes.
        on_event: Told everything that happens.
        on_gone: Called when the server has ended by itself and should be started again, with the
            seconds to wait before; without it nobody does that.
        on_lost: Called with the reason whenever the server has ended by itself.
        on_notification: Called with method and params of each notification of the current server.
        era: The handshake to use.
        timeout: Seconds that a server gets to answer.
        ui: Whether servers are told that their client shows Views.
        clock: Gives seconds.

    Attributes:
        name: The project's name, as the name of its server.
        label: How the server was started.
    """

    def __init__(
        self,
        project: Project,
        *,
        reserve: Reserve,
        on_event: Callable[[DevEvent], None],
        on_gone: Callable[[float], None] | None = None,
        on_lost: Callable[[str], None] | None = None,
        on_notification: Callable[[str, JsonObject], None] | None = None,
        era: EraChoice = "auto",
        timeout: float = 15.0,
        ui: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ):
        assert project.server is not None
        self.name = server_name(project.name)
        self.label = project.server.label
        self._spec = project.server
        self._reserve = reserve
        self._on_event = on_event
        self._on_gone = on_gone
        self._on_lost = on_lost
        self._on_notification = on_notification
        self._era = era
        self._timeout = timeout
        self._ui = ui
        self._clock = clock
        self._number = 0
        self._current: Generation | None = None
        self._inventory: Inventory | None = None
        self._trace: Trace | None = None
        self._places: Places | None = None
        self._failure: ServerError | None = None
        self._stop_first = False
        self._began = 0.0
        self._crashes = 0
        self._changed: set[Path] = set()
        self._echoes = Echoes(lambda text: on_event(NoteEvent(None, None, "info", text)), clock)
        self._swapping = asyncio.Lock()
        # Cleared while calls should wait: a new server is on its way.
        self._settled = asyncio.Event()
        self._settled.set()
        self._watch: asyncio.Task[None] | None = None
        self._leaving: dict[Generation, asyncio.Task[None]] = {}

    async def start(self) -> None:
        """Start the first server; one that does not serve is told, and waits for a restart.

        Raises:
            CommandError: There is no such command: no file that is saved will mend that.
        """
        async with self._swapping:
            try:
                self._adopt(await self._begin())
            except CommandError:
                raise
            except ServerError as exc:
                self._fail(exc)

    def note_changed(self, paths: Iterable[Path]) -> None:
        """Take note of files that have changed, so that the next server runs what they hold."""
        self._changed.update(paths)

    def own_writes(self, paths: Iterable[Path]) -> frozenset[Path]:
        """Return those of the changed files that a server wrote whose files nobody notes."""
        return self._echoes.own(paths) if self.trace() is None else frozenset()

    async def restart(self, project: Project | None = None) -> bool:
        """Start a new server and, once it has answered, let it take over.

        A new server that fails is dropped and the old one stays. One that fails only because the
        old one still has what it needs is started again after the old one has ended; from then on
        servers end first. Cancelling this means that another restart follows at once: calls that
        wait go on waiting.

        Args:
            project: The project as it is now; None keeps the server's description.

        Returns:
            Whether the new server took over.
        """
        if project is not None and project.server is not None:
            if project.server != self._spec:
                self._stop_first = False
            self._spec = project.server
            self.label = project.server.label
        async with self._swapping:
            self._settled.clear()
            swapped = await self._swap()
            self._settled.set()
            return swapped

    async def close(self) -> None:
        """End every server that is still running."""
        if self._watch is not None:
            self._watch.cancel()
        running = [*self._leaving, *([self._current] if self._current is not None else [])]
        self._current = None
        leaving = tuple(self._leaving.values())
        for task in leaving:
            task.cancel()
        await asyncio.gather(*(each.kill() for each in running), *leaving, return_exceptions=True)

    def inventory(self) -> Inventory:
        """Return what the current server offers, or what the last one did while a new one starts.

        Raises:
            ServerError: None runs, and none is on its way.
        """
        down = self._current is None and self._failure is not None and self._settled.is_set()
        if down or self._inventory is None:
            raise self._failure or ServerError("the server has not started yet")
        return self._inventory

    async def relist(self) -> None:
        """Take the current server's inventory again."""
        generation = self._alive()
        if generation is not None:
            await generation.relist()
            if generation is self._current:
                self._inventory = generation.inventory

    def trace(self) -> tuple[Trace, Places] | None:
        """Return what the current server did with files; None when nothing notes that."""
        if self._current is not None and (trace := self._current.trace()) is not None:
            self._trace = trace
        if self._trace is None or self._places is None:
            return None
        return self._trace, self._places

    @property
    def failed(self) -> bool:
        """Whether the last server could not take over, so that any file may be the reason."""
        return self._failure is not None

    def reserve_id(self, method: str, params: JsonObject) -> int:
        """Return the id that a request to come will have; see `Backend`."""
        return reserve_id()

    async def request(
        self,
        method: str,
        params: JsonObject,
        *,
        request_id: int | None = None,
        on_progress: Callable[[JsonObject], None] | None = None,
        new_session: bool = False,
    ) -> JsonObject:
        """Return the result of one request; it finishes on the server on which it began.

        A request made while a new server takes over waits for it. One in a session of its own gets
        a process of its own where the server is one that we start.

        Raises:
            RpcError: The server answered with an error.
            ServerError: The server is gone or did not answer in time.
        """
        generation = await self._living()
        if new_session:
            with self._echoes.working():
                async with self._generation(plain=True).apart() as client:
                    return await client.request(
                        method, params, request_id=request_id, on_progress=on_progress
                    )
        with self._echoes.working(), generation.call() as client:
            return await client.request(
                method, params, request_id=request_id, on_progress=on_progress
            )

    async def resource(self, uri: str) -> Resource:
        """Read a UI resource afresh; one that cannot be read has no `content`."""
        generation = await self._living()
        listing = _listing(generation.inventory, uri)
        with self._echoes.working(), generation.call() as client:
            resource, _ = await read_resource(client, uri, listing=listing, timeout=self._timeout)
            return resource

    async def _living(self) -> Generation:
        alive = self._alive()
        if not self._settled.is_set():
            wait = HOLD if alive is not None else None
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._settled.wait(), wait)
            alive = self._alive()
        if alive is None:
            raise self._failure or ServerError("the server does not run", help="save a file")
        return alive

    def _alive(self) -> Generation | None:
        if self._current is not None and self._current.is_gone:
            self._lose(self._current)
        return self._current

    async def _swap(self) -> bool:
        began = self._clock()
        old = self._alive()
        if old is not None and self._ends_first():
            await self._retire(old)
            old = None
        try:
            new = await self._begin()
        except ServerError as exc:
            if old is None or not is_contention(exc):
                self._fail(exc)
                return False
            self._stop_first = True
            self._on_event(
                NoteEvent(
                    None,
                    None,
                    "warning",
                    "the new server could not start beside the old one, which now ends first; "
                    'pin it with restart = "stop-first"',
                )
            )
            await self._retire(old)
            old = None
            try:
                new = await self._begin()
            except ServerError as again:
                self._fail(again)
                return False
        self._adopt(new)
        took = round((self._clock() - began) * 1000)
        self._on_event(ServerReady(new.number, _names(new.inventory), took, new.warm))
        if old is not None:
            # Its calls in flight may take long; nobody needs to wait for that.
            self._leaving[old] = asyncio.create_task(old.stop())
            self._leaving[old].add_done_callback(lambda _: self._leaving.pop(old, None))
        return True

    def _ends_first(self) -> bool:
        fixed = self._spec.url is not None and not any(
            "{port}" in word for word in (self._spec.url, *self._spec.command)
        )
        own = bool(self._spec.command) and fixed
        return self._stop_first or own or self._spec.restart == "stop-first"

    async def _begin(self) -> Generation:
        # Now that an earlier start has ended it cannot write any more.
        forget_bytecode(self._changed, {**os.environ, **self._spec.env}, self._spec.cwd)
        self._changed.clear()
        generation = self._generation(plain=False)
        with self._echoes.working():
            try:
                await generation.start()
            except ServerError as exc:
                if not generation.warm or fails_plainly(exc):
                    raise
                generation = self._generation(plain=True)
                await generation.start()
                self._reserve.disable(
                    "the server starts plainly from now on: with modules imported ahead it failed"
                )
        return generation

    def _generation(self, *, plain: bool) -> Generation:
        self._number += 1
        # Once the era is known nobody needs to ask; a start that fails so is tried plainly.
        era = self._inventory.era if self._inventory is not None and not plain else self._era
        return Generation(
            self._number,
            self._spec,
            reserve=self._reserve,
            plain=plain,
            era=era,
            timeout=self._timeout,
            ui=self._ui,
            on_stderr=lambda line: self._on_event(ServerOutput(line)),
            on_noise=lambda line: self._on_event(ServerOutput(line, noise=True)),
            on_notification=self._on_notification,
        )

    async def _retire(self, generation: Generation) -> None:
        if self._watch is not None:
            self._watch.cancel()
        self._current = None
        await generation.stop()

    def _adopt(self, generation: Generation) -> None:
        if self._watch is not None:
            self._watch.cancel()
        self._current = generation
        self._inventory = generation.inventory
        self._failure = None
        self._began = self._clock()
        self._watch = asyncio.create_task(self._wait_gone(generation))
        if generation.started is not None:
            self._places = generation.started.places
            self._reserve.refill(self._spec, generation.started)

    def _fail(self, exc: ServerError) -> None:
        self._failure = exc
        self._on_event(ServerFailed(error_json(exc)))
        if self._current is not None and self._current.started is not None:
            self._reserve.refill(self._spec, self._current.started)

    async def _wait_gone(self, generation: Generation) -> None:
        await generation.gone()
        self._lose(generation)

    def _lose(self, generation: Generation) -> None:
        """Take note that the current server has ended by itself; only the first time counts."""
        if generation is not self._current:
            return
        self._current = None
        reason = str(generation.client.gone_reason)
        details = tuple(generation.client.stderr_tail)[-12:]
        self._failure = ServerError(
            reason, help="correct it; a save starts it again", details=details
        )
        self._crashes = 0 if self._clock() - self._began > STEADY else self._crashes + 1
        again = self._on_gone is not None and (self._crashes <= CRASHES or not self._spec.command)
        help = "it is started again" if again else self._failure.help
        self._on_event(ServerFailed({"message": reason, "help": help, "details": list(details)}))
        if self._on_lost is not None:
            self._on_lost(reason)
        self._leaving[generation] = asyncio.create_task(generation.kill())
        self._leaving[generation].add_done_callback(lambda _: self._leaving.pop(generation, None))
        if again and self._on_gone is not None:
            if self._spec.command:
                # What is called now waits for the next one.
                self._settled.clear()
            self._on_gone(min(0.1 * 2**self._crashes, STEADY) if self._crashes > 1 else 0.0)


def _names(inventory: Inventory) -> tuple[str, ...]:
    return tuple(str(tool.get("name", "")) for tool in inventory.tools)


def _listing(inventory: Inventory, uri: str) -> JsonObject | None:
    for resource in inventory.resources:
        if resource.uri == uri:
            return resource.listing
    return None
