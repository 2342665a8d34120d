"""One View of one tool call: the engine on one side, page and server on the other."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mcpapps_cli import wire
from mcpapps_cli.errors import McpAppsError
from mcpapps_cli.host import effect, event
from mcpapps_cli.host.engine import Engine
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.stage.page_message import Call
from mcpapps_cli.stage.prepare import find_tool, prepare
from mcpapps_cli.stage.probe import Splice, splice_probe
from mcpapps_cli.stage.report import locate
from mcpapps_cli.stage.sandbox import Frame, Sandbox, own_subdomain
from mcpapps_cli.stage.screen import Screen
from mcpapps_cli.stage.upstream import Requests, Timers

if TYPE_CHECKING:
    from mcpapps_cli.host.profiles import Profile
    from mcpapps_cli.model import JsonObject
    from mcpapps_cli.stage.backend import Backend
    from mcpapps_cli.stage.event import StageEvent
    from mcpapps_cli.stage.host_message import ToPage

Outcome = event.ToolResult | event.ToolCancelled


class Driver:
    """Runs one View: feeds the engine, carries out its effects, keeps what a remount replays.

    Args:
        number: Of the call in this stage; the View is `v` and this number, and knows the call
            under it.
        call: The call.
        backend: Where requests go.
        sandbox: Where the proxy page is served.
        profile: The emulated host.
        probe: Whether the diagnostics probe goes into the document.
        ids: JSON-RPC ids of requests to Views, shared by every driver of the stage.
        send: Sends one message to the page.
        on_event: Told of every step, violation, message and note.
    """

    def __init__(
        self,
        number: int,
        call: Call,
        *,
        backend: Backend,
        sandbox: Sandbox,
        profile: Profile,
        probe: bool,
        ids: Iterator[int],
        send: Callable[[ToPage], None],
        on_event: Callable[[StageEvent], None],
    ):
        self.view = f"v{number}"
        self.tool = call.tool
        self.uri: str | None = None
        self._number = number
        self._arguments = call.arguments
        self._context = call.context
        self._profile = profile
        self._backend = backend
        self._sandbox = sandbox
        self._probe = probe
        self._ids = ids
        self._screen = Screen(self.view, self.tool, send=send, on_event=on_event)
        self._requests = Requests(backend, self.feed)
        self._timers = Timers(self.feed)
        self._engine: Engine | None = None
        self._frame = 0
        self._key = ""
        self._html = ""
        self._splice: Splice | None = None
        self._outcome: Outcome | None = None
        self._call: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._unmounted = asyncio.Event()
        self._unmounted.set()
        # One mounting at a time; a remount that waits already stands for those asked meanwhile.
        self._turn = asyncio.Lock()
        self._waiting = False

    # --- what the page and the stage ask for

    def start(self) -> None:
        """Call the tool and mount its View, at the same time."""
        entry = find_tool(self._backend.inventory().tools, self.tool)
        self.uri = apps_metadata(entry).resource_uri if entry is not None else None
        self._screen.opened(self._arguments, self.uri)
        if entry is not None:
            self._call = self._spawn(self._call_tool())
        else:
            self._finish(event.ToolCancelled(f'the server has no tool "{self.tool}"'))
        self._spawn(self.remount())

    def feed(self, happened: event.Event) -> None:
        """Let the engine handle an event and carry out what it wants."""
        if self._engine is not None:
            self._perform(self._engine.handle(happened))

    def post(self, frame: int, message: Any) -> None:
        """Take a message that the frame posted; one of an earlier frame comes too late."""
        if frame == self._frame and self._engine is not None:
            self._screen.posted(message)
            self.feed(event.ViewMessage(message))

    def dropped(self, count: int, reason: str) -> None:
        """Take note of messages of the View that the page did not relay."""
        self._screen.note("warning", f"{count} messages of the View were dropped: {reason}")

    def observe(self, frame: int, report: event.ProbeReport) -> None:
        """Take a report of the probe or of the proxy page."""
        if frame != self._frame:
            return
        if self._splice is not None and isinstance(line := report.detail.get("line"), int):
            column = self._splice.original_column(line, report.detail.get("column"))
            report = replace(report, detail={**report.detail, "column": column})
        self.feed(report)

    def change_context(self, changes: JsonObject) -> None:
        """Change whole top-level keys of the host context, for this frame and later ones."""
        self._context = {**self._context, **changes}
        self.feed(event.ContextChange(changes))

    def answer(self, request: int, allowed: bool, result: JsonObject | None) -> None:
        """Take the user's answer to a question of the engine."""
        self.feed(event.UserAnswer(request, allowed, result))

    def cancel(self) -> None:
        """Cancel the tool call if it still runs."""
        if self._call is not None and not self._call.done():
            self._call.cancel()
            self._finish(event.ToolCancelled("cancelled by the user"))

    async def teardown(self, reason: str) -> None:
        """Ask the View to go, with the engine's deadline, and remove its frame."""
        if not self._unmounted.is_set():
            self.feed(event.CloseRequested(reason))
            await self._unmounted.wait()

    async def remount(self, profile: Profile | None = None) -> None:
        """Mount the View from a fresh read, replaying input and result; no tool is called."""
        self._profile = profile or self._profile
        if self._waiting:
            return
        self._waiting = True
        async with self._turn:
            self._waiting = False
            await self.teardown("the View is loaded anew")
            await self._mount()

    async def close(self) -> None:
        """End everything without waiting for the View."""
        if not self._unmounted.is_set():
            self._unmount("closed")
        self._engine = None
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- the tool call

    async def _call_tool(self) -> None:
        params = {"name": self.tool, "arguments": self._arguments}
        try:
            result = await self._backend.request(wire.TOOLS_CALL, params)
        except McpAppsError as exc:
            self._finish(event.ToolCancelled(exc.message))
        else:
            self._finish(event.ToolResult(result))

    def _finish(self, outcome: Outcome) -> None:
        self._outcome = outcome
        self._screen.finished(outcome)
        self.feed(outcome)

    # --- the engine

    async def _mount(self) -> None:
        self._engine = None
        mounting = await prepare(
            self._backend,
            self.tool,
            profile=self._profile,
            context=self._context,
            request_id=self._number,
            probe=self._probe,
            report=self._screen.step,
        )
        if mounting is None:
            return
        self.uri, self._html = mounting.uri, mounting.html
        # The page may have changed the context while the resource was read.
        self._engine = Engine(replace(mounting, context=self._context), ids=self._ids)
        self._perform(self._engine.start())
        self.feed(event.ToolInput(self._arguments))
        if self._outcome is not None:
            self.feed(self._outcome)

    def _perform(self, wanted: tuple[effect.Effect, ...]) -> None:
        for one in wanted:
            match one:
                case effect.Mount():
                    self._open_frame(one)
                case effect.Send(message):
                    self._screen.sent(self._frame, message)
                case effect.Unmount(reason):
                    self._unmount(reason)
                case effect.CallServer():
                    self._requests.start(one)
                case effect.CancelServer(request):
                    self._requests.cancel(request)
                case effect.StartTimer(name, seconds):
                    self._timers.start(name, seconds)
                case effect.StopTimer(name):
                    self._timers.stop(name)
                case effect.SetMode(mode):
                    self._context = {**self._context, "displayMode": mode}
                    self._screen.show(self._frame, one)
                case _:
                    self._screen.show(self._frame, one)

    # --- the frame

    def _open_frame(self, mount: effect.Mount) -> None:
        self._frame += 1
        self._key, channel = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        self._splice = splice_probe(self._html, channel) if self._probe else None
        self._unmounted.clear()
        self._sandbox.open(
            Frame(
                key=self._key,
                channel=channel,
                policy=mount.policy,
                allow=mount.allow,
                probe=self._splice,
                on_violation=self._take_violation,
                on_missing=self._take_missing,
            )
        )
        own = "allow-same-origin" in mount.sandbox.split()
        subdomain = own_subdomain(self._backend.name, self.uri or "") if own else None
        url = self._sandbox.url(self._key, subdomain=subdomain)
        self._screen.mounted(self._frame, url, channel, mount, own=own)

    def _unmount(self, reason: str) -> None:
        self._sandbox.close(self._key)
        self._timers.stop_all()
        self._requests.cancel_all()
        self._screen.unmounted(self._frame, reason)
        self._unmounted.set()

    def _take_violation(self, violation: event.Violation) -> None:
        if self._splice is not None:
            column = self._splice.original_column(violation.line, violation.column)
            violation = replace(violation, column=column)
        violation = locate(self._html, violation)
        self._screen.violation(violation, self._html)
        self.feed(violation)

    def _take_missing(self, path: str) -> None:
        text = f'the View asked for "{path}", but a View has no files beside it'
        self._screen.note("warning", text)

    def _spawn(self, run: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(run)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
