"""A call that is cancelled, whatever the reason and whatever it waits for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from mcpapps_cli.errors import ServerError
from mcpapps_cli.model import Inventory, JsonObject
from mcpapps_cli.stage import Stage
from tests.stage.backend import MemoryBackend, text_result, tool
from tests.stage.peer import PagePeer, page

pytestmark = pytest.mark.anyio

URI = "ui://weather/forecast"


def server() -> MemoryBackend:
    return MemoryBackend(
        tools=[tool("forecast", URI)],
        pages={URI: "<!doctype html><title>Forecast</title>"},
        results={"forecast": text_result("sunny")},
    )


@asynccontextmanager
async def serve(backend: MemoryBackend, **more: Any) -> AsyncIterator[tuple[Stage, PagePeer]]:
    async with Stage(backend, port=0, sandbox_port=0, **more) as stage, page(stage) as peer:
        yield stage, peer


async def test_h32_error_of_the_server_cancels_the_view_with_its_message() -> None:
    backend = server()
    del backend.results["forecast"]
    async with serve(backend) as (_, peer):
        await peer.open("forecast")
        cancelled = await peer.sent("ui/notifications/tool-cancelled")
    assert cancelled["params"] == {"reason": "Unknown tool: forecast"}


async def test_h32_cancel_button_cancels_the_request_and_tells_the_view() -> None:
    ended = asyncio.Event()

    async def never(params: JsonObject) -> JsonObject:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return {}

    backend = server()
    backend.results["forecast"] = never
    async with serve(backend) as (_, peer):
        mount = await peer.open("forecast")
        await peer.send(type="cancel", view=mount["view"])
        cancelled = await peer.sent("ui/notifications/tool-cancelled")
        await ended.wait()
    assert cancelled["params"] == {"reason": "cancelled by the user"}


async def test_h32_cancel_button_ends_a_call_whose_input_is_still_written() -> None:
    backend = server()
    async with serve(backend) as (_, peer):
        call = {"type": "call", "tool": "forecast", "arguments": {"city": "Os"}, "hold": True}
        await peer.send(**call, context={})
        mount = await peer.until("mount")
        await peer.shake_hands(mount)
        await peer.sent("ui/notifications/tool-input-partial")
        await peer.send(type="cancel", view=mount["view"])
        finished = await peer.until("finished")
        cancelled = await peer.sent("ui/notifications/tool-cancelled")
        written = {"type": "write", "view": mount["view"], "arguments": {"city": "Oslo"}}
        await peer.send(**written, complete=True)
        # Answered in order: what was written has been taken once this is back.
        await peer.post(mount, {"jsonrpc": "2.0", "id": 6, "method": "ping"})
        answer = (await peer.until("send"))["message"]
    assert cancelled["params"] == {"reason": "cancelled by the user"}
    assert finished["error"] == "cancelled by the user"
    assert answer == {"jsonrpc": "2.0", "id": 6, "result": {}}
    assert backend.requests == []


async def test_h32_call_that_waits_for_its_server_is_cancelled_for_good() -> None:
    backend = server()
    inventory = backend.inventory
    backend.inventory = _unanswered  # type: ignore[method-assign]
    async with serve(backend) as (stage, peer):
        await peer.call("forecast", city="Oslo")
        opened = await peer.until("opened")
        await peer.send(type="cancel", view=opened["view"])
        await peer.until("finished")
        backend.inventory = inventory  # type: ignore[method-assign]
        refreshing = asyncio.create_task(stage.refresh())
        mount = await peer.until("mount")
        await peer.shake_hands(mount)
        cancelled = await peer.sent("ui/notifications/tool-cancelled")
        await refreshing
    assert cancelled["params"] == {"reason": "cancelled by the user"}
    assert backend.requests == []
    shown = [message["type"] for message in peer.heard]
    # The page shows the call anew, and again that it has ended.
    assert shown[shown.index("opened", shown.index("finished")) + 1] == "finished"


def _unanswered() -> Inventory:
    raise ServerError("the server is gone")


async def test_h32_cancellation_that_is_injected_is_told_to_the_view() -> None:
    async with serve(server(), faults=["cancel"]) as (_, peer):
        await peer.open("forecast")
        cancelled = await peer.sent("ui/notifications/tool-cancelled")
    assert cancelled["params"] == {"reason": "injected: the call was cancelled"}
