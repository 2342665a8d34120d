"""The View gets the result of its call without `_meta`."""

from __future__ import annotations

from mcpapps_cli.host.event import Event, ToolResult
from mcpapps_cli.host.profiles import Source
from mcpapps_cli.host.quirks import Quirk


def _drop(event: Event) -> Event | None:
    if not isinstance(event, ToolResult):
        return event
    return ToolResult({k: v for k, v in event.result.items() if k != "_meta"})


QUIRK = Quirk(
    name="meta-dropped",
    title="the result reaches the View without _meta",
    source=Source("https://github.com/anthropics/claude-ai-mcp/issues/563", "2026-08-19", "report"),
    event=_drop,
)
