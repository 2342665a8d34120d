"""One Chromium for all Views of a run, through Playwright's synchronous API."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from mcpapps_cli.errors import UserError
from mcpapps_cli.stage.browser import BROWSER_VARIABLE, find_browser, playwright_flags
from mcpapps_cli.words import plain

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

_LINES = 5
_MISSING = 'pip install "mcpapps-cli[browser]"'


class Browser:
    """A Chromium that is started for the first page and ended by `close`.

    Playwright leaves its own event loop marked as the running one of the thread, so that no other
    could run there. `park` takes the mark away between two uses, and `new_context` puts it back.
    """

    def __init__(self) -> None:
        self._playwright: Any = None
        self._browser: Any = None
        self._inner: asyncio.AbstractEventLoop | None = None
        self._outer: asyncio.AbstractEventLoop | None = None
        self._parked = True

    def new_context(self, *, size: tuple[int, int], theme: str | None) -> BrowserContext:
        """Return a fresh browser context.

        Args:
            size: The window in CSS pixels.
            theme: `light` or `dark`, which is what the browser prefers too.

        Raises:
            UserError: there is no Playwright or no browser; `help` says how to get one.
        """
        self._unpark()
        if self._browser is None:
            self._start()
        context: BrowserContext = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if theme == "dark" else "light",
        )
        return context

    def park(self) -> None:
        """Let other event loops run in this thread until the next context."""
        if not self._parked:
            self._parked = True
            self._inner = asyncio._get_running_loop()
            asyncio._set_running_loop(self._outer)

    def close(self) -> None:
        """End the browser."""
        if self._playwright is None:
            return
        self._unpark()
        try:
            if self._browser is not None:
                self._browser.close()
            self._playwright.stop()
        finally:
            self._playwright = self._browser = None
            asyncio._set_running_loop(self._outer)
            self._parked, self._inner = True, None

    def _unpark(self) -> None:
        if self._parked:
            self._parked = False
            self._outer = asyncio._get_running_loop()
            asyncio._set_running_loop(self._inner)

    def _start(self) -> None:
        try:
            from playwright.sync_api import Error, sync_playwright
        except ImportError as exc:
            raise UserError(
                "a View needs the package playwright to be shown", help=_MISSING
            ) from exc
        program = find_browser()
        self._playwright = sync_playwright().start()
        try:
            self._browser = self._playwright.chromium.launch(
                executable_path=None if program is None else str(program), args=playwright_flags()
            )
        except Error as exc:
            if program is not None:
                lines = exc.message.strip().splitlines()
                # Playwright repeats what the browser complained of.
                said = dict.fromkeys(plain(line.partition("[err]")[2].strip()) for line in lines)
                raise UserError(
                    f'"{program}" could not be started: {lines[0]}',
                    details=tuple(filter(None, said))[-_LINES:],
                ) from exc
            raise UserError(
                "no Chrome, Edge or Chromium was found",
                help=f"install one, run `playwright install chromium`, or set {BROWSER_VARIABLE}",
            ) from exc
