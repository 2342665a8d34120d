"""What the SDK's answers lack, added on their way out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

from mcpapps_cli import wire
from mcpapps_cli.server.page import Reading, reading
from mcpapps_cli.server.view import ViewResource


@dataclass(frozen=True, slots=True)
class Amend:
    """A middleware of the SDK; it changes answers of its own server only.

    Attributes:
        declared: What the server declares in `capabilities.extensions`. The SDK leaves it out of
            the handshake of 2025-11-25 and older.
        views: The bundled Views.
    """

    declared: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    views: Sequence[ViewResource] = ()

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Answer one message."""
        match ctx.method:
            case wire.INITIALIZE:
                return self._with_extensions(await call_next(ctx))
            case wire.TOOLS_LIST:
                await self._refresh()
                return self._with_current_uris(await call_next(ctx))
            case wire.RESOURCES_LIST:
                await self._refresh()
                return self._with_current_uris(await call_next(ctx))
            case wire.RESOURCES_READ:
                return await self._read(ctx, call_next)
        return await call_next(ctx)

    async def _refresh(self) -> None:
        for view in self.views:
            await view.refresh()

    def _with_extensions(self, result: HandlerResult) -> HandlerResult:
        capabilities = result.get("capabilities") if isinstance(result, dict) else None
        if not isinstance(result, dict) or not isinstance(capabilities, dict) or not self.declared:
            return result
        extensions = {**self.declared, **capabilities.get("extensions", {})}
        return {**result, "capabilities": {**capabilities, "extensions": extensions}}

    def _with_current_uris(self, result: HandlerResult) -> HandlerResult:
        moved = {each.uri: each.current_uri for each in self.views if each.uri != each.current_uri}
        if not moved or not isinstance(result, dict):
            return result
        lists: dict[str, Any] = {
            key: [_moved(entry, moved) for entry in result[key]]
            for key in ("tools", "resources")
            if key in result
        }
        return {**result, **lists}

    async def _read(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        params = dict(ctx.params or {})
        uri = params.get("uri")
        if isinstance(uri, str):
            params["uri"] = next((each.uri for each in self.views if each.answers(uri)), uri)
        current = Reading(ctx)
        token = reading.set(current)
        try:
            result = await call_next(replace(ctx, params=params))
        finally:
            reading.reset(token)
        if not isinstance(result, dict) or "contents" not in result:
            return result
        return {**result, "contents": [_item(each, uri, current) for each in result["contents"]]}


def _moved(entry: dict[str, Any], moved: Mapping[str, str]) -> dict[str, Any]:
    uri = entry.get("uri")
    if isinstance(uri, str) and uri in moved:
        return {**entry, "uri": moved[uri]}
    meta = entry.get("_meta")
    ui = meta.get("ui") if isinstance(meta, dict) else None
    if not isinstance(meta, dict) or not isinstance(ui, dict):
        return entry
    uri = ui.get("resourceUri")
    if not isinstance(uri, str) or uri not in moved:
        return entry
    meta = {**meta, "ui": {**ui, "resourceUri": moved[uri]}}
    if meta.get(wire.FLAT_URI_KEY) == uri:
        meta[wire.FLAT_URI_KEY] = moved[uri]
    return {**entry, "_meta": meta}


def _item(item: dict[str, Any], uri: object, current: Reading) -> dict[str, Any]:
    item = {**item, "uri": uri}
    if current.ui is not None:
        item["_meta"] = {**(item.get("_meta") or {}), "ui": dict(current.ui)}
    return item
