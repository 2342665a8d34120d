"""One connected host page: its WebSocket, and the Views it shows."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from mcpapps_cli.errors import UserError
from mcpapps_cli.stage import host_message as out
from mcpapps_cli.stage import page_message as said
from mcpapps_cli.stage.driver import Driver

if TYPE_CHECKING:
    from mcpapps_cli.host.profiles import Profile

VIEWS_MAX = 20
"""Views of one page; the oldest goes when another one comes."""
QUEUE_MAX = 32 * 2**20
"""Characters waiting to be sent; while there are more, nothing is read from the page."""


class Page:
    """Serves one WebSocket until the page goes.

    Args:
        socket: Accepted.
        new_driver: Makes the driver of a call; the last two arguments are the profile and what
            sends to this page.
        find_profile: Loads a profile by name.
        profile: The profile new Views start with.
    """

    def __init__(
        self,
        socket: WebSocket,
        *,
        new_driver: Callable[[said.Call, Profile, Callable[[out.ToPage], None]], Driver],
        find_profile: Callable[[str], Profile],
        profile: Profile,
    ):
        self._socket = socket
        self._new_driver = new_driver
        self._find_profile = find_profile
        self._profile = profile
        self._drivers: dict[str, Driver] = {}
        self._queue: deque[str] = deque()
        self._queued = 0
        self._filled = asyncio.Event()
        self._drained = asyncio.Event()
        self._drained.set()
        self._tasks: set[asyncio.Task[None]] = set()

    def drivers(self) -> Iterator[Driver]:
        """Return the drivers of the Views that are open now."""
        return iter(tuple(self._drivers.values()))

    def send(self, message: out.ToPage) -> None:
        """Queue a message for the page."""
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

    async def run(self) -> None:
        """Read from and write to the page until it goes; then end its Views."""
        writer = asyncio.create_task(self._write())
        try:
            while True:
                self._hear(await self._socket.receive_text())
                await self._drained.wait()
        except (WebSocketDisconnect, RuntimeError, KeyError):
            # Starlette's answers to a peer that left, and to a frame that is not text.
            pass
        finally:
            writer.cancel()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(writer, *self._tasks, return_exceptions=True)
            for driver in self.drivers():
                await driver.close()

    async def close(self) -> None:
        """Close the WebSocket; `run` then ends."""
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await self._socket.close(1001)

    async def _write(self) -> None:
        try:
            while True:
                await self._filled.wait()
                self._filled.clear()
                while self._queue:
                    text = self._queue.popleft()
                    self._queued -= len(text)
                    if self._queued < QUEUE_MAX // 2:
                        self._drained.set()
                    await self._socket.send_text(text)
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
            case said.ProfileSet(name):
                self._set_profile(name)
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
            case said.Button("cancel"):
                driver.cancel()
            case said.Button("teardown"):
                self._spawn(driver.teardown("the user closed the View"))
            case said.Button("reload"):
                self._spawn(driver.remount())
            case said.Button("close"):
                self._close(driver)

    def _open(self, call: said.Call) -> None:
        while len(self._drivers) >= VIEWS_MAX:
            self._close(next(iter(self._drivers.values())))
        driver = self._new_driver(call, self._profile, self.send)
        self._drivers[driver.view] = driver
        driver.start()

    def _close(self, driver: Driver) -> None:
        self._drivers.pop(driver.view, None)
        self._spawn(self._end(driver))

    async def _end(self, driver: Driver) -> None:
        await driver.teardown("the View is closed")
        await driver.close()
        self.send(out.Closed(type="closed", view=driver.view))

    def _set_profile(self, name: str) -> None:
        try:
            self._profile = self._find_profile(name)
        except UserError as exc:
            self.send(_note(None, exc.message))
            return
        self.send(out.ProfileChanged(type="profile", profile=profile_entry(self._profile)))
        for driver in self.drivers():
            self._spawn(driver.remount(self._profile))

    def _spawn(self, run: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(run)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _note(view: str | None, text: str) -> out.Noted:
    return out.Noted(type="note", view=view, level="warning", text=text, detail=None)


def profile_entry(profile: Profile) -> out.ProfileEntry:
    """Return a profile as the page shows it."""
    modes = list(profile.display_modes)
    return out.ProfileEntry(name=profile.name, title=profile.title, modes=modes)
