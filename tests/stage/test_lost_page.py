"""A page whose connection is lost, and which comes back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from mcpapps_cli.model import JsonObject
from mcpapps_cli.stage import Stage
from mcpapps_cli.stage.stage import LOST_MAX
from tests.stage.backend import MemoryBackend, text_result, tool
from tests.stage.peer import PagePeer, page

pytestmark = pytest.mark.anyio
URI = "ui://weather/forecast"
HTML = "<!doctype html><title>Forecast</title>"


class Gate:
    """A tool that answers when it is let."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.ended = asyncio.Event()

    async def __call__(self, params: JsonObject) -> JsonObject:
        try:
            await self.open.wait()
            return text_result("sunny")
        finally:
            self.ended.set()


def server(gate: Gate) -> MemoryBackend:
    return MemoryBackend(
        tools=[tool("forecast", URI), tool("plain")],
        pages={URI: HTML},
        results={"forecast": gate, "plain": text_result("done")},
    )


@asynccontextmanager
async def serve(backend: MemoryBackend) -> AsyncIterator[Stage]:
    async with Stage(backend, port=0, sandbox_port=0) as stage:
        yield stage


async def lose(peer: PagePeer) -> str:
    """Cut the connection without a word; return the page's name."""
    name: str = (await peer.seen("hello"))["page"]
    peer.socket.transport.abort()
    await peer.socket.wait_closed()
    return name


async def test_views_are_shown_again_with_their_inputs_and_no_tool_is_called_again() -> None:
    gate = Gate()
    backend = server(gate)
    async with serve(backend) as stage:
        async with page(stage) as peer:
            first = await peer.open("forecast", city="Oslo")
            await peer.call("plain")
            await peer.until("finished", view="v2")
            name = await lose(peer)
        async with page(stage, name) as peer:
            hello = await peer.until("hello")
            opened = await peer.until("opened")
            mount = await peer.until("mount")
            await peer.shake_hands(mount)
            sent = await peer.sent("ui/notifications/tool-input")
            # The call goes on all the while.
            gate.open.set()
            result = await peer.sent("ui/notifications/tool-result")
            shown = [message for message in peer.heard if message["type"] == "finished"]
    assert (hello["page"], hello["resumed"]) == (name, True)
    assert (opened["view"], opened["arguments"], opened["uri"]) == ("v1", {"city": "Oslo"}, URI)
    assert (mount["view"], mount["frame"] > first["frame"]) == ("v1", True)
    assert sent["params"] == {"arguments": {"city": "Oslo"}}
    assert result["params"] == text_result("sunny")
    assert ("v2", text_result("done")) in [(each["view"], each["result"]) for each in shown]
    assert [method for method, _ in backend.requests] == ["tools/call", "tools/call"]


async def test_h31_a_result_that_came_meanwhile_is_told() -> None:
    gate = Gate()
    async with serve(server(gate)) as stage:
        async with page(stage) as peer:
            await peer.open("forecast")
            name = await lose(peer)
        gate.open.set()
        await gate.ended.wait()
        async with page(stage, name) as peer:
            finished = await peer.until("finished")
    assert finished["result"] == text_result("sunny")


async def test_a_page_that_comes_back_before_its_loss_was_noticed_finds_its_views() -> None:
    async with serve(server(Gate())) as stage, page(stage) as old:
        await old.open("forecast", city="Oslo")
        name = (await old.seen("hello"))["page"]
        async with page(stage, name) as peer:
            opened = await peer.until("opened")
            await peer.until("mount")
    assert (opened["view"], opened["arguments"]) == ("v1", {"city": "Oslo"})


async def test_a_page_that_is_closed_ends_its_calls_and_does_not_come_back() -> None:
    gate = Gate()
    async with serve(server(gate)) as stage:
        async with page(stage) as peer:
            await peer.open("forecast")
            name = (await peer.seen("hello"))["page"]
        await gate.ended.wait()
        async with page(stage, name) as peer:
            hello = await peer.until("hello")
    assert (hello["resumed"], hello["page"] != name) == (False, True)


async def test_only_so_many_pages_are_waited_for() -> None:
    gate, names = Gate(), []
    async with serve(server(gate)) as stage:
        async with page(stage) as peer:
            await peer.open("forecast")
            names.append(await lose(peer))
        for _ in range(LOST_MAX):
            async with page(stage) as peer:
                names.append(await lose(peer))
        # The call of the first one ends with it.
        await gate.ended.wait()
        resumed: list[Any] = []
        for name in (names[0], names[-1]):
            async with page(stage, name) as peer:
                resumed.append((await peer.until("hello"))["resumed"])
    assert resumed == [False, True]
