"""A result over 150,000 characters is stored, and the View gets a pointer to it."""

from __future__ import annotations

from typing import Final

from mcpapps_cli.host.event import Event, ToolResult
from mcpapps_cli.host.message import text_length
from mcpapps_cli.host.profiles import Source
from mcpapps_cli.host.quirks import Quirk

LIMIT: Final = 150_000
"""Characters of the result's JSON text."""


def _point(event: Event) -> Event | None:
    if not isinstance(event, ToolResult) or text_length(event.result) <= LIMIT:
        return event
    # The words of the real host are not public; that there is no data in them is.
    text = f"The result has more than {LIMIT:,} characters and was written to a file."
    return ToolResult({"content": [{"type": "text", "text": text}]})


QUIRK = Quirk(
    name="large-result-pointer",
    title="a result over 150,000 characters is replaced with a pointer",
    source=Source(
        "https://claude.com/docs/connectors/building/mcp-apps/troubleshooting",
        "2026-08-19",
        "vendor-doc",
    ),
    event=_point,
)
