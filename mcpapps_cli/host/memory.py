"""The engine without a browser: a View and a server in memory, and a clock turned by hand."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from typing import Protocol

from mcpapps_cli import wire
from mcpapps_cli.errors import McpAppsError, RpcError
from mcpapps_cli.host import effect as fx
from mcpapps_cli.host.effect import Effect, Step, StepName
from mcpapps_cli.host.engine import Engine
from mcpapps_cli.host.event import (
    CloseRequested,
    Event,
    ProbeReport,
    ServerGone,
    ServerProgress,
    ServerReply,
    TimerFired,
    ToolCancelled,
    ToolInput,
    ToolResult,
    UserAnswer,
    ViewMessage,
)
from mcpapps_cli.host.faults import Faults, Treatment
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
        faults: What goes wrong on the way to the server, and what the host refuses.
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
        faults: Faults | None = None,
        ids: Iterator[int] | None = None,
    ):
        self._faults = faults or Faults()
        changed = replace(mounting, profile=self._faults.profile(mounting.profile))
        self.engine = Engine(changed, ids=ids)
        self._tool = mounting.tool
        self.effects: list[Effect] = []
        self.received: list[JsonObject] = []
        self.posted: list[object] = []
        self.now = 0.0
        self._make_view = view
        self._server = server
        self._answer = answer
        self._view: ViewPeer | None = None
        self._timers: dict[str, float] = {}
        self._late: list[tuple[float, Callable[[], Awaitable[None]]]] = []
        self._gone: str | None = None
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

    async def call_tool(self, arguments: JsonObject) -> None:
        """Call the View's own tool and tell the View; a slow tool answers in `advance`."""
        await self.feed(ToolInput(arguments))
        params = {"name": self._tool.get("name"), "arguments": arguments}
        treatment = self._faults.treat(wire.TOOLS_CALL, origin="host")
        await self._after(treatment.seconds, lambda: self._make_call(params, treatment))

    async def advance(self, seconds: float) -> None:
        """Let time pass; timers and slow answers that are due come in order."""
        end = self.now + seconds
        while True:
            timer = min(self._timers, key=self._timers.__getitem__, default=None)
            due = end if timer is None else self._timers[timer]
            late = min((at for at, _ in self._late), default=None)
            if late is not None and late <= min(due, end):
                index = next(i for i, (at, _) in enumerate(self._late) if at == late)
                self.now, act = self._late.pop(index)
                await act()
            elif timer is not None and due <= end:
                self.now = self._timers.pop(timer)
                await self.feed(TimerFired(timer))
            else:
                break
            await self.feed()
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

    async def _after(self, seconds: float, act: Callable[[], Awaitable[None]]) -> None:
        if seconds > 0:
            self._late.append((self.now + seconds, act))
        else:
            await act()

    async def _make_call(self, params: JsonObject, treatment: Treatment) -> None:
        reply = await self._ask(wire.TOOLS_CALL, params, treatment, lambda update: None)
        match treatment.outcome:
            case "cancelled":
                await self.feed(ToolCancelled(treatment.reason))
            case "closed":
                await self.feed(CloseRequested(treatment.reason))
            case _ if reply is not None:
                error, result = reply
                ended = (
                    ToolResult(result or {})
                    if error is None
                    else ToolCancelled(str(error["message"]))
                )
                await self.feed(ended)
            case _:
                await self.feed()

    async def _call(self, call: fx.CallServer) -> None:
        treatment = self._faults.treat(call.method, origin="view")
        await self._after(treatment.seconds, lambda: self._reply(call, treatment))

    async def _reply(self, call: fx.CallServer, treatment: Treatment) -> None:
        def progress(params: JsonObject) -> None:
            self._events.append(ServerProgress(call.request, params))

        reply = await self._ask(call.method, call.params, treatment, progress)
        if reply is not None:
            error, result = reply
            if error is not None or result is not None:
                self._events.append(ServerReply(call.request, result=result, error=error))

    async def _ask(
        self,
        method: str,
        params: JsonObject,
        treatment: Treatment,
        progress: Callable[[JsonObject], None],
    ) -> tuple[JsonObject | None, JsonObject | None] | None:
        """Return error and result, or None when there is no answer."""
        match treatment.outcome:
            case "cancelled" | "closed":
                return None
            case "result" | "error":
                return treatment.error, treatment.result
            case "gone":
                self._gone = treatment.reason
                self._events.append(ServerGone(treatment.reason))
                return None
            case _:
                pass
        if self._gone is not None:
            return {"code": wire.INTERNAL_ERROR, "message": self._gone}, None
        try:
            result = await self._server(method, params, progress)
        except RpcError as exc:
            error: dict[str, object] = {"code": exc.code, "message": exc.message}
            if exc.data is not None:
                error["data"] = exc.data
            return (error, None) if treatment.outcome == "ask" else None
        except McpAppsError as exc:
            return {"code": wire.INTERNAL_ERROR, "message": exc.message}, None
        return (None, result) if treatment.outcome == "ask" else None
