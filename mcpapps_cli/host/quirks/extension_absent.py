"""The host does not know MCP Apps: it declares nothing and mounts nothing."""

from __future__ import annotations

from collections.abc import Mapping

from mcpapps_cli import wire
from mcpapps_cli.host.profiles import Source
from mcpapps_cli.host.quirks import Quirk
from mcpapps_cli.model import JsonObject


def _plain(tool: JsonObject) -> JsonObject:
    meta = tool.get("_meta")
    if not isinstance(meta, Mapping):
        return tool
    kept = {key: value for key, value in meta.items() if key not in ("ui", wire.FLAT_URI_KEY)}
    return {**tool, "_meta": kept}


QUIRK = Quirk(
    name="extension-absent",
    title="the host does not declare MCP Apps and mounts no View",
    source=Source(
        "https://github.com/nicobailon/pi-mcp-adapter/issues/465", "2026-08-28", "report"
    ),
    tool=_plain,
    declares_apps=False,
)
