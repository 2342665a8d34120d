"""Notes what a mounted View does, from the events of the stage."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from mcpapps_cli.lint.observed import Blocked, Mounted
from mcpapps_cli.wire import PING, SANDBOX_PREFIX, UI_INITIALIZE, UI_INITIALIZED, UI_SIZE_CHANGED

if TYPE_CHECKING:
    from mcpapps_cli.model import JsonObject, Uri
    from mcpapps_cli.stage.event import NoteEvent, StageEvent

_MOST: Final = 50


class Watcher:
    """Takes the events of one View until there is nothing more to wait for.

    Args:
        uri: The View.
        tool: The tool whose call mounts it.
        called: Whether the tool is really called, so that a result comes.
    """

    def __init__(self, uri: Uri, tool: str, called: bool) -> None:
        self._uri = uri
        self._tool = tool
        self._called = called
        self._initialize: JsonObject | None = None
        self._initialized = False
        self._early: list[str] = []
        self._methods: dict[str, None] = {}
        self._blocked: dict[Blocked, None] = {}
        self._errors: dict[str, None] = {}
        self._refused: dict[str, None] = {}
        self._height: float | None = None
        self._ping: object = None
        self._pinged: bool | None = None
        self._seen: bool | None = None
        self._opened = asyncio.Event()
        self._done = asyncio.Event()
        self._alive = asyncio.Event()

    @property
    def is_opened(self) -> bool:
        """Whether the browser has opened the page that makes the call."""
        return self._opened.is_set()

    async def wait_for_page(self, ended: asyncio.Future[Any], seconds: float) -> None:
        """Wait until the page has made the call, the browser has ended, or that many seconds."""
        opened = asyncio.ensure_future(self._opened.wait())
        await asyncio.wait((opened, ended), timeout=seconds, return_when="FIRST_COMPLETED")
        opened.cancel()

    async def wait(self, seconds: float) -> None:
        """Wait until the View has come as far as it will, or that many seconds."""
        await _wait(self._done, seconds)

    async def wait_for_life(self, seconds: float) -> None:
        """Wait until the View has answered a ping and something is seen, or that many seconds."""
        if self._initialized:
            await _wait(self._alive, seconds)

    def mounted(self) -> Mounted:
        """Return what was noted."""
        return Mounted(
            self._uri,
            self._tool,
            initialize=self._initialize,
            initialized=self._initialized,
            early=tuple(self._early),
            methods=tuple(self._methods),
            blocked=tuple(self._blocked),
            errors=tuple(self._errors),
            refused=tuple(self._refused),
            height=self._height,
            pinged=self._pinged,
            visible=self._visible(),
        )

    def take(self, event: StageEvent) -> None:
        """Note one event."""
        from mcpapps_cli.stage import (
            MessageEvent,
            NoteEvent,
            PaintEvent,
            StepEvent,
            ViolationEvent,
        )

        match event:
            case MessageEvent(direction="view-to-host"):
                self._take_message(event.message)
            case MessageEvent(direction="host-to-view"):
                self._take_request(event.message)
            case PaintEvent():
                # What came with or after the result says nothing about the time before.
                self._seen = self._seen or not event.result
                self._take_life()
            case ViolationEvent() if len(self._blocked) < _MOST:
                self._blocked[Blocked(event.directive, event.blocked, event.line)] = None
            case NoteEvent():
                self._take_note(event)
            case StepEvent():
                self._opened.set()
                last = "result" if self._called else "initialized"
                if event.state == "broken" or (event.step == last and event.state == "ok"):
                    self._done.set()

    def _visible(self) -> bool | None:
        # A result may come before the browser has painted at all; then nobody can tell.
        if self._called or not self._initialized:
            return True if self._seen else None
        return self._seen or False

    def _take_request(self, message: Any) -> None:
        if isinstance(message, Mapping) and message.get("method") == PING:
            self._ping, self._pinged = message.get("id"), False

    def _take_life(self) -> None:
        if self._pinged and (self._seen is not None or self._called):
            self._alive.set()

    def _take_note(self, note: NoteEvent) -> None:
        caught = {"script-error": self._errors, "storage": self._refused}.get(note.kind)
        if caught is not None and len(caught) < _MOST:
            caught[note.text.partition(": ")[2]] = None

    def _take_message(self, message: Any) -> None:
        if not isinstance(message, Mapping):
            return
        if not isinstance(method := message.get("method"), str):
            if self._ping is not None and message.get("id") == self._ping:
                self._pinged = True
                self._take_life()
            return
        if method.startswith(SANDBOX_PREFIX):
            # That is the proxy, not the View.
            return
        if len(self._methods) < _MOST:
            self._methods[method] = None
        params = message.get("params")
        fields: Mapping[str, Any] = params if isinstance(params, Mapping) else {}
        if method == UI_INITIALIZE:
            self._initialize = fields if self._initialize is None else self._initialize
        elif method == UI_INITIALIZED:
            self._initialized = True
        elif method == UI_SIZE_CHANGED:
            height = fields.get("height")
            if isinstance(height, int | float) and not isinstance(height, bool):
                self._height = max(self._height or 0.0, float(height))
        elif not self._initialized and "id" in message and len(self._early) < _MOST:
            self._early.append(method)


async def _wait(happened: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await happened.wait()
