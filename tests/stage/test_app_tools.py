"""Tools that a View provides, from its answer to the page's list and back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from mcpapps_cli.stage import Stage
from tests.stage.backend import MemoryBackend, text_result, tool
from tests.stage.peer import INITIALIZE, INITIALIZED, PROXY_READY, PagePeer, page

pytestmark = pytest.mark.anyio
URI = "ui://weather/forecast"
HOSTS = {"spec": {"app-tools": True}}
SCHEMA = {"type": "object"}


@asynccontextmanager
async def serve() -> AsyncIterator[PagePeer]:
    backend = MemoryBackend(
        tools=[tool("forecast", URI), tool("lookup")],
        pages={URI: "<!doctype html><title>x</title>"},
        results={"forecast": text_result("sunny"), "lookup": text_result("found")},
    )
    async with Stage(backend, port=0, sandbox_port=0, hosts=HOSTS) as stage, page(stage) as peer:
        yield peer


async def open_view(peer: PagePeer) -> dict[str, Any]:
    """Bring a View that declares tools of its own through the handshake."""
    await peer.call("forecast")
    mount = await peer.until("mount")
    await peer.post(mount, PROXY_READY)
    await peer.sent("ui/notifications/sandbox-resource-ready")
    capabilities = {"appCapabilities": {"tools": {"listChanged": True}}}
    await peer.post(mount, {**INITIALIZE, "params": {**INITIALIZE["params"], **capabilities}})  # type: ignore[dict-item]
    await peer.until("send")
    await peer.post(mount, INITIALIZED)
    return mount


async def answer(peer: PagePeer, mount: dict[str, Any], method: str, **result: Any) -> Any:
    """Answer the next request of the host, which is returned."""
    request = await peer.sent(method)
    await peer.post(mount, {"jsonrpc": "2.0", "id": request["id"], "result": result})
    return request


def provided(message: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each["name"], each["server"]) for each in message["tools"] if "/" in each["server"]]


async def test_k122_tools_of_a_view_are_listed_change_and_go_with_it() -> None:
    async with serve() as peer:
        mount = await open_view(peer)
        await answer(peer, mount, "tools/list", tools=[{"name": "zoom", "inputSchema": SCHEMA}])
        listed = await peer.until("inventory")
        changed = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
        await peer.post(mount, changed)
        await answer(peer, mount, "tools/list", tools=[{"name": "pan", "inputSchema": SCHEMA}])
        later = await peer.until("inventory")
        await peer.send(type="close", view="v1")
        teardown = await peer.sent("ui/resource-teardown")
        await peer.post(mount, {"jsonrpc": "2.0", "id": teardown["id"], "result": {}})
        gone = await peer.until("inventory")
    assert provided(listed) == [("zoom", "weather/v1")]
    assert provided(later) == [("pan", "weather/v1")]
    assert provided(gone) == []
    assert [each["name"] for each in gone["tools"]] == ["forecast", "lookup"]


async def test_k119_a_tool_of_a_view_is_called_where_it_is_listed() -> None:
    async with serve() as peer:
        mount = await open_view(peer)
        await answer(peer, mount, "tools/list", tools=[{"name": "zoom", "inputSchema": SCHEMA}])
        listed = await peer.until("inventory")
        ((name, server),) = provided(listed)
        call = {"type": "call", "tool": name, "server": server, "arguments": {"level": 3}}
        await peer.send(**call, context={})
        request = await answer(peer, mount, "tools/call", **text_result("zoomed"))
        shown = await peer.until("app-tool-result")
        # By its name alone it is no tool of a server.
        await peer.send(type="call", tool="zoom", arguments={}, context={}, server="other")
        note = await peer.until("note", view=None)
    assert request["params"] == {"name": "zoom", "arguments": {"level": 3}}
    assert (shown["view"], shown["result"]) == ("v1", text_result("zoomed"))
    assert note["text"] == 'there is no server "other"; there is weather'


async def test_k121_a_name_that_comes_to_mean_two_tools_is_told_and_the_servers_stays() -> None:
    async with serve() as peer:
        mount = await open_view(peer)
        await answer(peer, mount, "tools/list", tools=[{"name": "lookup", "inputSchema": SCHEMA}])
        note = await peer.until("note", level="warning")
        await peer.send(type="call", tool="lookup", arguments={}, context={})
        finished = await peer.until("finished", view="v2")
    assert note["view"] == "v1"
    assert '"weather/v1/lookup"' in note["text"]
    assert '"weather/lookup"' in note["text"]
    assert finished["result"] == text_result("found")


async def test_k123_tools_of_a_view_are_listed_in_its_own_page_only() -> None:
    backend = MemoryBackend(
        tools=[tool("forecast", URI)],
        pages={URI: "<!doctype html><title>x</title>"},
        results={"forecast": text_result("sunny")},
    )
    async with (
        Stage(backend, port=0, sandbox_port=0, hosts=HOSTS) as stage,
        page(stage) as peer,
        page(stage) as other,
    ):
        await other.until("hello")
        mount = await open_view(peer)
        await answer(peer, mount, "tools/list", tools=[{"name": "zoom", "inputSchema": SCHEMA}])
        listed = await peer.until("inventory")
        await stage.refresh()
        elsewhere = await other.until("inventory")
    assert provided(listed) == [("zoom", "weather/v1")]
    assert provided(elsewhere) == []
