"""A View in memory that behaves: it greets, keeps what it is told, and may provide tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from typing import Any, Final

from mcpapps_cli import wire
from mcpapps_cli.host import message
from mcpapps_cli.host.memory import Post
from mcpapps_cli.model import JsonObject

Handler = Callable[[JsonObject], Awaitable[Any]]
"""Takes the arguments of a call; returns a CallToolResult, or any value, which becomes text."""
_INFO: Final = {"name": "memory-view", "version": "1.0.0"}


class MemoryView:
    """A `memory.ViewPeer` with the manners of the official SDK.

    Args:
        post: How it speaks to its host.
        capabilities: `appCapabilities`; `tools` is added when it provides tools at the start.

    Attributes:
        context: The host context, changes merged one level deep.
        host: The result of `ui/initialize`; None before.
        inputs, results: Params of every `tool-input` and `tool-result`.
        partials: Params of every `tool-input-partial`.
        cancelled: Params of every `tool-cancelled`.
        answers: Every response of the host by its id.
        told: The method of every notification and request of the host, in order.
        closed: Whether `ui/resource-teardown` came.
    """

    def __init__(self, post: Post, *, capabilities: JsonObject | None = None):
        self.context: dict[str, Any] = {}
        self.host: JsonObject | None = None
        self.inputs: list[JsonObject] = []
        self.partials: list[JsonObject] = []
        self.results: list[JsonObject] = []
        self.cancelled: list[JsonObject] = []
        self.answers: dict[int | str, JsonObject] = {}
        self.told: list[str] = []
        self.closed = False
        self._post = post
        self._capabilities = dict(capabilities or {})
        self._ids = count(0)
        self._tools: dict[str, tuple[JsonObject, Handler]] = {}

    async def load(self) -> None:
        """Send `ui/initialize`."""
        capabilities = dict(self._capabilities)
        if self._tools:
            capabilities.setdefault("tools", {"listChanged": True})
        self.request(
            wire.UI_INITIALIZE,
            {
                "appInfo": _INFO,
                "appCapabilities": capabilities,
                "protocolVersion": wire.APPS_VERSION,
            },
        )

    def request(self, method: str, params: JsonObject | None = None) -> int:
        """Send a request; return its id, under which `answers` will have the response."""
        id_ = next(self._ids)
        self._post(message.request(id_, method, params or {}))
        return id_

    def notify(self, method: str, params: JsonObject | None = None) -> None:
        """Send a notification."""
        self._post(message.notification(method, params or {}))

    def register_tool(self, name: str, definition: JsonObject, handler: Handler) -> None:
        """Provide a tool, or another one of the same name; the host is told once it listens."""
        self._tools[name] = ({**definition, "name": name}, handler)
        self._tell_change()

    def remove_tool(self, name: str) -> None:
        """Provide a tool no longer; nothing happens when it is none."""
        if self._tools.pop(name, None) is not None:
            self._tell_change()

    def _tell_change(self) -> None:
        if self.host is not None:
            self.notify(wire.TOOLS_LIST_CHANGED)

    async def receive(self, posted: JsonObject) -> None:
        """Take one message of the host."""
        method, params = posted.get("method"), posted.get("params", {})
        if method is None:
            self._take_answer(posted)
            return
        self.told.append(method)
        if "id" in posted:
            await self._answer(posted["id"], method, params)
            return
        match method:
            case wire.UI_TOOL_INPUT:
                self.inputs.append(params)
            case wire.UI_TOOL_INPUT_PARTIAL:
                self.partials.append(params)
            case wire.UI_TOOL_RESULT:
                self.results.append(params)
            case wire.UI_TOOL_CANCELLED:
                self.cancelled.append(params)
            case wire.UI_HOST_CONTEXT_CHANGED:
                self.context.update(params)
            case _:
                pass

    def _take_answer(self, posted: JsonObject) -> None:
        self.answers[posted["id"]] = posted
        if posted["id"] == 0 and "result" in posted:
            self.host = posted["result"]
            self.context = dict(posted["result"]["hostContext"])
            self.notify(wire.UI_INITIALIZED)

    async def _answer(self, id_: int | str, method: str, params: JsonObject) -> None:
        match method:
            case wire.UI_RESOURCE_TEARDOWN:
                self.closed = True
                self._post(message.result(id_, {}))
            case wire.PING:
                self._post(message.result(id_, {}))
            case wire.TOOLS_LIST if self._tools:
                listed = [definition for definition, _ in self._tools.values()]
                self._post(message.result(id_, {"tools": listed}))
            case wire.TOOLS_CALL if self._tools:
                await self._call(id_, params)
            case _:
                self._post(message.error(id_, wire.METHOD_NOT_FOUND, "Method not found"))

    async def _call(self, id_: int | str, params: JsonObject) -> None:
        name, arguments = params.get("name"), params.get("arguments", {})
        if (
            not isinstance(name, str)
            or name not in self._tools
            or not isinstance(arguments, Mapping)
        ):
            text = "Invalid params: no such tool, or arguments that are no object"
            self._post(message.error(id_, wire.INVALID_PARAMS, text))
            return
        try:
            value = await self._tools[name][1](arguments)
        except Exception as exc:
            failed = {"content": [{"type": "text", "text": str(exc)}], "isError": True}
            self._post(message.result(id_, failed))
            return
        if not isinstance(value, Mapping) or "content" not in value:
            value = {"content": [{"type": "text", "text": str(value)}]}
        self._post(message.result(id_, value))
