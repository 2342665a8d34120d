"""A server with one View and tools of each visibility, as the tests of the page call them."""

from __future__ import annotations

from typing import Any

from tests.stage.backend import MemoryBackend, text_result, tool
from tests.stage.views import view

URI = "ui://weather/forecast"
LADDER = [
    *("server", "tool", "resource", "mime", "html", "frame"),
    *("initialize", "initialized", "input", "result", "painted"),
]


def server(script: str = "", body: str = '<p id="out">waiting</p>', **more: Any) -> MemoryBackend:
    return MemoryBackend(
        tools=[
            tool("forecast", URI),
            {"name": "save", "_meta": {"ui": {"visibility": ["app"]}}},
            {"name": "search", "_meta": {"ui": {"visibility": ["model"]}}},
        ],
        pages={URI: view(script, body)},
        results={"forecast": text_result("sunny"), "save": text_result("saved")},
        **more,
    )
