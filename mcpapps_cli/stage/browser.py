"""Finding a Chrome, Edge or Chromium, and running it without a window."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO

from mcpapps_cli.errors import UserError
from mcpapps_cli.files import home

BROWSER_VARIABLE = "MCPAPPS_BROWSER"
HEADLESS_FLAGS = (
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--metrics-recording-only",
    "--mute-audio",
)
"""Flags for a browser that shows no window and talks to nobody but us."""
END_WITHIN = 3.0
"""Seconds a browser gets to end by itself before it is killed."""

_NAMES = (
    *("google-chrome-stable", "google-chrome", "chrome"),
    *("microsoft-edge-stable", "microsoft-edge", "msedge"),
    *("chromium", "chromium-browser"),
)
_MAC_APPS = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "Chromium.app/Contents/MacOS/Chromium",
)
_WINDOWS_APPS = (
    "Google/Chrome/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
    "Chromium/Application/chrome.exe",
)


def playwright_flags() -> list[str]:
    """Return the flags for a browser that Playwright starts, which adds `--headless` itself."""
    return [*(flag for flag in HEADLESS_FLAGS if flag != "--headless"), *_root_flags()]


def _root_flags() -> tuple[str, ...]:
    # Chromium refuses to run its own sandbox as root.
    return ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()


def find_browser(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return a Chrome, Edge or Chromium, or None when there is none.

    Args:
        environ: `MCPAPPS_BROWSER` in it, a path or a command, comes before everything else.

    Raises:
        UserError: `MCPAPPS_BROWSER` names nothing that can be run, or `TMPDIR` no folder that can
            be written to, without which no browser starts.
    """
    temporary = environ.get("TMPDIR")
    if sys.platform != "win32" and temporary and not os.access(temporary, os.W_OK | os.X_OK):
        raise UserError(
            f'TMPDIR is "{temporary}", where a browser cannot write',
            help="make that folder, or unset TMPDIR",
        )
    if chosen := environ.get(BROWSER_VARIABLE):
        found = shutil.which(chosen, path=environ.get("PATH"))
        if found is None:
            raise UserError(
                f'{BROWSER_VARIABLE} is "{chosen}", which cannot be run',
                help="set it to the path of a Chrome, Edge or Chromium, or unset it",
            )
        return Path(found)
    return next(_candidates(environ), None)


def _candidates(environ: Mapping[str, str]) -> Iterator[Path]:
    for name in _NAMES:
        if found := shutil.which(name, path=environ.get("PATH")):
            yield Path(found)
    windows = (environ.get(name) for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"))
    places: dict[str, tuple[list[Path], tuple[str, ...]]] = {
        "darwin": ([Path("/Applications"), home() / "Applications"], _MAC_APPS),
        "win32": ([Path(folder) for folder in windows if folder], _WINDOWS_APPS),
    }
    folders, apps = places.get(sys.platform, ([], ()))
    for app in apps:
        for folder in folders:
            if (folder / app).is_file():
                yield folder / app


@asynccontextmanager
async def headless(
    url: str,
    *,
    browser: Path | None = None,
    size: tuple[int, int] = (1280, 800),
    stderr: IO[bytes] | int = asyncio.subprocess.DEVNULL,
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a browser without a window on a page while the block runs.

    It gets a profile folder of its own, which is removed with it, and is ended with every
    process it started.

    Args:
        url: The page to open.
        browser: The program; None means `find_browser`.
        size: The window in CSS pixels.
        stderr: A file for what it complains of.

    Raises:
        UserError: there is no browser, or it cannot be started.
    """
    program = browser or find_browser()
    if program is None:
        raise UserError(
            "no Chrome, Edge or Chromium was found",
            help=f"install one, or set {BROWSER_VARIABLE} to its path",
        )
    with _profile_folder() as folder:
        process = await _start(program, url, folder, size, stderr)
        try:
            yield process
        finally:
            await _end(process)


@contextlib.contextmanager
def _profile_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="mcpapps-browser-"))
    try:
        yield folder
    finally:
        # A process of the group may still hold a file for a moment on Windows.
        shutil.rmtree(folder, ignore_errors=True)


async def _start(
    program: Path, url: str, folder: Path, size: tuple[int, int], stderr: IO[bytes] | int
) -> asyncio.subprocess.Process:
    window = (f"--user-data-dir={folder}", f"--window-size={size[0]},{size[1]}")
    try:
        return await asyncio.create_subprocess_exec(
            str(program),
            *HEADLESS_FLAGS,
            *_root_flags(),
            *window,
            url,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=stderr,
            # A group of its own: it can be ended whole, and Ctrl-C does not reach it first.
            start_new_session=True,
        )
    except OSError as exc:
        raise UserError(f'"{program}" could not be started: {exc.strerror}') from exc


async def _end(process: asyncio.subprocess.Process) -> None:
    _signal(process, hard=False)
    try:
        await asyncio.wait_for(process.wait(), END_WITHIN)
    except TimeoutError:
        pass
    finally:
        # Also after a clean end: helper processes may outlive the first one.
        _signal(process, hard=True)
        await process.wait()


def _signal(process: asyncio.subprocess.Process, *, hard: bool) -> None:
    if sys.platform == "win32":
        if process.returncode is None:
            process.kill()
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL if hard else signal.SIGTERM)
