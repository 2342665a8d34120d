"""The View gets the result of its call without `structuredContent`."""

from __future__ import annotations

from mcpapps_cli.host.event import Event, ToolResult
from mcpapps_cli.host.profiles import Source
from mcpapps_cli.host.quirks import Quirk


def _drop(event: Event) -> Event | None:
    if not isinstance(event, ToolResult):
        return event
    return ToolResult({k: v for k, v in event.result.items() if k != "structuredContent"})


QUIRK = Quirk(
    name="structured-content-dropped",
    title="the result reaches the View without structuredContent",
    source=Source(
        "https://github.com/modelcontextprotocol/ext-apps/issues/696", "2026-08-19", "report"
    ),
    event=_drop,
)
