"""One host page: its WebSocket, which may be lost and come back, and the Views it shows."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import secrets
from collections import deque
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from starlette.websockets import WebSocket, WebSocketDisconnect

from mcpapps_cli.errors import UserError
from mcpapps_cli.stage import host_message as out
from mcpapps_cli.stage import page_message as said
from mcpapps_cli.stage.driver import Driver
from mcpapps_cli.stage.emulation import Emulation, Setting
from mcpapps_cli.tasks import Tasks

if TYPE_CHECKING:
    from mcpapps_cli.stage.backend import Backend

VIEWS_MAX = 20
"""Views of one page; the oldest goes when another one comes."""
ENDED = frozenset({1000, 1001})
"""Close codes of a page that has gone for good: it was closed, or shows something else."""
QUEUE_MAX = 32 * 2**20
"""Characters waiting to be sent; while there are more, nothing is read from the page."""


class Page:
    """Serves WebSockets of one page, one after the other, until the page goes.

    Args:
        new_driver: Makes the driver of a call to a server, under an emulated host; the last
            argument sends to this page.
        find_server: Returns the server that a call is for.
        emulate: Makes the emulated host of a setting.
        list_tools: Returns the tools as an emulated host sees them, with those that Views provide.
        setting: The emulated host to begin with.

    Attributes:
        name: Under which it comes back when its connection was lost.
        emulation: The host that new Views get.

    Raises:
        UserError: there is no such host.
    """

    def __init__(
        self,
        *,
        new_driver: Callable[[said.Call, Backend, Emulation, Callable[[out.ToPage], None]], Driver],
        find_server: Callable[[said.Call], Backend],
        emulate: Callable[[Setting], Emulation],
        list_tools: Callable[[Emulation, Collection[str]], list[out.ToolEntry]],
        setting: Setting,
    ):
        self.emulation = emulate(setting)
        self.name = secrets.token_urlsafe(12)
        self._socket: WebSocket | None = None
        self._reader: asyncio.Task[bool] | None = None
        self._left = asyncio.Event()
        self._left.set()
        self._new_driver = new_driver
        self._find_server = find_server
        self._emulate = emulate
        self._list_tools = list_tools
        self._drivers: dict[str, Driver] = {}
        self._shown: set[str] = set()
        self._away = False
        # Numbers of calls that the page itself did not number.
        self._numbers = itertools.count(-1, -1)
        self._queue: deque[str] = deque()
        self._queued = 0
        self._filled = asyncio.Event()
        self._drained = asyncio.Event()
        self._drained.set()
        self._tasks = Tasks()

    def drivers(self) -> Iterator[Driver]:
        """Return the drivers of the Views that are open now."""
        return iter(tuple(self._drivers.values()))

    def shows(self, view: str) -> bool:
        """Whether a View is, or was, one of this page's."""
        return view in self._shown

    def views(self) -> tuple[str, ...]:
        """Return the names of those Views."""
        return tuple(self._drivers)

    def send(self, message: out.ToPage) -> None:
        """Queue a message for the page; one that is away is told all it needs when it is back."""
        if self._away:
            return
        try:
            text = out.write_message(message)
        except ValueError as exc:
            view = message.get("view")
            shown = view if isinstance(view, str) else None
            text = out.write_message(_note(shown, f"a message could not be sent: {exc}"))
        self._queue.append(text)
        self._queued += len(text)
        self._filled.set()
        if self._queued > QUEUE_MAX:
            self._drained.clear()

    async def run(self, socket: WebSocket) -> bool:
        """Read from and write to the page until it goes.

        Returns:
            Whether it may come back: its connection was lost. Then its frames are gone, its calls
            go on, and `restore` shows both again; else `end` is due.
        """
        self._socket = socket
        self._left.clear()
        writer = asyncio.create_task(self._write(socket))
        self._reader = asyncio.create_task(self._read(socket))
        lost = True
        try:
            await asyncio.wait({self._reader})
            if not self._reader.cancelled():
                lost = self._reader.result()
        finally:
            self._socket = None
            self._away = True
            for task in (writer, self._reader):
                task.cancel()
            await asyncio.gather(writer, self._reader, return_exceptions=True)
            await self._tasks.end()
            self._queue.clear()
            self._queued = 0
            for driver in self.drivers():
                driver.suspend()
            self._left.set()
        return lost

    def arrive(self) -> None:
        """Begin to queue messages for the page, which is about to be served."""
        self._away = False

    def restore(self) -> None:
        """Show every View again to a page that has come back."""
        for driver in self.drivers():
            driver.restore()

    async def leave(self) -> None:
        """Give its connection up: the page has come back on another one."""
        if self._reader is not None:
            self._reader.cancel()
        await self._left.wait()

    async def end(self) -> None:
        """End its Views for good."""
        for driver in self.drivers():
            await driver.close()

    async def close(self) -> None:
        """Close the WebSocket; `run` then ends."""
        if self._socket is not None:
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await self._socket.close(1001)

    async def _read(self, socket: WebSocket) -> bool:
        """Hear what the page says until it goes; return whether it may come back."""
        try:
            while True:
                self._hear(await socket.receive_text())
                await self._drained.wait()
        except WebSocketDisconnect as gone:
            return gone.code not in ENDED
        except (RuntimeError, KeyError):
            # Starlette's answers to a closed socket, and to a frame that is not text.
            return False

    async def _write(self, socket: WebSocket) -> None:
        try:
            while True:
                await self._filled.wait()
                self._filled.clear()
                while self._queue:
                    text = self._queue.popleft()
                    self._queued -= len(text)
                    if self._queued < QUEUE_MAX // 2:
                        self._drained.set()
                    await socket.send_text(text)
        finally:
            # The reader must not wait for a writer that has ended; it meets the closed socket.
            self._drained.set()

    def _hear(self, text: str) -> None:
        try:
            heard = said.read_message(text)
        except ValueError as exc:
            self.send(_note(None, f"the page sent something that is no message: {exc}"))
            return
        match heard:
            case said.Call():
                self._open(heard)
            case said.HostSet(setting):
                self.set_host(setting)
            case said.ContextSet(None, changes):
                for driver in self.drivers():
                    driver.change_context(changes)
            case _:
                if (known := self._drivers.get(heard.view or "")) is not None:
                    self._hear_view(known, heard)

    def _hear_view(self, driver: Driver, heard: said.FromPage) -> None:
        match heard:
            case said.Posted(_, frame, message):
                driver.post(frame, message)
            case said.Probed(_, frame, report):
                driver.observe(frame, report)
            case said.Answered(_, request, allowed, result):
                driver.answer(request, allowed, result)
            case said.ContextSet(_, changes):
                driver.change_context(changes)
            case said.Dropped(_, _, count, reason):
                driver.dropped(count, reason)
            case said.Written(_, arguments, complete):
                driver.write(arguments, complete=complete)
            case said.AppToolCall(_, call, name, arguments):
                driver.call_app_tool(call, name, arguments)
            case said.Button("cancel"):
                driver.cancel()
            case said.Button("call-again"):
                driver.call_again()
            case said.Button("teardown"):
                self._tasks.start(driver.teardown("the user closed the View"))
            case said.Button("reload"):
                self._tasks.start(driver.remount())
            case said.Button("close"):
                self._close(driver)

    def _open(self, call: said.Call) -> None:
        provider = self._drivers.get((call.server or "").partition("/")[2])
        if provider is not None:
            # A tool of a View, which the list has under `server/view`.
            provider.call_app_tool(next(self._numbers), call.tool, call.arguments)
            return
        try:
            server = self._find_server(call)
        except UserError as exc:
            help = f"; {exc.help}" if exc.help else ""
            self.send(_note(None, exc.message + help))
            return
        while len(self._drivers) >= VIEWS_MAX:
            self._close(next(iter(self._drivers.values())))
        driver = self._new_driver(call, server, self.emulation, self.send)
        self._drivers[driver.view] = driver
        self._shown.add(driver.view)
        driver.start()

    def _close(self, driver: Driver) -> None:
        self._drivers.pop(driver.view, None)
        self._tasks.start(self._end(driver))

    async def _end(self, driver: Driver) -> None:
        await driver.teardown("the View is closed")
        await driver.close()
        self.send(out.Closed(type="closed", view=driver.view))

    def set_host(self, setting: Setting) -> None:
        """Emulate another host from now on, for the Views that are open too."""
        try:
            self.emulation = self._emulate(setting)
        except UserError as exc:
            self.send(_note(None, "; ".join([exc.message, *exc.details])))
            return
        tools = self._list_tools(self.emulation, self.views())
        entry, names = host_entry(self.emulation), list(self.emulation.names)
        self.send(out.HostChanged(type="host", host=entry, profiles=names, tools=tools))
        self.tell_reduced()
        for driver in self.drivers():
            self._tasks.start(driver.remount(self.emulation))

    def tell_reduced(self) -> None:
        """Say what is not as the emulated host has it."""
        if self.emulation.reduced is not None:
            self.send(_note(None, self.emulation.reduced))


def _note(view: str | None, text: str) -> out.Noted:
    return out.Noted(type="note", view=view, level="warning", text=text, detail=None)


def host_entry(emulation: Emulation) -> out.HostEntry:
    """Return an emulated host as the page shows it."""
    setting = emulation.setting
    profile = emulation.quirks.profile(emulation.profile)
    named = {"": profile.source, **profile.sources}
    return out.HostEntry(
        profile=profile.name,
        title=profile.title,
        modes=list(profile.display_modes),
        quirks=[quirk.name for quirk in emulation.quirks.active],
        faults=list(setting.faults),
        origin=setting.origin,
        context=profile.context,
        styles={theme: dict(variables) for theme, variables in profile.styles.items()},
        unknown=sorted(profile.unknown),
        sources=[
            out.SourceEntry(name=name, text=source.text, date=source.date, kind=source.kind)
            for name, source in named.items()
        ],
    )
