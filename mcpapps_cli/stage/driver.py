"""One View of one tool call: the engine on one side, page and server on the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mcpapps_cli.errors import McpAppsError
from mcpapps_cli.host import effect, event
from mcpapps_cli.host.engine import Engine
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.stage.channel import Channel, Injected
from mcpapps_cli.stage.page_message import Call
from mcpapps_cli.stage.prepare import is_read_only, prepare
from mcpapps_cli.stage.question import Answerer, Questions
from mcpapps_cli.stage.report import locate
from mcpapps_cli.stage.sandbox import Sandbox
from mcpapps_cli.stage.screen import Screen
from mcpapps_cli.stage.slot import Slot
from mcpapps_cli.stage.tool_call import Outcome, ToolCall
from mcpapps_cli.stage.upstream import Requests, Timers
from mcpapps_cli.tasks import Tasks

if TYPE_CHECKING:
    from mcpapps_cli.host.mounting import Mounting
    from mcpapps_cli.model import JsonObject
    from mcpapps_cli.stage.backend import Backend
    from mcpapps_cli.stage.emulation import Emulation
    from mcpapps_cli.stage.event import StageEvent
    from mcpapps_cli.stage.host_message import ToPage
    from mcpapps_cli.stage.recorder import Recorder


class Driver:
    """Runs one View: feeds the engine, carries out its effects, keeps what a remount replays.

    Args:
        number: Of the call in this stage; the View is `v` and this number.
        call: The call.
        backend: The server whose tool is called; the View reaches no other.
        sandbox: Where the proxy page is served.
        emulation: The emulated host.
        probe: Whether the diagnostics probe goes into the document.
        ids: JSON-RPC ids of requests to Views, shared by every driver of the stage.
        send: Sends one message to the page.
        on_event: Told of every step, violation, message and note.
        on_tools: Told the tools that the View provides whenever they change; None once it is gone
            for good.
        recorder: Where the View's messages are written; None for nowhere.
        answer: Answers what the user would be asked.
        reloads: Whether the View will be mounted anew often: then the page has the next frame's
            proxy page ready, and shows the old frame until the new one can be seen.
    """

    def __init__(
        self,
        number: int,
        call: Call,
        *,
        backend: Backend,
        sandbox: Sandbox,
        emulation: Emulation,
        probe: bool,
        ids: Iterator[int],
        send: Callable[[ToPage], None],
        on_event: Callable[[StageEvent], None],
        on_tools: Callable[[str, tuple[JsonObject, ...] | None], None] = lambda view, tools: None,
        recorder: Recorder | None = None,
        answer: Answerer | None = None,
        reloads: bool = False,
    ):
        self.view = f"v{number}"
        self.tool = call.tool
        self.uri: str | None = None
        self.backend = backend
        self._context = call.context
        self._on_tools = on_tools
        self._emulation = emulation
        self._probe = probe
        self._ids = ids
        self._screen = Screen(self.view, self.tool, send=send, on_event=on_event, recorder=recorder)
        self._tasks = Tasks(on_end=self._heed, on_fault=self._show_fault)
        self._questions = Questions(self._screen.ask, answerer=answer, on_answer=self.answer)
        self._channel = Channel(
            backend, emulation=emulation, ask=self._questions.ask, inject=self._inject
        )
        self._call = ToolCall(
            call,
            channel=self._channel,
            reserve_id=backend.reserve_id,
            tools=self._tools,
            spawn=self._tasks.start,
            on_outcome=self._show_outcome,
        )
        self._requests = Requests(self._channel, self.feed)
        self._timers = Timers(self.feed)
        self._slot = Slot(
            sandbox,
            owner=backend.name,
            on_violation=self._take_violation,
            on_missing=self._take_missing,
        )
        self._reloads = reloads
        self._engine: Engine | None = None
        self._frame: effect.Mount | None = None
        self.is_suspended = self._closed = self._again = False
        self._gone: event.ServerGone | None = None
        self._unmounted = asyncio.Event()
        self._unmounted.set()
        # One mounting at a time; a remount that waits already stands for those asked meanwhile.
        self._turn = asyncio.Lock()
        self._waiting = self._replaced = self._silent = False

    # --- what the page and the stage ask for

    def start(self) -> None:
        """Call the tool and mount its View, at the same time."""
        self._begin()
        self._tasks.start(self.remount())

    def write(self, arguments: JsonObject, *, complete: bool) -> None:
        """Take arguments of a call that was held: a part of them, or all, which makes the call."""
        if not self._call.held or self._call.outcome is not None:
            return
        if not complete:
            self._call.arguments = arguments
            self.feed(event.ToolInputPartial(arguments))
            return
        self.feed(event.ToolInput(arguments))
        self._call.complete(arguments)

    def feed(self, happened: event.Event) -> None:
        """Let the engine handle an event and carry out what it wants."""
        if self._engine is not None:
            self._perform(self._engine.handle(happened))

    def post(self, frame: int, message: Any) -> None:
        """Take a message that the frame posted; one of an earlier frame comes too late."""
        if frame == self._slot.number and not self._unmounted.is_set():
            self._screen.posted(message)
            self.feed(event.ViewMessage(message))

    def note(self, text: str) -> None:
        """Show a warning about the View."""
        self._screen.note("warning", text)

    def dropped(self, count: int, reason: str) -> None:
        """Take note of messages of the View that the page did not relay."""
        self._screen.note("warning", f"{count} messages of the View were dropped: {reason}")

    def observe(self, frame: int, report: event.ProbeReport) -> None:
        """Take a report of the probe or of the proxy page."""
        if frame != self._slot.number:
            return
        if report.kind == "painted":
            self._screen.seen(result=report.detail.get("result") is not False)
        report = replace(report, detail=self._slot.as_written(report.detail))
        if (violation := self._slot.violation_in(report)) is not None:
            self._show_violation(violation)
        else:
            self.feed(report)

    def change_context(self, changes: JsonObject) -> None:
        """Change whole top-level keys of the host context, for this frame and later ones."""
        self._context = {**self._context, **changes}
        self.feed(event.ContextChange(changes))

    def relist(self) -> None:
        """Take note that the server listed its tools anew: the View may call these from now on."""
        self.feed(event.ToolsListed(self._tools() or ()))

    def answer(self, request: int, allowed: bool, result: JsonObject | None) -> None:
        """Take the user's answer to a question of the engine, or of the server."""
        if not self._questions.answer(request, allowed, result):
            self.feed(event.UserAnswer(request, allowed, result))

    def call_app_tool(self, call: int, name: str, arguments: JsonObject) -> None:
        """Call a tool that the View itself provides."""
        self.feed(event.CallAppTool(call, name, arguments))

    def cancel(self) -> None:
        """Cancel the tool call unless it has ended."""
        self._call.cancel()

    async def teardown(self, reason: str) -> None:
        """Ask the View to go, with a deadline, and remove its frame."""
        if not self._unmounted.is_set():
            hurry = self._replaced and self._silent
            patience = event.HURRIED_TEARDOWN_SECONDS if hurry else event.TEARDOWN_SECONDS
            self.feed(event.CloseRequested(reason, patience))
            await self._unmounted.wait()

    async def remount(self, emulation: Emulation | None = None) -> None:
        """Mount the View from a fresh read, replaying input and result; no tool is called."""
        if emulation is not None:
            self._emulation = emulation
            self._channel.emulation = emulation
        if self._waiting or self.is_suspended:
            return
        self._waiting = True
        async with self._turn:
            self._waiting = False
            if self._call.owed and self._tools() is not None:
                self._begin()
            self._replaced = self._reloads
            again, self._again = self._again, False
            if again:
                # The new document is told the id of the new call.
                self._call.renew()
            # Nothing is shown of the new one before the old one has gone.
            steps: list[effect.Step] = []
            mounting, _ = await asyncio.gather(
                self._prepare(steps.append), self.teardown("the View is loaded anew")
            )
            if mounting is None and self._replaced and self._slot.number:
                self._screen.unmounted(self._slot.number, "there is no View to be mounted")
            for step in steps:
                self._screen.step(step)
            if again:
                self._gone = None
                self._call.repeat()
            if mounting is not None and not self.is_suspended:
                self._mount(mounting)
            self._replaced = False

    async def refresh(self) -> None:
        """Mount the View anew after its server was replaced.

        A result whose schema has changed since is not one that the server would give now: a tool
        annotated as read-only is called again, for another one that is offered.
        """
        outdated = self._call.is_outdated()
        self._again |= outdated and is_read_only(self._call.entry())
        await self.remount()
        if outdated and self._call.outcome is not None:
            self._screen.outdated()

    def call_again(self) -> None:
        """Call the tool again with the same arguments, and mount its View anew."""
        self._again = True
        self._tasks.start(self.remount())

    def suspend(self) -> None:
        """Do without a frame, for there is no page to show it; the call goes on."""
        self.is_suspended = True
        if not self._unmounted.is_set():
            self._unmount("the page is away")
        self._engine = None
        self._slot.forget()

    def restore(self) -> None:
        """Show call and View to a page that is back."""
        self.is_suspended = False
        self._show_call()
        self._tasks.start(self.remount())

    async def close(self) -> None:
        """End everything without waiting for the View."""
        self._closed = True
        self._on_tools(self.view, None)
        if not self._unmounted.is_set():
            self._unmount("closed")
        self._engine = None
        self._slot.forget()
        await self._tasks.end()

    # --- the tool call

    def _begin(self) -> None:
        """Show the call and make it."""
        entry = self._call.entry()
        self.uri = apps_metadata(entry).resource_uri if entry is not None else None
        self._show_call()
        self._call.begin()

    def _show_call(self) -> None:
        name, call = self.backend.name, self._call
        self._screen.opened(call.arguments, self.uri, name, hold=call.held)
        if call.outcome is not None:
            self._screen.finished(call.outcome)

    def _show_outcome(self, outcome: Outcome) -> None:
        self._screen.finished(outcome)
        self.feed(outcome)

    def _inject(self, happened: Injected) -> None:
        if isinstance(happened, event.ToolCancelled):
            self._call.finish(happened)
            return
        if isinstance(happened, event.ServerGone):
            self._gone = happened
        self.feed(happened)

    # --- the engine

    async def _prepare(self, report: Callable[[effect.Step], None]) -> Mounting | None:
        return await prepare(
            self._channel,
            self.backend,
            self.tool,
            emulation=self._emulation,
            context=self._context,
            request_id=self._call.request_id,
            probe=self._probe,
            report=report,
        )

    def _mount(self, mounting: Mounting) -> None:
        self.uri = mounting.uri
        self._slot.load(mounting, probe=self._probe)
        # The page may have changed the context while the resource was read.
        self._engine = Engine(replace(mounting, context=self._context), ids=self._ids)
        self._perform(self._engine.start())
        if self._call.held:
            self.feed(event.ToolInputPartial(self._call.arguments))
        else:
            self.feed(event.ToolInput(self._call.arguments))
        if self._gone is not None:
            self.feed(self._gone)
        if self._call.outcome is not None:
            self.feed(self._call.outcome)

    def _tools(self) -> tuple[JsonObject, ...] | None:
        try:
            return self._emulation.quirks.tools(self.backend.inventory().tools)
        except McpAppsError:
            return None

    def _perform(self, wanted: tuple[effect.Effect, ...]) -> None:
        for one in wanted:
            match one:
                case effect.Mount():
                    self._unmounted.clear()
                    self._frame = one
                    self._screen.mounted(self._slot.open(one), one)
                case effect.Send(message):
                    self._screen.sent(self._slot.number, message)
                case effect.Unmount(reason, silent):
                    self._unmount(reason, silent=silent)
                case effect.AskUser(request, kind, detail):
                    self._questions.put(request, kind, detail)
                case effect.CallServer():
                    self._requests.start(one)
                case effect.CancelServer(request):
                    self._requests.cancel(request)
                case effect.StartTimer(name, seconds):
                    self._timers.start(name, seconds)
                case effect.StopTimer(name):
                    self._timers.stop(name)
                case effect.AppTools(tools):
                    self._screen.show(self._slot.number, one)
                    self._on_tools(self.view, tools)
                case effect.SetMode(mode):
                    self._context = {**self._context, "displayMode": mode}
                    self._screen.show(self._slot.number, one)
                case effect.Step("painted"):
                    self._screen.show(self._slot.number, one)
                    self._reserve()
                case _:
                    self._screen.show(self._slot.number, one)

    # --- the frame

    def _reserve(self) -> None:
        """Let the page load the next frame's proxy page, once nothing else needs the time."""
        if self._reloads and self._frame is not None:
            opened = self._slot.reserve(self._frame)
            if opened is not None:
                self._screen.reserved(opened, self._frame)

    def _unmount(self, reason: str, *, silent: bool = False) -> None:
        self._silent = silent
        self._slot.close()
        self._timers.stop_all()
        self._requests.cancel_all()
        self._questions.forget()
        self._screen.unmounted(self._slot.number, reason, replaced=self._replaced)
        self._unmounted.set()

    def _take_violation(self, violation: event.Violation) -> None:
        if not self._slot.is_told_by_the_probe(violation):
            column = self._slot.original_column(violation.line, violation.column)
            self._show_violation(replace(violation, column=column))

    def _show_violation(self, violation: event.Violation) -> None:
        self._screen.violation(found := locate(self._slot.html, violation), self._slot.html)
        self.feed(found)

    def _take_missing(self, path: str) -> None:
        self.note(f'the View asked for "{path}", but a View has no files beside it')

    def _heed(self, task: asyncio.Task[None]) -> None:
        if not self._closed:
            self._call.heed(task)

    def _show_fault(self, fault: BaseException) -> None:
        self._screen.note("error", f"mcpapps failed here: {fault!r}")
