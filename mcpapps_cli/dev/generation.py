"""One running server process with its client and its inventory."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator

from mcpapps_cli.inventory import read_inventory
from mcpapps_cli.model import EraChoice, Inventory, ServerSpec
from mcpapps_cli.rpc import Client, connect

LAST_CALLS = 10.0
"""Seconds that calls in flight get to finish before their server ends."""


class Generation:
    """A server from its start to its end, kept in a task of its own.

    Attributes:
        number: Counts the servers of one session from 1.
        client: Set once `start` has returned.
        inventory: What the server offered then.
    """

    client: Client
    inventory: Inventory

    def __init__(
        self,
        number: int,
        spec: ServerSpec,
        *,
        era: EraChoice,
        timeout: float,
        on_stderr: Callable[[str], None],
        on_noise: Callable[[str], None],
    ):
        self.number = number
        self.calls = 0
        self._connect = lambda: connect(
            spec, era=era, timeout=timeout, on_stderr=on_stderr, on_noise=on_noise
        )
        self._timeout = timeout
        self._idle = asyncio.Event()
        self._idle.set()
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the server and take its inventory.

        Raises:
            ServerError: It did not start, answer or speak MCP; nothing of it is left.
        """
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._live(ready))
        try:
            await ready
        except asyncio.CancelledError:
            self._task.cancel()
            raise

    async def _live(self, ready: asyncio.Future[None]) -> None:
        try:
            async with self._connect() as client:
                self.client = client
                self.inventory = await read_inventory(client, timeout=self._timeout)
                if not ready.done():
                    ready.set_result(None)
                await self._stop.wait()
        except Exception as exc:
            if ready.done():
                raise
            ready.set_exception(exc)

    async def gone(self) -> str:
        """Return the reason once the server has ended by itself."""
        return await self.client.wait_gone()

    @contextlib.contextmanager
    def call(self) -> Iterator[Client]:
        """Lend the client for one call; `stop` waits for it."""
        self.calls += 1
        self._idle.clear()
        try:
            yield self.client
        finally:
            self.calls -= 1
            if not self.calls:
                self._idle.set()

    async def stop(self) -> None:
        """Let calls in flight finish, then end the server and wait until it has ended."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), LAST_CALLS)
        await self.kill()

    async def kill(self) -> None:
        """End the server now and wait until it has ended."""
        self._stop.set()
        if self._task is not None:
            await asyncio.wait([self._task])
