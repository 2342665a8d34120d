"""Connecting to a server: started or reached by URL, and spoken to within a time-out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

from mcpapps_cli.errors import ServerError
from mcpapps_cli.model import EraChoice, JsonObject, ServerSpec
from mcpapps_cli.rpc import failure
from mcpapps_cli.rpc.client import Client
from mcpapps_cli.rpc.complaint import ProbeComplaint
from mcpapps_cli.rpc.handshake import agree
from mcpapps_cli.rpc.launch import at_port, drain, when_it_listens, with_port
from mcpapps_cli.rpc.limits import DEFAULT_LIMITS, Limits
from mcpapps_cli.rpc.peer import Peer
from mcpapps_cli.rpc.process import ServerProcess, start_process
from mcpapps_cli.rpc.stdio import StdioTransport
from mcpapps_cli.rpc.transport import Transport

_HOLD_SECONDS = 2.0


@asynccontextmanager
async def connect(
    spec: ServerSpec,
    *,
    era: EraChoice = "auto",
    timeout: float = 15.0,
    limits: Limits = DEFAULT_LIMITS,
    ui: bool = True,
    on_stderr: Callable[[str], None] | None = None,
    on_noise: Callable[[str], None] | None = None,
    on_notification: Callable[[str, JsonObject], None] | None = None,
    process: ServerProcess | None = None,
) -> AsyncIterator[Client]:
    """Start or reach a server and shake hands; leaving the block ends what was started.

    Args:
        spec: What to start, or the URL to reach; with both, it is started and reached there.
        era: Which handshake to use; `auto` prefers the modern one.
        timeout: Seconds for the start and the handshake together; later also for one list.
        limits: Bounds on memory and waiting.
        ui: Whether to declare MCP Apps; without it servers see a host that shows no Views.
        on_stderr: Called with each line of the server's stderr.
        on_noise: Called with each line of its stdout that is no JSON-RPC.
        on_notification: Called with method and params of each notification.
        process: A server that was started before, to be used instead of starting one; it is
            ended with the connection.

    Raises:
        ServerError: The server could not be started or reached, or does not speak MCP in time;
            `details` has its last stderr lines.
    """
    opening = _Opening(spec, timeout, limits, ui, on_noise, on_notification)
    async with AsyncExitStack() as stack:
        if spec.url is not None and spec.command:
            client = await opening.over_started_http(stack, era, on_stderr)
        elif spec.url is not None:
            client = await opening.over_http(stack, spec.url, era)
        elif process is not None or era != "auto":
            client = await opening.over_stdio(stack, era, process, on_stderr)
        else:
            client = await opening.over_stdio_in_any_era(stack, on_stderr)
        yield client


@asynccontextmanager
async def converse(
    transport: Transport, *, era: EraChoice = "auto", timeout: float = 15.0
) -> AsyncIterator[Client]:
    """Shake hands over a transport; leaving the block closes it.

    Args:
        transport: Not started yet.
        era: Which handshake to use.
        timeout: Seconds for the handshake; later also for one list.

    Raises:
        ServerError: The other side does not speak MCP in time.
    """
    opening = _Opening(ServerSpec(), timeout, DEFAULT_LIMITS, True, None, None)
    async with AsyncExitStack() as stack:
        peer = opening.peer(stack, transport, tuple)
        try:
            client = await opening.client(peer, era, tuple)
        except TimeoutError:
            raise ServerError(f"the server did not answer within {timeout:g} s") from None
        yield client


@dataclass(frozen=True, slots=True)
class _Opening:
    spec: ServerSpec
    timeout: float
    limits: Limits
    ui: bool
    on_noise: Callable[[str], None] | None
    on_notification: Callable[[str, JsonObject], None] | None

    async def over_stdio_in_any_era(
        self, stack: AsyncExitStack, on_stderr: Callable[[str], None] | None
    ) -> Client:
        """Start the server; once more when the probe of the modern era made it end."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.timeout
        held = _HeldLines(on_stderr)
        try:
            return await self.over_stdio(stack, "auto", None, held)
        except failure.EndedUnheard as ended:
            left = deadline - loop.time()
            if failure.is_own_fault(ended.details) or left <= 0:
                raise
            held.drop()
        finally:
            held.release()
        # Servers on the Rust SDK end when the first request is not `initialize`.
        again = replace(self, timeout=left)
        return await again.over_stdio(stack, "legacy", None, on_stderr)

    async def over_stdio(
        self,
        stack: AsyncExitStack,
        era: EraChoice,
        process: ServerProcess | None,
        on_stderr: Callable[[str], None] | None,
    ) -> Client:
        async with AsyncExitStack() as attempt:
            hide = ProbeComplaint() if era == "auto" else None
            if process is None:
                process = await start_process(
                    self.spec, limits=self.limits, on_stderr=on_stderr, hide=hide
                )
            else:
                process.report_stderr(on_stderr, hide)
            attempt.push_async_callback(process.end)
            transport = StdioTransport(
                process.stdout, process.stdin, limits=self.limits, wait_end=process.wait_end
            )
            tail = _tail_of(process)
            peer = self.peer(attempt, transport, tail)
            try:
                client = await self.client(peer, era, tail)
            except (ServerError, TimeoutError) as error:
                raise failure.explain_stdio(
                    *(error, self.spec, self.timeout, peer, process.returncode, tail())
                ) from error
            stack.push_async_exit(attempt.pop_all())
            return client

    async def over_http(self, stack: AsyncExitStack, url: str, era: EraChoice) -> Client:
        # httpx takes a tenth of a second to import; stdio servers need none of it.
        from mcpapps_cli.rpc.http import HttpTransport

        transport = HttpTransport(url, self.spec.headers, limits=self.limits)
        peer = self.peer(stack, transport, tuple)
        try:
            return await self.client(peer, era, tuple)
        except TimeoutError:
            raise failure.silent_url(url, self.timeout) from None

    async def over_started_http(
        self, stack: AsyncExitStack, era: EraChoice, on_stderr: Callable[[str], None] | None
    ) -> Client:
        told, port = with_port(self.spec)
        process = await start_process(told, limits=self.limits, on_stderr=on_stderr)
        stack.push_async_callback(process.end)
        draining = asyncio.create_task(drain(process, on_stderr or (lambda line: None)))
        stack.callback(draining.cancel)
        there = at_port(self.spec, port)
        return await when_it_listens(
            stack,
            lambda: connect(
                there,
                era=era,
                timeout=self.timeout,
                limits=self.limits,
                ui=self.ui,
                on_notification=self.on_notification,
            ),
            process,
            label=self.spec.label,
            timeout=self.timeout,
        )

    def peer(
        self, stack: AsyncExitStack, transport: Transport, tail: Callable[[], Sequence[str]]
    ) -> Peer:
        peer = Peer(
            transport,
            limits=self.limits,
            on_noise=self.on_noise,
            on_notification=self.on_notification,
            evidence=tail,
        )
        stack.push_async_callback(peer.aclose)
        return peer

    async def client(self, peer: Peer, era: EraChoice, tail: Callable[[], Sequence[str]]) -> Client:
        async with asyncio.timeout(self.timeout):
            agreement = await agree(peer, era=era, ui=self.ui)
        return Client(
            *(peer, agreement),
            ui=self.ui,
            timeout=self.timeout,
            limits=self.limits,
            stderr_tail=tail,
        )


def _tail_of(process: ServerProcess) -> Callable[[], Sequence[str]]:
    return lambda: process.stderr_tail


class _HeldLines:
    """Keeps the stderr of a try back until it is clear that the try counts."""

    def __init__(self, report: Callable[[str], None] | None):
        self._report = report
        self._held: list[str] | None = []
        self._timer = asyncio.get_running_loop().call_later(_HOLD_SECONDS, self.release)

    def __call__(self, line: str) -> None:
        if self._held is not None:
            self._held.append(line)
        elif self._report is not None:
            self._report(line)

    def release(self) -> None:
        """Report what is held, and from now on everything at once."""
        self._timer.cancel()
        lines, self._held = self._held or [], None
        for line in lines:
            self(line)

    def drop(self) -> None:
        """Forget what is held and whatever comes."""
        self._timer.cancel()
        self._held = None
        self._report = None
