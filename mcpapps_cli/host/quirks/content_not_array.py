"""The View gets the result's `content` as one object instead of an array."""

from __future__ import annotations

from mcpapps_cli.host.event import Event, ToolResult
from mcpapps_cli.host.profiles import Source
from mcpapps_cli.host.quirks import Quirk


def _unwrap(event: Event) -> Event | None:
    content = event.result.get("content") if isinstance(event, ToolResult) else None
    if not isinstance(event, ToolResult) or not isinstance(content, list | tuple):
        return event
    first = content[0] if content else {"type": "text", "text": ""}
    return ToolResult({**event.result, "content": first})


QUIRK = Quirk(
    name="content-not-array",
    title="the result's content reaches the View as one object, not an array",
    source=Source("https://github.com/anthropics/claude-code/issues/78387", "2026-08-19", "report"),
    event=_unwrap,
)
