"""Only the deprecated flat key `ui/resourceUri` links a View."""

from __future__ import annotations

from collections.abc import Mapping

from mcpapps_cli.host.profiles import Source
from mcpapps_cli.host.quirks import Quirk
from mcpapps_cli.model import JsonObject


def _flatten(tool: JsonObject) -> JsonObject:
    meta = tool.get("_meta")
    nested = meta.get("ui") if isinstance(meta, Mapping) else None
    if not isinstance(meta, Mapping) or not isinstance(nested, Mapping):
        return tool
    kept = {key: value for key, value in nested.items() if key != "resourceUri"}
    return {**tool, "_meta": {**meta, "ui": kept}}


QUIRK = Quirk(
    name="flat-key-only",
    title='only the flat key "ui/resourceUri" is read',
    source=Source("https://github.com/anthropics/claude-ai-mcp/issues/71", "2026-02-27", "report"),
    tool=_flatten,
)
