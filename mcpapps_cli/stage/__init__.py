"""The emulated host in a browser: two origins, the engine behind a page, a headless browser.

A name's module is imported when the name is first asked for: what only follows events needs
neither the engine nor a web server.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mcpapps_cli.stage.address import Addresses as Addresses
    from mcpapps_cli.stage.backend import Backend as Backend
    from mcpapps_cli.stage.browser import HEADLESS_FLAGS as HEADLESS_FLAGS
    from mcpapps_cli.stage.browser import find_browser as find_browser
    from mcpapps_cli.stage.browser import headless as headless
    from mcpapps_cli.stage.event import MessageEvent as MessageEvent
    from mcpapps_cli.stage.event import NoteEvent as NoteEvent
    from mcpapps_cli.stage.event import PaintEvent as PaintEvent
    from mcpapps_cli.stage.event import StageEvent as StageEvent
    from mcpapps_cli.stage.event import StepEvent as StepEvent
    from mcpapps_cli.stage.event import ViolationEvent as ViolationEvent
    from mcpapps_cli.stage.played import PlayedBackend as PlayedBackend
    from mcpapps_cli.stage.played import open_recording as open_recording
    from mcpapps_cli.stage.stage import Stage as Stage

_PARTS: Final = {
    "address": "Addresses",
    "backend": "Backend",
    "browser": "HEADLESS_FLAGS find_browser headless",
    "event": "MessageEvent NoteEvent PaintEvent StageEvent StepEvent ViolationEvent",
    "played": "PlayedBackend open_recording",
    "stage": "Stage",
}
_PART_OF: Final = {name: part for part, names in _PARTS.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _PART_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PART_OF[name]}"), name)
