"""A stage whose Views are mounted anew often: the next frame's proxy page is ready before."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from mcpapps_cli.stage import NoteEvent, Stage, StageEvent
from tests.stage.backend import MemoryBackend, text_result, tool
from tests.stage.peer import PagePeer, page

pytestmark = pytest.mark.anyio

URI = "ui://weather/forecast"
HTML = "<!doctype html><title>Forecast</title>"


@asynccontextmanager
async def painted(
    events: list[StageEvent] | None = None,
) -> AsyncIterator[tuple[MemoryBackend, Stage, PagePeer, dict[str, Any], dict[str, Any]]]:
    """A View that was painted, its mount, and the frame in reserve that follows."""
    backend = MemoryBackend(
        tools=[tool("forecast", URI)],
        pages={URI: HTML},
        results={"forecast": text_result("sunny")},
    )
    on_event = None if events is None else events.append
    made = Stage(backend, port=0, sandbox_port=0, reloads=True, on_event=on_event)
    async with made as stage, page(stage) as peer:
        mount = await peer.open("forecast", city="Oslo")
        await peer.sent("ui/notifications/tool-result")
        await report_paint(peer, mount)
        reserve = await peer.until("reserve")
        yield backend, stage, peer, mount, reserve


async def report_paint(peer: PagePeer, mount: dict[str, Any]) -> None:
    frame = {"view": mount["view"], "frame": mount["frame"]}
    await peer.send(type="probe", **frame, kind="painted", detail={"by": "p", "result": True})


async def remount(stage: Stage, peer: PagePeer, mount: dict[str, Any]) -> dict[str, Any]:
    running = asyncio.create_task(stage.remount())
    teardown = await peer.sent("ui/resource-teardown")
    await peer.post(mount, {"jsonrpc": "2.0", "id": teardown["id"], "result": {}})
    unmount = await peer.until("unmount")
    assert unmount["replaced"] is True
    again = await peer.until("mount")
    await running
    return again


async def test_next_frame_is_the_one_in_reserve_with_its_own_secrets() -> None:
    async with painted() as (backend, stage, peer, mount, reserve):
        assert (reserve["allow"], reserve["sandbox"]) == (mount["allow"], mount["sandbox"])
        backend.pages[URI] = HTML.replace("Forecast", "Second")
        again = await remount(stage, peer, mount)
        assert again["frame"] == reserve["frame"] == mount["frame"] + 1
        assert (again["url"], again["channel"]) == (reserve["url"], reserve["channel"])
        assert again["url"] != mount["url"]
        assert again["channel"] != mount["channel"]
        await peer.shake_hands(again)
        await peer.sent("ui/notifications/tool-result")
        await report_paint(peer, again)
        following = await peer.until("reserve")
    assert following["frame"] == again["frame"] + 1
    assert following["url"] not in (mount["url"], again["url"])


async def test_view_that_never_answers_the_teardown_holds_up_one_reload_and_no_second() -> None:
    async with painted() as (_, stage, peer, _, _):
        for seconds in (10, 1):
            async with asyncio.timeout(seconds):
                running = asyncio.create_task(stage.remount())
                await peer.sent("ui/resource-teardown")
                again = await peer.until("mount")
                await running
            await peer.shake_hands(again)
            await peer.sent("ui/notifications/tool-result")


@pytest.mark.parametrize(
    "meta",
    [
        {"csp": {"connectDomains": ["https://api.example.com"]}},
        {"permissions": {"camera": {}}},
    ],
    ids=["policy", "permissions"],
)
async def test_reserve_of_another_policy_or_other_permissions_is_not_used(
    meta: dict[str, Any],
) -> None:
    async with painted() as (backend, stage, peer, mount, reserve), httpx.AsyncClient() as http:
        before = await http.get(reserve["url"])
        backend.meta = meta
        again = await remount(stage, peer, mount)
        now = await http.get(again["url"])
        after = await http.get(reserve["url"])
    assert again["frame"] > reserve["frame"]
    assert again["url"] != reserve["url"]
    assert before.status_code == now.status_code == 200
    assert after.status_code == 404
    policy = now.headers["content-security-policy"].partition("; report-uri")[0]
    assert policy == again["policy"]


async def test_reserve_is_not_used_for_a_document_whose_probe_goes_elsewhere() -> None:
    async with painted() as (backend, stage, peer, mount, reserve):
        backend.pages[URI] = "<!-- a comment before the doctype -->" + HTML
        again = await remount(stage, peer, mount)
    assert again["url"] != reserve["url"]


async def test_root_relative_path_is_told_of_the_view_although_two_pages_are_served() -> None:
    events: list[StageEvent] = []
    async with painted(events) as (_, stage, peer, _, _), httpx.AsyncClient() as http:
        assert (await http.get(f"{stage.sandbox_url}logo.png")).status_code == 404
        await peer.until("note", view="v1")
    notes = [event for event in events if isinstance(event, NoteEvent)]
    assert any(note.view == "v1" and "logo.png" in note.text for note in notes)


async def test_view_that_has_gone_for_good_leaves_no_page_behind() -> None:
    async with painted() as (_, _, peer, mount, reserve), httpx.AsyncClient() as http:
        await peer.send(type="close", view="v1")
        teardown = await peer.sent("ui/resource-teardown")
        await peer.post(mount, {"jsonrpc": "2.0", "id": teardown["id"], "result": {}})
        unmount = await peer.until("unmount")
        await peer.until("closed")
        left = [(await http.get(each["url"])).status_code for each in (mount, reserve)]
    assert unmount["replaced"] is False
    assert left == [404, 404]


async def test_view_that_cannot_be_mounted_again_is_taken_away() -> None:
    async with painted() as (backend, stage, peer, mount, _):
        backend.pages.clear()
        running = asyncio.create_task(stage.remount())
        teardown = await peer.sent("ui/resource-teardown")
        await peer.post(mount, {"jsonrpc": "2.0", "id": teardown["id"], "result": {}})
        await peer.until("unmount", replaced=True)
        # The steps come last, for the page forgets those of what it takes away.
        await peer.until("unmount", replaced=False)
        broken = await peer.until("step", state="broken")
        await running
    assert (broken["step"], broken["cause"]) == ("resource", "unreadable")


async def refreshed(stage: Stage, peer: PagePeer, mount: dict[str, Any]) -> dict[str, Any]:
    """Let the server have been replaced, and bring the View through its next handshake."""
    running = asyncio.create_task(stage.refresh())
    teardown = await peer.sent("ui/resource-teardown")
    await peer.post(mount, {"jsonrpc": "2.0", "id": teardown["id"], "result": {}})
    again = await peer.until("mount")
    await peer.shake_hands(again)
    given = await peer.sent("ui/notifications/tool-result")
    await running
    return given


SCHEMA = {"type": "object", "properties": {"degrees": {"type": "number"}}}


async def test_read_only_tool_is_called_again_when_its_result_has_another_schema() -> None:
    async with painted() as (backend, stage, peer, mount, _):
        backend.tools[:] = [
            tool("forecast", URI, outputSchema=SCHEMA, annotations={"readOnlyHint": True})
        ]
        backend.results["forecast"] = text_result("rainy")
        given = await refreshed(stage, peer, mount)
        hellos = [sent["message"] for sent in peer.heard if sent["type"] == "send"]
    assert given["params"] == text_result("rainy")
    # It is another request, and the new document is told of that one.
    contexts = [
        told["result"]["hostContext"] for told in hellos if "hostContext" in told.get("result", {})
    ]
    assert [context["toolInfo"]["id"] for context in contexts] == backend.ids == [1, 2]
    calls = [params for method, params in backend.requests if method == "tools/call"]
    assert calls == [{"name": "forecast", "arguments": {"city": "Oslo"}}] * 2
    assert "outdated" not in {message["type"] for message in peer.heard}


@pytest.mark.parametrize("annotations", [None, {}, {"readOnlyHint": False}, {"readOnlyHint": 1}])
async def test_another_call_of_a_tool_that_may_change_something_is_only_offered(
    annotations: Any,
) -> None:
    async with painted() as (backend, stage, peer, mount, _):
        more = {} if annotations is None else {"annotations": annotations}
        backend.tools[:] = [tool("forecast", URI, outputSchema=SCHEMA, **more)]
        backend.results["forecast"] = text_result("rainy")
        given = await refreshed(stage, peer, mount)
        assert given["params"] == text_result("sunny")
        assert (await peer.seen("outdated"))["view"] == "v1"
        assert [method for method, _ in backend.requests] == ["tools/call"]
        (_, second) = [message for message in peer.heard if message["type"] == "mount"]
        await peer.send(type="call-again", view="v1")
        teardown = await peer.sent("ui/resource-teardown")
        await peer.post(second, {"jsonrpc": "2.0", "id": teardown["id"], "result": {}})
        await peer.shake_hands(await peer.until("mount"))
        given = await peer.sent("ui/notifications/tool-result")
    assert given["params"] == text_result("rainy")
    assert [method for method, _ in backend.requests] == ["tools/call"] * 2


async def test_the_same_schema_replays_the_result_and_calls_nothing() -> None:
    async with painted() as (backend, stage, peer, mount, _):
        backend.tools[:] = [
            tool("forecast", URI, description="new", annotations={"readOnlyHint": True})
        ]
        backend.results["forecast"] = text_result("rainy")
        given = await refreshed(stage, peer, mount)
        await stage.show_error(None)
        await peer.until("overlay")
    assert given["params"] == text_result("sunny")
    assert [method for method, _ in backend.requests] == ["tools/call"]
    assert "outdated" not in {message["type"] for message in peer.heard}
