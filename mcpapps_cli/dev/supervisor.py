"""The current server behind a stage: a new one is proven good before the old one ends."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from mcpapps_cli.dev.event import DevEvent, ServerFailed, ServerOutput, ServerReady, error_json
from mcpapps_cli.dev.generation import Generation
from mcpapps_cli.errors import ServerError
from mcpapps_cli.inventory import read_resource
from mcpapps_cli.model import EraChoice, Inventory, JsonObject, Project, Resource


class Supervisor:
    """Keeps one server running; the `Backend` of a stage.

    Attributes:
        name: The project's name.
        label: How the server was started.
    """

    def __init__(
        self,
        project: Project,
        *,
        on_event: Callable[[DevEvent], None],
        era: EraChoice = "auto",
        timeout: float = 15.0,
        clock: Callable[[], float] = time.monotonic,
    ):
        assert project.server is not None
        self.name = project.name
        self.label = project.server.label
        self._spec = project.server
        self._on_event = on_event
        self._era = era
        self._timeout = timeout
        self._clock = clock
        self._number = 0
        self._current: Generation | None = None
        self._inventory: Inventory | None = None
        self._swapping = asyncio.Lock()
        self._failure: ServerError | None = None
        self._watch: asyncio.Task[None] | None = None
        self._endings: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start the first server.

        Raises:
            ServerError: It did not start, answer or speak MCP.
        """
        async with self._swapping:
            await self._adopt(await self._begin())

    async def restart(self, project: Project | None = None) -> bool:
        """Start a new server and, once it has answered, let it take over.

        A new server that fails is dropped and the old one stays.

        Args:
            project: The project as it is now; None keeps the server's description.

        Returns:
            Whether the new server took over.
        """
        if project is not None and project.server is not None:
            self._spec = project.server
            self.label = project.server.label
        async with self._swapping:
            began = self._clock()
            old = self._current
            if old is not None and self._spec.restart == "stop-first":
                await self._retire(old)
            try:
                new = await self._begin()
            except ServerError as exc:
                self._failure = exc
                self._on_event(ServerFailed(error_json(exc)))
                return False
            await self._adopt(new)
            took = round((self._clock() - began) * 1000)
            self._on_event(ServerReady(new.number, _names(new.inventory), took))
        if old is not None:
            # Its calls in flight may take long; nobody needs to wait for that.
            ending = asyncio.create_task(old.stop())
            self._endings.add(ending)
            ending.add_done_callback(self._endings.discard)
        return True

    async def close(self) -> None:
        """End every server that is still running."""
        if self._watch is not None:
            self._watch.cancel()
        for ending in tuple(self._endings):
            ending.cancel()
        if self._current is not None:
            await self._current.kill()

    def inventory(self) -> Inventory:
        """Return what the current server offers, or the last one did."""
        assert self._inventory is not None
        return self._inventory

    async def request(
        self,
        method: str,
        params: JsonObject,
        *,
        on_progress: Callable[[JsonObject], None] | None = None,
    ) -> JsonObject:
        """Return the result of one request; it finishes on the server on which it began.

        A request made while a new server takes over waits for it.

        Raises:
            RpcError: The server answered with an error.
            ServerError: The server is gone or did not answer in time.
        """
        with (await self._living()).call() as client:
            return await client.request(method, params, on_progress=on_progress)

    async def resource(self, uri: str) -> Resource:
        """Read a UI resource afresh; one that cannot be read has no `content`."""
        generation = await self._living()
        listing = _listing(generation.inventory, uri)
        with generation.call() as client:
            resource, _ = await read_resource(client, uri, listing=listing, timeout=self._timeout)
            return resource

    async def _living(self) -> Generation:
        async with self._swapping:
            if self._current is None:
                raise self._failure or ServerError("the server does not run", help="save a file")
            return self._current

    async def _begin(self) -> Generation:
        self._number += 1
        generation = Generation(
            self._number,
            self._spec,
            era=self._era,
            timeout=self._timeout,
            on_stderr=lambda line: self._on_event(ServerOutput(line)),
            on_noise=lambda line: self._on_event(ServerOutput(line, noise=True)),
        )
        await generation.start()
        return generation

    async def _retire(self, generation: Generation) -> None:
        if self._watch is not None:
            self._watch.cancel()
        self._current = None
        await generation.stop()

    async def _adopt(self, generation: Generation) -> None:
        if self._watch is not None:
            self._watch.cancel()
        self._current = generation
        self._inventory = generation.inventory
        self._failure = None
        self._watch = asyncio.create_task(self._wait_gone(generation))

    async def _wait_gone(self, generation: Generation) -> None:
        reason = await generation.gone()
        self._on_event(
            ServerFailed(
                {
                    "message": f"the server ended: {reason}",
                    "help": "correct it; a save starts it again",
                    "details": list(generation.client.stderr_tail)[-12:],
                }
            )
        )


def _names(inventory: Inventory) -> tuple[str, ...]:
    return tuple(str(tool.get("name", "")) for tool in inventory.tools)


def _listing(inventory: Inventory, uri: str) -> JsonObject | None:
    for resource in inventory.resources:
        if resource.uri == uri:
            return resource.listing
    return None
