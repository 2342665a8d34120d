"""A View in memory, and its tools behind a host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mcpapps_cli.host.effect import AppToolResult, AppTools
from mcpapps_cli.host.event import (
    CallAppTool,
    CloseRequested,
    ContextChange,
    ToolCancelled,
    ToolInput,
    ToolInputPartial,
)
from mcpapps_cli.host.memory import MemoryHost
from mcpapps_cli.host.memory_view import MemoryView
from mcpapps_cli.host.registry import Registry
from mcpapps_cli.model import JsonObject
from tests.host.rig import mounting, of


def with_view(*, app_tools: bool = True) -> tuple[MemoryHost, list[MemoryView]]:
    views: list[MemoryView] = []

    async def zoom(arguments: JsonObject) -> object:
        return arguments["level"] * 2

    def make(post: Callable[[object], None]) -> MemoryView:
        view = MemoryView(post)
        view.register_tool("zoom", {"name": "other", "description": "Zooms."}, zoom)
        views.append(view)
        return view

    return MemoryHost(mounting({"app_tools": app_tools}), view=make), views


def method_of(posted: Any) -> str | None:
    method: str | None = posted.get("method")
    return method


@pytest.mark.anyio
async def test_k113_a_view_in_memory_lists_and_answers_its_tools() -> None:
    host, _ = with_view()
    await host.open()
    assert of(host.effects, AppTools) == [
        AppTools(({"name": "zoom", "description": "Zooms."},)),
    ]
    await host.feed(CallAppTool(1, "zoom", {"level": 2}))
    assert of(host.effects, AppToolResult) == [
        AppToolResult(1, result={"content": [{"type": "text", "text": "4"}]})
    ]


@pytest.mark.anyio
async def test_k113_a_handler_that_fails_is_an_error_result() -> None:
    host, _ = with_view()
    await host.open()
    await host.feed(CallAppTool(1, "zoom", {}))
    (told,) = of(host.effects, AppToolResult)
    assert told.result is not None
    assert told.result["isError"] is True


@pytest.mark.anyio
async def test_k113_tools_come_and_go_and_keep_their_order() -> None:
    host, views = with_view()
    await host.open()

    async def echo(arguments: JsonObject) -> object:
        return {"content": [], "structuredContent": dict(arguments)}

    views[0].register_tool("echo", {}, echo)
    await host.feed()
    views[0].remove_tool("zoom")
    views[0].remove_tool("never")
    await host.feed()
    await host.advance(1)
    names = [[tool["name"] for tool in found.tools] for found in of(host.effects, AppTools)]
    assert names == [["zoom"], ["zoom", "echo"], ["echo"]]
    changes = [
        each for each in host.posted if method_of(each) == "notifications/tools/list_changed"
    ]
    assert len(changes) == 2  # one tool came, one went, and one was none
    await host.feed(CallAppTool(1, "echo", {"a": 1}))
    assert of(host.effects, AppToolResult)[-1].result == {
        "content": [],
        "structuredContent": {"a": 1},
    }


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("tools/call", {"name": "fly"}, -32602),
        ("tools/call", {"name": "zoom", "arguments": 3}, -32602),
        ("prompts/list", {}, -32601),
    ],
)
async def test_k113_other_requests_are_refused(
    method: str, params: dict[str, Any], code: int
) -> None:
    posted: list[Any] = []
    view = MemoryView(posted.append)

    async def nothing(arguments: JsonObject) -> object:
        return None

    view.register_tool("zoom", {}, nothing)
    await view.receive({"jsonrpc": "2.0", "id": 9, "method": method, "params": params})
    assert posted[-1]["error"]["code"] == code


@pytest.mark.anyio
async def test_k100_the_tools_of_a_live_view_are_routed_through_the_registry() -> None:
    host, _ = with_view()
    await host.open()
    registry = Registry()
    registry.add("maps", [])
    registry.open_view("v1", "maps")
    for found in of(host.effects, AppTools):
        registry.provide("v1", found.tools)
    meant = registry.route("zoom")
    await host.feed(CallAppTool(1, meant.name, {"level": 4}))
    assert (meant.view, of(host.effects, AppToolResult)[0].result) == (
        "v1",
        {"content": [{"type": "text", "text": "8"}]},
    )


@pytest.mark.anyio
async def test_k109_closing_the_view_leaves_the_server_alone() -> None:
    host, views = with_view()
    await host.open()
    registry = Registry()
    registry.add("maps", [{"name": "route"}])
    registry.open_view("v1", "maps")
    await host.feed(CloseRequested("done"))
    registry.close_view("v1")
    assert views[0].closed
    assert registry.route("route").server == "maps"


@pytest.mark.anyio
async def test_a_view_in_memory_keeps_what_it_is_told() -> None:
    host, views = with_view()
    await host.open()
    await host.feed(
        ToolInputPartial({"city": "Os"}),
        ToolInput({"city": "Oslo"}),
        ToolCancelled("enough"),
        ContextChange({"locale": "nb-NO"}),
    )
    view = views[0]
    assert view.partials == [{"arguments": {"city": "Os"}}]
    assert view.inputs == [{"arguments": {"city": "Oslo"}}]
    assert view.cancelled == [{"reason": "enough"}]
    assert view.context["locale"] == "nb-NO"
    await view.receive({"jsonrpc": "2.0", "id": "p", "method": "ping"})
    assert host.posted[-1] == {"jsonrpc": "2.0", "id": "p", "result": {}}
