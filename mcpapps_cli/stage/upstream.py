"""What one View has under way: its requests to the server and its timers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache

from mcpapps_cli import wire
from mcpapps_cli.errors import McpAppsError, RpcError
from mcpapps_cli.host.effect import CallServer
from mcpapps_cli.host.event import ServerProgress, ServerReply, TimerFired
from mcpapps_cli.host.trace import Tracing, find_tracing, forward_span
from mcpapps_cli.stage.channel import Channel


class Requests:
    """The server requests of one View.

    Args:
        channel: Where they go.
        feed: Takes the replies and the progress, never from within `start`. How many requests may
            be open at once is its business.
    """

    def __init__(self, channel: Channel, feed: Callable[[ServerReply | ServerProgress], None]):
        self._channel = channel
        self._feed = feed
        self._open: dict[int, asyncio.Task[None]] = {}
        # A cancelled request is no longer open, but its task must be kept until it has ended.
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, wanted: CallServer) -> None:
        """Send a request; its reply follows unless it is cancelled."""
        task = asyncio.create_task(self._run(wanted))
        self._open[wanted.request] = task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def cancel(self, request: int) -> None:
        """Cancel a request; nothing happens when it is not open."""
        if (task := self._open.pop(request, None)) is not None:
            task.cancel()

    def cancel_all(self) -> None:
        """Cancel every open request."""
        for request in tuple(self._open):
            self.cancel(request)

    async def _run(self, wanted: CallServer) -> None:
        number = wanted.request
        try:
            with forward_span(wanted.method, wanted.params, tracing=_tracing()):
                result = await self._channel.request(
                    wanted.method,
                    wanted.params,
                    origin="view",
                    on_progress=lambda params: self._feed(ServerProgress(number, params)),
                )
        except RpcError as exc:
            data = {} if exc.data is None else {"data": exc.data}
            self._reply(
                ServerReply(number, error={"code": exc.code, "message": exc.message, **data})
            )
        except McpAppsError as exc:
            error = {"code": wire.IMPLEMENTATION_ERROR, "message": exc.message}
            self._reply(ServerReply(number, error=error))
        else:
            self._reply(ServerReply(number, result=result))

    def _reply(self, reply: ServerReply) -> None:
        self._open.pop(reply.request, None)
        self._feed(reply)


@cache
def _tracing() -> Tracing | None:
    # Looked for when it is first needed: to import it takes time.
    return find_tracing()


class Timers:
    """The named timers of one View, on the running event loop."""

    def __init__(self, feed: Callable[[TimerFired], None]):
        self._feed = feed
        self._running: dict[str, asyncio.TimerHandle] = {}

    def start(self, name: str, seconds: float) -> None:
        """Start or restart a timer."""
        self.stop(name)
        self._running[name] = asyncio.get_running_loop().call_later(seconds, self._fire, name)

    def stop(self, name: str) -> None:
        """Stop a timer; nothing happens when it does not run."""
        if (handle := self._running.pop(name, None)) is not None:
            handle.cancel()

    def stop_all(self) -> None:
        """Stop every timer."""
        for name in tuple(self._running):
            self.stop(name)

    def _fire(self, name: str) -> None:
        del self._running[name]
        self._feed(TimerFired(name))
