"""The tools that the page of a View calls."""

from __future__ import annotations

from collections.abc import Iterator

from mcpapps_cli.lint.rule import (
    Place,
    Served,
    tool_calls,
)
from mcpapps_cli.model import JsonObject

SAVE = 'if (context.toolInfo) app.callServerTool({ name: "save", arguments: {} });'


def seen_by(who: str) -> JsonObject:
    return {"ui": {"visibility": [who]}}


def called_by(served: Served) -> Iterator[tuple[str, Place]]:
    """Every tool that the page calls by a literal name."""
    for name, code, node in tool_calls(served):
        yield name, served.in_code(code, node.start_byte + 1, node.end_byte - 1)
