"""The emulated host in a browser: two origins, the engine behind a page, a headless browser."""

from mcpapps_cli.stage.address import Addresses
from mcpapps_cli.stage.backend import Backend
from mcpapps_cli.stage.browser import HEADLESS_FLAGS, find_browser, headless
from mcpapps_cli.stage.event import MessageEvent, NoteEvent, StageEvent, StepEvent, ViolationEvent
from mcpapps_cli.stage.played import PlayedBackend, open_recording
from mcpapps_cli.stage.stage import Stage

__all__ = [
    "HEADLESS_FLAGS",
    "Addresses",
    "Backend",
    "MessageEvent",
    "NoteEvent",
    "PlayedBackend",
    "Stage",
    "StageEvent",
    "StepEvent",
    "ViolationEvent",
    "find_browser",
    "headless",
    "open_recording",
]
