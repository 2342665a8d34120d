"""The engine without a browser: a View and a server in memory, and a clock turned by hand."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from typing import Protocol

from mcpapps_cli import wire
from mcpapps_cli.errors import McpAppsError, RpcError
from mcpapps_cli.host import effect as fx
from mcpapps_cli.host.effect import Effect, Step, StepName
from mcpapps_cli.host.engine import Engine
from mcpapps_cli.host.event import (
    Event,
    ProbeReport,
    ServerProgress,
    ServerReply,
    TimerFired,
    UserAnswer,
    ViewMessage,
)
from mcpapps_cli.host.mounting import Mounting
from mcpapps_cli.model import JsonObject

Post = Callable[[object], None]
"""What `postMessage` is to a View: takes any value, returns at once."""


class ViewPeer(Protocol):
    """The code of a View."""

    async def load(self) -> None:
        """Run the document's scripts."""
        ...

    async def receive(self, message: JsonObject) -> None:
        """Take one message of the host."""
        ...


Server = Callable[[str, JsonObject, Callable[[JsonObject], None]], Awaitable[JsonObject | None]]
"""Takes method, params and a function for progress params; returns the result, or None when a
`ServerReply` follows later; raises `RpcError` for an error answer."""


async def no_server(
    method: str, params: JsonObject, progress: Callable[[JsonObject], None]
) -> JsonObject | None:
    """Answer every request with -32601."""
    raise RpcError(wire.METHOD_NOT_FOUND, f"Method not found: {method}")


def allow(question: fx.AskUser) -> UserAnswer | None:
    """Answer every question with yes."""
    return UserAnswer(question.request, allowed=True)


class MemoryHost:
    """Runs one View; plays the sandbox proxy and the browser.

    Nothing runs by itself: every method returns when all that followed has happened.

    Args:
        mounting: The View and the host to be.
        view: Makes the View's code, given its way to post.
        server: Answers the View's requests.
        answer: Answers the engine's questions; None means that a `UserAnswer` follows later.
        ids: See `Engine`.

    Attributes:
        engine: The engine.
        effects: Every effect so far, in order.
        received: Every message the View got.
        posted: Everything the View posted.
        now: Seconds since the start.
    """

    def __init__(
        self,
        mounting: Mounting,
        *,
        view: Callable[[Post], ViewPeer],
        server: Server = no_server,
        answer: Callable[[fx.AskUser], UserAnswer | None] = allow,
        ids: Iterator[int] | None = None,
    ):
        self.engine = Engine(mounting, ids=ids)
        self.effects: list[Effect] = []
        self.received: list[JsonObject] = []
        self.posted: list[object] = []
        self.now = 0.0
        self._make_view = view
        self._server = server
        self._answer = answer
        self._view: ViewPeer | None = None
        self._timers: dict[str, float] = {}
        self._events: deque[Event] = deque()
        self._draining = False

    async def open(self) -> None:
        """Create the frame and load the View."""
        await self._carry_out(self.engine.start())
        await self.feed(ViewMessage({"jsonrpc": "2.0", "method": wire.UI_SANDBOX_PROXY_READY}))

    async def feed(self, *events: Event) -> None:
        """Let events happen, and all that follows from them."""
        self._events.extend(events)
        if self._draining:
            return
        self._draining = True
        try:
            while self._events:
                await self._carry_out(self.engine.handle(self._events.popleft()))
        finally:
            self._draining = False

    async def advance(self, seconds: float) -> None:
        """Let time pass; timers that are due fire in order."""
        end = self.now + seconds
        while self._timers:
            name = min(self._timers, key=self._timers.__getitem__)
            if self._timers[name] > end:
                break
            self.now = self._timers.pop(name)
            await self.feed(TimerFired(name))
        self.now = end

    def steps(self) -> dict[StepName, Step]:
        """Return the newest state of every rung, in the order in which they were first met."""
        return {effect.step: effect for effect in self.effects if isinstance(effect, Step)}

    def post(self, message: object) -> None:
        """Post a message as the View; it is handled by whatever runs, or by the next `feed`."""
        self.posted.append(message)
        self._events.append(ViewMessage(message))

    async def _carry_out(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            self.effects.append(effect)
            match effect:
                case fx.Send({"method": wire.UI_SANDBOX_RESOURCE_READY}):
                    await self._load()
                case fx.Send(message):
                    self.received.append(message)
                    if self._view is not None:
                        await self._view.receive(message)
                case fx.CallServer():
                    await self._call(effect)
                case fx.AskUser():
                    if (answer := self._answer(effect)) is not None:
                        self._events.append(answer)
                case fx.StartTimer(name, seconds):
                    self._timers[name] = self.now + seconds
                case fx.StopTimer(name):
                    self._timers.pop(name, None)
                case fx.Unmount():
                    self._view = None
                case _:
                    pass

    async def _load(self) -> None:
        self._view = self._make_view(self.post)
        await self._view.load()
        self._events.append(ProbeReport("loaded", {"by": "sandbox"}))

    async def _call(self, call: fx.CallServer) -> None:
        def progress(params: JsonObject) -> None:
            self._events.append(ServerProgress(call.request, params))

        try:
            result = await self._server(call.method, call.params, progress)
        except RpcError as exc:
            error: dict[str, object] = {"code": exc.code, "message": exc.message}
            if exc.data is not None:
                error["data"] = exc.data
            self._events.append(ServerReply(call.request, error=error))
        except McpAppsError as exc:
            error = {"code": wire.INTERNAL_ERROR, "message": exc.message}
            self._events.append(ServerReply(call.request, error=error))
        else:
            if result is not None:
                self._events.append(ServerReply(call.request, result=result))
