"""Several Views and several servers: each View has its own requests and its own server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from mcpapps_cli.model import JsonObject
from mcpapps_cli.stage import Stage
from tests.stage.backend import MemoryBackend, text_result, tool
from tests.stage.peer import PATIENCE, PagePeer, page

pytestmark = pytest.mark.anyio


class Gate:
    """A tool that answers each call when it is let, with the arguments it got."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.begun = asyncio.Event()
        self.ended = asyncio.Event()
        self.given_up: list[JsonObject] = []

    async def __call__(self, params: JsonObject) -> JsonObject:
        self.begun.set()
        try:
            await self.open.wait()
        except asyncio.CancelledError:
            self.given_up.append(params)
            self.ended.set()
            raise
        return text_result(str(params["arguments"]["of"]))


async def soon(event: asyncio.Event) -> None:
    async with asyncio.timeout(PATIENCE):
        await event.wait()


def server(name: str, *more: str, **results: Any) -> MemoryBackend:
    uri = f"ui://{name}/show"
    return MemoryBackend(
        tools=[tool("show", uri), *(tool(each) for each in (*more, *results))],
        pages={uri: "<!doctype html><title>x</title>"},
        results={"show": text_result(name), **results},
        name=name,
    )


@asynccontextmanager
async def serve(*backends: MemoryBackend, **more: Any) -> AsyncIterator[tuple[Stage, PagePeer]]:
    first, *others = backends
    made = Stage(first, others=others, port=0, sandbox_port=0, **more)
    async with made as stage, page(stage) as peer:
        yield stage, peer


async def open_view(peer: PagePeer, server: str) -> dict[str, Any]:
    """Bring a View of a server through the handshake, until it has its result."""
    call = {"type": "call", "tool": "show", "server": server, "arguments": {}}
    await peer.send(**call, context={})
    mount = await peer.until("mount")
    await peer.shake_hands(mount)
    await peer.sent("ui/notifications/tool-result")
    return mount


def request(id_: int, name: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params}


async def answered(peer: PagePeer, mount: dict[str, Any]) -> dict[str, Any]:
    """Return the next message to one View."""
    message: dict[str, Any] = (await peer.until("send", view=mount["view"]))["message"]
    return message


async def test_k123_two_views_of_one_server_get_each_its_own_answers() -> None:
    gate = Gate()
    async with serve(server("maps", slow=gate)) as (_, peer):
        first, second = await open_view(peer, "maps"), await open_view(peer, "maps")
        # An id belongs to the View that chose it.
        await peer.post(first, request(1, "slow", of="first"))
        await peer.post(second, request(1, "slow", of="second"))
        cancel = {"method": "notifications/cancelled", "params": {"requestId": 1}}
        await peer.post(first, {"jsonrpc": "2.0", **cancel})
        # Answered in order: what was cancelled has been taken once this is back.
        await peer.post(first, {"jsonrpc": "2.0", "id": 2, "method": "ping"})
        heard = [await answered(peer, first)]
        gate.open.set()
        heard.append(await answered(peer, second))
    assert heard == [
        {"jsonrpc": "2.0", "id": 2, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "result": text_result("second")},
    ]


async def test_k123_no_two_views_see_the_same_id_of_the_host() -> None:
    async with serve(server("maps")) as (_, peer):
        asked = []
        for _ in range(2):
            mount = await open_view(peer, "maps")
            await peer.send(type="teardown", view=mount["view"])
            asked.append(await peer.sent("ui/resource-teardown"))
    assert asked[0]["id"] != asked[1]["id"]


async def test_k123_a_view_reaches_its_own_server_only() -> None:
    weather, maps = server("weather", "alerts"), server("maps", "route")
    maps.results["route"] = text_result("north")
    async with serve(weather, maps) as (_, peer):
        mount = await open_view(peer, "maps")
        await peer.post(mount, request(1, "route"))
        own = await answered(peer, mount)
        await peer.post(mount, request(2, "alerts"))
        other = await answered(peer, mount)
    assert own["result"] == text_result("north")
    assert other["error"]["code"] == -32602
    assert weather.requests == []
    assert [params["name"] for _, params in maps.requests] == ["show", "route"]


async def test_k123_the_end_of_a_server_is_told_to_its_own_views() -> None:
    gates = Gate(), Gate()
    backends = server("weather", slow=gates[0]), server("maps", slow=gates[1])
    async with serve(*backends) as (stage, peer):
        views = [await open_view(peer, name) for name in ("weather", "maps")]
        for view in views:
            await peer.post(view, request(1, "slow", of=view["view"]))
        for gate in gates:
            await soon(gate.begun)
        stage.server_gone("it ended", server="weather")
        failed = await answered(peer, views[0])
        gates[1].open.set()
        lives = await answered(peer, views[1])
    assert failed["error"]["message"] == "the server is gone: it ended"
    assert lives["result"] == text_result(views[1]["view"])


async def test_k109_closing_a_view_cancels_its_requests_and_nothing_else() -> None:
    gate = Gate()
    async with serve(server("maps", slow=gate)) as (_, peer):
        first, second = await open_view(peer, "maps"), await open_view(peer, "maps")
        for view in (first, second):
            await peer.post(view, request(1, "slow", of=view["view"]))
        await peer.send(type="close", view=first["view"])
        teardown = await peer.sent("ui/resource-teardown")
        await peer.post(first, {"jsonrpc": "2.0", "id": teardown["id"], "result": {}})
        await peer.until("closed", view=first["view"])
        given_up = [params["arguments"] for params in gate.given_up]
        gate.open.set()
        answer = await answered(peer, second)
        third = await open_view(peer, "maps")
    assert given_up == [{"of": first["view"]}]
    assert answer["result"] == text_result(second["view"])
    assert third["view"] == "v3"


async def test_h33_k109_closing_a_view_gives_its_own_call_up() -> None:
    gate = Gate()
    backend = server("maps")
    backend.results["show"] = gate
    async with serve(backend) as (_, peer):
        mount = await peer.open("show", of="it")
        await soon(gate.begun)
        await peer.send(type="close", view=mount["view"])
        teardown = await peer.sent("ui/resource-teardown")
        await peer.post(mount, {"jsonrpc": "2.0", "id": teardown["id"], "result": {}})
        await peer.until("closed", view=mount["view"])
        given_up = [params["arguments"] for params in gate.given_up]
    assert given_up == [{"of": "it"}]


async def test_k109_a_page_that_goes_cancels_what_its_views_asked_and_no_more() -> None:
    gates = Gate(), Gate()
    backend = server("maps", slow=gates[0], other=gates[1])
    async with serve(backend) as (stage, staying):
        kept = await open_view(staying, "maps")
        await staying.post(kept, request(1, "other", of="kept"))
        async with page(stage) as going:
            mount = await open_view(going, "maps")
            await going.post(mount, request(1, "slow", of="gone"))
            await soon(gates[0].begun)
        await soon(gates[0].ended)
        gates[1].open.set()
        answer = await answered(staying, kept)
    assert [params["arguments"] for params in gates[0].given_up] == [{"of": "gone"}]
    assert answer["result"] == text_result("kept")


async def test_k114_of_equal_names_the_projects_own_server_is_meant() -> None:
    weather, maps = server("weather"), server("maps")
    async with serve(weather, maps) as (_, peer):
        await peer.call("show")
        finished = await peer.until("finished")
    assert finished["result"] == text_result("weather")
    assert maps.requests == []


async def test_k114_what_a_server_notifies_reaches_its_own_views() -> None:
    changed = "notifications/tools/list_changed"
    hosts = {"spec": {"capabilities": {"serverTools": {"listChanged": True}}}}
    async with serve(server("weather"), server("maps"), hosts=hosts) as (stage, peer):
        views = [await open_view(peer, name) for name in ("weather", "maps")]
        stage.notify(changed, {}, server="maps")
        for view in views:
            await peer.post(view, {"jsonrpc": "2.0", "id": 9, "method": "ping"})
        heard = [await answered(peer, views[1])]
        heard.append(await answered(peer, views[0]))
    assert [message.get("method", message.get("id")) for message in heard] == [changed, 9]
