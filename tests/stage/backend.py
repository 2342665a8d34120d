"""A server in memory: tools and hand-written Views, as raw as they come off the wire."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from mcpapps_cli.errors import RpcError
from mcpapps_cli.model import Inventory, JsonObject, Resource

Handler = Callable[[JsonObject], Awaitable[JsonObject]]
MIME = "text/html;profile=mcp-app"


def tool(name: str, uri: str | None = None, **more: Any) -> dict[str, Any]:
    """One raw entry of `tools/list`."""
    ui = {"resourceUri": uri} if uri else {}
    schema = {"type": "object", "properties": {"city": {"type": "string"}}}
    return {"name": name, "inputSchema": schema, "_meta": {"ui": ui}, **more}


def text_result(text: str, **more: Any) -> dict[str, Any]:
    """One raw `CallToolResult`."""
    return {"content": [{"type": "text", "text": text}], **more}


@dataclass
class MemoryBackend:
    """Answers `tools/call` from `results`, `resources/read` from `pages`."""

    tools: list[dict[str, Any]]
    pages: dict[str, str]
    results: dict[str, JsonObject | Handler] = field(default_factory=dict)
    meta: dict[str, Any] = field(default_factory=dict)
    mime: str | None = MIME
    name: str = "weather"
    label: str = "python server.py"
    requests: list[tuple[str, JsonObject]] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    ids: list[int | None] = field(default_factory=list)
    reserved: int = 0

    def inventory(self) -> Inventory:
        return Inventory("modern", "2026-07-28", {"name": self.name}, {}, tuple(self.tools))

    def reserve_id(self, method: str, params: JsonObject) -> int:
        self.reserved += 1
        return self.reserved

    async def request(
        self,
        method: str,
        params: JsonObject,
        *,
        request_id: int | None = None,
        on_progress: Callable[[JsonObject], None] | None = None,
        new_session: bool = False,
    ) -> JsonObject:
        self.requests.append((method, params))
        self.ids.append(request_id)
        if method == "resources/read":
            return {"contents": [self.content(params["uri"])]}
        found = self.results.get(params.get("name", ""))
        if found is None:
            raise RpcError(-32602, f"Unknown tool: {params.get('name')}", {"known": False})
        return await found(params) if callable(found) else found

    async def resource(self, uri: str) -> Resource:
        self.reads.append(uri)
        content = self.content(uri)
        return Resource(uri, None, (content,), content, content["text"])

    def content(self, uri: str) -> dict[str, Any]:
        if uri not in self.pages:
            raise RpcError(-32002, "Resource not found", {"uri": uri})
        meta = {"_meta": {"ui": self.meta}} if self.meta else {}
        mime = {"mimeType": self.mime} if self.mime is not None else {}
        return {"uri": uri, **mime, "text": self.pages[uri], **meta}
