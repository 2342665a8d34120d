"""A real browser, and the host page in it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.async_api import (
    Browser,
    Error,
    Page,
    WebSocket,
    async_playwright,
    expect,
)

from mcpapps_cli.stage import Stage, StageEvent
from tests.stage.backend import MemoryBackend

expect.set_options(timeout=30_000)

CURRENT = "iframe:not(.spare, .leaving)"
"""A turn's frame, which may have one in reserve and one that goes beside it."""


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def browser(
    anyio_backend: str, chromium: Path, chromium_flags: list[str]
) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(
            executable_path=str(chromium), args=chromium_flags
        )
        yield launched
        await launched.close()


class Told:
    """The stage's events, for those who wait for one."""

    def __init__(self) -> None:
        self.events: list[StageEvent] = []
        self._news = asyncio.Event()

    def add(self, event: StageEvent) -> None:
        self.events.append(event)
        self._news.set()

    async def until(self, fact: Callable[[], bool]) -> None:
        async with asyncio.timeout(30):
            while not fact():
                self._news.clear()
                await self._news.wait()


class Scene:
    """A stage, its page, and what both told."""

    def __init__(self, backend: MemoryBackend, stage: Stage, page: Page, told: Told):
        self.backend = backend
        self.stage = stage
        self.page = page
        self.told = told
        self.errors: list[str] = []
        self.sent: list[str] = []
        page.on("pageerror", self._note_error)
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda text: self.sent.append(str(text)))

    def _note_error(self, error: Error) -> None:
        # Errors of the Views' own scripts come here too.
        if "http://127.0.0.1" in (error.stack or ""):
            self.errors.append(str(error))

    async def call(self, tool: str, **arguments: Any) -> None:
        """Open the page so that it calls a tool at once."""
        query = f"&tool={quote(tool)}&args={quote(json.dumps(arguments))}"
        await self.page.goto(self.stage.url + query)

    async def step(self, name: str, state: str = "ok") -> None:
        """Wait until a rung of the ladder shows a state."""
        await self.page.locator(f"[data-step={name}][data-state={state}]").wait_for()

    @property
    def events(self) -> list[StageEvent]:
        return self.told.events

    def all(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    async def until(self, fact: Callable[[], bool]) -> None:
        """Wait until what the stage told makes something true."""
        await self.told.until(fact)

    def view(self) -> Any:
        """The View's own frame."""
        return self.page.frame_locator(f"view-turn {CURRENT}").frame_locator("iframe")


Open = Callable[..., Coroutine[Any, Any, Scene]]


@pytest.fixture
async def scene(browser: Browser) -> AsyncIterator[Open]:
    """Return what serves a backend and opens an empty page for it."""
    async with AsyncExitStack() as stack:

        async def open_scene(backend: MemoryBackend, **options: Any) -> Scene:
            return await stack.enter_async_context(_scene(browser, backend, options))

        yield open_scene


@asynccontextmanager
async def _scene(
    browser: Browser, backend: MemoryBackend, options: dict[str, Any]
) -> AsyncIterator[Scene]:
    told = Told()
    screen = {"color_scheme": options.pop("theme", "light")}
    size = options.pop("size", (1280, 800))
    stage = Stage(backend, port=0, sandbox_port=0, on_event=told.add, **options)
    async with stage:
        context = await browser.new_context(
            viewport={"width": size[0], "height": size[1]}, **screen
        )
        page = await context.new_page()
        page.set_default_timeout(30_000)
        made = Scene(backend, stage, page, told)
        yield made
        await context.close()
        assert made.errors == []
