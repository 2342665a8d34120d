"""A result that has a `resource_link` never reaches the View."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpapps_cli.host.event import Event, ToolResult
from mcpapps_cli.host.profiles import Source
from mcpapps_cli.host.quirks import Quirk
from mcpapps_cli.model import JsonObject


def _withhold(event: Event) -> Event | None:
    if isinstance(event, ToolResult) and any(
        isinstance(block, Mapping) and block.get("type") == "resource_link"
        for block in _blocks(event.result)
    ):
        return None
    return event


def _blocks(result: JsonObject) -> list[Any]:
    content = result.get("content")
    return list(content) if isinstance(content, list | tuple) else []


QUIRK = Quirk(
    name="resource-link-withheld",
    title="a result with a resource_link never reaches the View",
    source=Source("https://github.com/anthropics/claude-ai-mcp/issues/753", "2026-08-02", "report"),
    event=_withhold,
)
