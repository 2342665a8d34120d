"""One running server process with its client and its inventory."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator

from mcpapps_cli.dev.standby import Reserve, Started
from mcpapps_cli.dev.trace import Trace
from mcpapps_cli.errors import ServerError
from mcpapps_cli.inventory import read_inventory
from mcpapps_cli.model import EraChoice, Inventory, JsonObject, ServerSpec
from mcpapps_cli.rpc import Client, ServerProcess, connect
from mcpapps_cli.rpc.failure import EndedUnheard, is_own_fault
from mcpapps_cli.rpc.launch import at_port, drain, when_it_listens

LAST_CALLS = 30.0
"""Seconds that calls in flight get to finish before their server ends."""


class Generation:
    """A server from its start to its end, kept in a task of its own.

    Args:
        number: Counts the servers of one session from 1.
        spec: What to start or reach.
        reserve: Starts the process.
        plain: Whether to start it as a shell would.
        era: The handshake to use.
        timeout: Seconds until it must have answered.
        ui: Whether it is told that its client shows Views.
        on_stderr: Called with each line of its stderr.
        on_noise: Called with each line of its stdout that is no message.
        on_notification: Called with method and params of each notification.

    Attributes:
        client: Set once `start` has returned.
        inventory: What the server offered then.
        started: The process; None for a server that is reached by URL.
    """

    client: Client
    inventory: Inventory

    def __init__(
        self,
        number: int,
        spec: ServerSpec,
        *,
        reserve: Reserve,
        plain: bool = False,
        era: EraChoice,
        timeout: float,
        ui: bool = True,
        on_stderr: Callable[[str], None],
        on_noise: Callable[[str], None],
        on_notification: Callable[[str, JsonObject], None] | None = None,
    ):
        self.number = number
        self.started: Started | None = None
        self._spec = spec
        self._reserve = reserve
        self._plain = plain
        self._era = era
        self._timeout = timeout
        self._ui = ui
        self._on_stderr = on_stderr
        self._on_noise = on_noise
        self._on_notification = on_notification
        self._calls = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def is_gone(self) -> bool:
        """Whether the server has ended."""
        return self.client.gone_reason is not None

    @property
    def warm(self) -> bool:
        """Whether it ran in an interpreter that had waited for it."""
        return self.started is not None and self.started.warm

    def trace(self) -> Trace | None:
        """Return what the server did with files; None when nothing notes that."""
        if self.started is None or self.started.notes is None:
            return None
        return self.started.trace()

    async def start(self) -> None:
        """Start the server and take its inventory.

        Raises:
            ServerError: It did not start, answer or speak MCP; nothing of it is left.
        """
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._live(ready))
        try:
            await ready
        except BaseException:
            self._task.cancel()
            await asyncio.wait([self._task])
            raise

    async def relist(self) -> None:
        """Take the inventory again: the server says that a list has changed.

        Raises:
            ServerError: The server ended before it listed its tools.
        """
        with self.call() as client:
            self.inventory = await read_inventory(client, timeout=self._timeout)

    async def gone(self) -> str:
        """Return the reason once the server has ended by itself."""
        return await self.client.wait_gone()

    @contextlib.contextmanager
    def call(self) -> Iterator[Client]:
        """Lend the client for one call; `stop` waits for it."""
        self._calls += 1
        self._idle.clear()
        try:
            yield self.client
        finally:
            self._calls -= 1
            if not self._calls:
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

    @contextlib.asynccontextmanager
    async def apart(self) -> AsyncIterator[Client]:
        """Start the server for the block alone, in the task that asks; no inventory is taken.

        Raises:
            ServerError: It did not start, answer or speak MCP; nothing of it is left.
        """
        async with self._connected() as client:
            yield client

    async def _live(self, ready: asyncio.Future[None]) -> None:
        try:
            async with self._connected() as client:
                self.client = client
                self.inventory = await read_inventory(client, timeout=self._timeout)
                if not ready.done():
                    ready.set_result(None)
                await self._stop.wait()
        except Exception as exc:
            # After the start a fault can only come from ending what has ended already.
            if not ready.done():
                ready.set_exception(exc)

    @contextlib.asynccontextmanager
    async def _connected(self) -> AsyncIterator[Client]:
        async with contextlib.AsyncExitStack() as stack:
            if not self._spec.command:
                client = await stack.enter_async_context(self._connect(self._spec, self._era))
            elif self._spec.url is not None:
                client = await self._over_http(stack)
            else:
                client = await self._over_stdio(stack)
            yield client

    async def _over_stdio(self, stack: contextlib.AsyncExitStack) -> Client:
        process = await self._run()
        try:
            return await stack.enter_async_context(
                self._connect(self._spec, self._era, process=process)
            )
        except EndedUnheard as ended:
            if self._era != "auto" or is_own_fault(ended.details):
                raise
        # Servers on the Rust SDK end when the first request is not `initialize`.
        process = await self._run()
        return await stack.enter_async_context(self._connect(self._spec, "legacy", process=process))

    async def _over_http(self, stack: contextlib.AsyncExitStack) -> Client:
        process = await self._run()
        stack.push_async_callback(process.end)
        draining = asyncio.create_task(drain(process, self._on_stderr))
        stack.callback(draining.cancel)
        process.report_stderr(self._on_stderr)
        assert self.started is not None
        spec = at_port(self._spec, self.started.port)
        return await when_it_listens(
            stack,
            lambda: self._connect(spec, self._era),
            process,
            label=self._spec.label,
            timeout=self._timeout,
        )

    async def _run(self) -> ServerProcess:
        try:
            async with asyncio.timeout(self._timeout):
                self.started = await self._reserve.start(self._spec, plain=self._plain)
        except TimeoutError:
            raise ServerError(
                f'server "{self._spec.label}" did not start within {self._timeout:g} s',
                help="run the command in a terminal to see why",
            ) from None
        process = self.started.process
        for line in process.stderr_tail:
            self._on_stderr(line)
        return process

    def _connect(
        self, spec: ServerSpec, era: EraChoice, *, process: ServerProcess | None = None
    ) -> contextlib.AbstractAsyncContextManager[Client]:
        return connect(
            spec,
            era=era,
            timeout=self._timeout,
            ui=self._ui,
            on_stderr=self._on_stderr,
            on_noise=self._on_noise,
            on_notification=self._on_notification,
            process=process,
        )
