from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from mcpapps_cli.errors import PortTaken, ServerError, UserError
from mcpapps_cli.model import JsonObject
from mcpapps_cli.stage import MessageEvent, Stage, StageEvent, StepEvent
from tests.stage.backend import MemoryBackend, text_result, tool
from tests.stage.peer import PROXY_READY, PagePeer, page

pytestmark = pytest.mark.anyio

URI = "ui://weather/forecast"
HTML = "<!doctype html><title>Forecast</title>"


def server(**more: Any) -> MemoryBackend:
    return MemoryBackend(
        tools=[tool("forecast", URI), tool("plain")],
        pages={URI: HTML},
        results={"forecast": text_result("sunny"), "plain": text_result("done")},
        **more,
    )


@asynccontextmanager
async def serve(
    backend: MemoryBackend, events: list[StageEvent] | None = None
) -> AsyncIterator[tuple[Stage, PagePeer]]:
    on_event = None if events is None else events.append
    made = Stage(backend, port=0, sandbox_port=0, on_event=on_event)
    async with made as stage, page(stage) as peer:
        yield stage, peer


async def test_h10_hello_lists_tools_with_their_marks() -> None:
    backend = server()
    backend.tools.append({"name": "save", "_meta": {"ui": {"visibility": ["app"]}}})
    backend.tools.append({"no": "name"})
    async with serve(backend) as (stage, peer):
        hello = await peer.until("hello")
    assert [(entry["name"], entry["view"], entry["visibility"]) for entry in hello["tools"]] == [
        ("forecast", URI, ["model", "app"]),
        ("plain", None, ["model", "app"]),
        ("save", None, ["app"]),
    ]
    assert hello["server"] == {
        "name": "weather",
        "label": "python server.py",
        "era": "modern",
        "protocolVersion": "2026-07-28",
        "generation": 1,
    }
    assert hello["host"]["profile"] == "spec"
    assert hello["sandbox"] == stage.sandbox_url


async def test_h15_h16_view_gets_nothing_but_its_resource_before_initialized() -> None:
    async with serve(server()) as (_, peer):
        await peer.call("forecast", city="Oslo")
        mount = await peer.until("mount")
        await peer.seen("finished")
        await peer.shake_hands(mount)
        await peer.sent("ui/notifications/tool-result")
    sent = [m["message"].get("method", "answer") for m in peer.heard if m["type"] == "send"]
    assert sent == [
        "ui/notifications/sandbox-resource-ready",
        "answer",
        "ui/notifications/tool-input",
        "ui/notifications/tool-result",
    ]


async def test_tool_runs_while_its_view_is_being_mounted() -> None:
    called = asyncio.Event()

    class Slow(MemoryBackend):
        async def resource(self, uri: str) -> Any:
            await called.wait()
            return await super().resource(uri)

    async def answer(params: JsonObject) -> JsonObject:
        called.set()
        return text_result("sunny")

    backend = Slow([tool("forecast", URI)], {URI: HTML}, {"forecast": answer})
    async with serve(backend) as (_, peer):
        await peer.open("forecast", city="Oslo")
        result = await peer.sent("ui/notifications/tool-result")
    assert result["params"] == text_result("sunny")


async def test_view_is_told_the_id_under_which_its_server_got_the_call() -> None:
    backend = server(reserved=40)
    async with serve(backend) as (_, peer):
        for _ in range(2):
            await peer.open("forecast")
    answers = [each["message"].get("result", {}) for each in peer.heard if each["type"] == "send"]
    contexts = [answer["hostContext"] for answer in answers if "hostContext" in answer]
    assert [context["toolInfo"]["id"] for context in contexts] == backend.ids == [41, 42]


async def test_h7_tool_without_a_view_is_called_and_mounts_nothing() -> None:
    async with serve(server()) as (_, peer):
        await peer.call("plain", a=1)
        finished = await peer.until("finished")
        await peer.send(type="close", view="v1")
        await peer.until("closed")
    assert finished["result"] == text_result("done")
    assert not {"mount", "step"} & {message["type"] for message in peer.heard}


@pytest.mark.parametrize(
    ("change", "step", "cause"),
    [
        (lambda backend: backend.pages.clear(), "resource", "unreadable"),
        (lambda backend: setattr(backend, "mime", "text/html"), "mime", "wrong-mime"),
        (lambda backend: setattr(backend, "mime", None), "mime", "wrong-mime"),
        (lambda backend: backend.pages.update({URI: '{"a": 1}'}), "html", "not-html"),
        (lambda backend: backend.tools.clear(), "tool", "no-such-tool"),
    ],
)
async def test_first_broken_rung_below_the_frame_is_reported(
    change: Any, step: str, cause: str
) -> None:
    backend, events = server(), []
    change(backend)
    async with serve(backend, events) as (_, peer):
        await peer.call("forecast")
        broken = await peer.until("step", state="broken")
    assert (broken["step"], broken["cause"]) == (step, cause)
    steps = [event for event in events if isinstance(event, StepEvent)]
    assert [event.state for event in steps[:-1]] == ["ok"] * (len(steps) - 1)
    assert (steps[-1].step, steps[-1].cause, steps[-1].tool) == (step, cause, "forecast")


async def test_k106_h17_call_of_the_view_reaches_the_server_and_its_answer_the_view() -> None:
    backend = server()
    backend.results["plain"] = text_result("done", _meta={"a": 1}, structuredContent={"n": 1})
    call = {"name": "plain", "arguments": {"x": 1}}
    async with serve(backend) as (_, peer):
        mount = await peer.open("forecast")
        await peer.sent("ui/notifications/tool-result")
        await peer.post(mount, {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": call})
        answer = (await peer.until("send"))["message"]
        await peer.post(
            mount,
            {"jsonrpc": "2.0", "id": 8, "method": "resources/read", "params": {"uri": "ui://no"}},
        )
        refusal = (await peer.until("send"))["message"]
    assert answer == {"jsonrpc": "2.0", "id": 7, "result": backend.results["plain"]}
    assert ("tools/call", call) in backend.requests
    assert refusal["id"] == 8
    assert refusal["error"] == {
        "code": -32002,
        "message": "Resource not found",
        "data": {"uri": "ui://no"},
    }


async def test_h9_h29_h31_h33_remount_reads_afresh_and_replays_without_a_new_call() -> None:
    backend = server()
    async with serve(backend) as (stage, peer):
        first = await peer.open("forecast", city="Oslo")
        await peer.sent("ui/notifications/tool-result")
        backend.pages[URI] = "<!doctype html><title>Second</title>"
        remounting = asyncio.create_task(stage.remount(URI))
        teardown = await peer.sent("ui/resource-teardown")
        await peer.post(first, {"jsonrpc": "2.0", "id": teardown["id"], "result": {}})
        await peer.until("unmount", frame=first["frame"])
        second = await peer.until("mount")
        await peer.post(second, PROXY_READY)
        ready = await peer.sent("ui/notifications/sandbox-resource-ready")
        await peer.shake_hands_after_ready(second)
        replayed_input = await peer.sent("ui/notifications/tool-input")
        replayed_result = await peer.sent("ui/notifications/tool-result")
        await remounting
    assert second["view"] == first["view"]
    assert second["frame"] == first["frame"] + 1
    assert second["url"] != first["url"]
    assert ready["params"]["html"] == "<!doctype html><title>Second</title>"
    assert replayed_input["params"] == {"arguments": {"city": "Oslo"}}
    assert replayed_result["params"] == text_result("sunny")
    assert [method for method, _ in backend.requests] == ["tools/call"]


async def test_message_of_an_earlier_frame_is_ignored() -> None:
    async with serve(server(), events := []) as (stage, peer):
        first = await peer.open("forecast")
        remounting = asyncio.create_task(stage.remount())
        teardown = await peer.sent("ui/resource-teardown")
        await peer.post(first, {"jsonrpc": "2.0", "id": teardown["id"], "result": {}})
        second = await peer.until("mount")
        await peer.post(first, {"jsonrpc": "2.0", "id": 99, "method": "ping"})
        await peer.post(second, PROXY_READY)
        await peer.sent("ui/notifications/sandbox-resource-ready")
        await remounting
    posted = [e.message for e in events if isinstance(e, MessageEvent)]
    assert not any(message.get("id") == 99 for message in posted)


async def test_view_that_was_never_initialized_gets_no_teardown() -> None:
    async with serve(server()) as (stage, peer):
        await peer.call("forecast")
        await peer.until("mount")
        await stage.remount()
        await peer.until("mount")
    assert "ui/resource-teardown" not in {
        message["message"].get("method") for message in peer.heard if message["type"] == "send"
    }


async def test_remount_of_another_resource_leaves_the_view_alone() -> None:
    async with serve(server()) as (stage, peer):
        await peer.open("forecast")
        await stage.remount("ui://weather/other")
        await stage.show_error(None)
        await peer.until("overlay")
    assert "unmount" not in {message["type"] for message in peer.heard}


async def test_refresh_lists_tools_again_with_a_new_generation() -> None:
    backend = server()
    async with serve(backend) as (stage, peer):
        await peer.until("hello")
        backend.tools.append(tool("third"))
        await stage.refresh()
        inventory = await peer.until("inventory")
    assert inventory["server"]["generation"] == 2
    assert [entry["name"] for entry in inventory["tools"]] == ["forecast", "plain", "third"]


async def test_build_error_is_shown_to_pages_that_come_later_until_it_is_taken_away() -> None:
    error = {"message": "broken", "help": None}
    async with serve(server()) as (stage, peer):
        await stage.show_error(error)
        assert (await peer.until("overlay"))["error"] == error
        async with page(stage) as later:
            assert (await later.until("overlay"))["error"] == error
        await stage.show_error(None)
        assert (await peer.until("overlay"))["error"] is None


async def test_server_that_is_gone_fails_the_open_requests_of_a_view() -> None:
    async def never(params: JsonObject) -> JsonObject:
        await asyncio.Event().wait()
        return {}

    backend = server()
    backend.results["plain"] = never
    async with serve(backend) as (stage, peer):
        mount = await peer.open("forecast")
        await peer.sent("ui/notifications/tool-result")
        await peer.post(
            mount,
            {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "plain"}},
        )
        # Answered in order: once this is back, the call before it is open.
        await peer.post(mount, {"jsonrpc": "2.0", "id": 6, "method": "ping"})
        await peer.until("send")
        stage.server_gone("the server exited with code 1")
        answer = (await peer.until("send"))["message"]
    assert answer["id"] == 5
    assert "error" in answer


async def test_server_error_of_a_view_call_is_an_error_answer() -> None:
    async def gone(params: JsonObject) -> JsonObject:
        raise ServerError("the server is gone")

    backend = server()
    backend.results["plain"] = gone
    async with serve(backend) as (_, peer):
        mount = await peer.open("forecast")
        await peer.sent("ui/notifications/tool-result")
        await peer.post(
            mount,
            {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "plain"}},
        )
        answer = (await peer.until("send"))["message"]
    assert answer["error"] == {"code": -32000, "message": "the server is gone"}


async def test_faulty_message_of_the_page_is_noted_and_the_page_lives_on() -> None:
    async with serve(server()) as (_, peer):
        await peer.until("hello")
        await peer.socket.send("{")
        assert (await peer.until("note"))["level"] == "warning"
        await peer.send(type="host", profile="no-such-host", quirks=[], faults=[], origin="profile")
        assert "no-such-host" in (await peer.until("note"))["text"]
        await peer.send(type="reload", view="v99")
        await peer.call("plain")
        await peer.until("finished")


async def test_page_that_goes_cancels_what_its_views_have_open() -> None:
    ended = asyncio.Event()

    async def never(params: JsonObject) -> JsonObject:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return {}

    backend = server()
    backend.results["forecast"] = never
    async with Stage(backend, port=0, sandbox_port=0) as stage:
        async with page(stage) as peer:
            await peer.call("forecast")
            await peer.until("mount")
        await ended.wait()


async def test_oldest_view_goes_when_there_are_more_than_twenty() -> None:
    async with serve(server()) as (_, peer):
        for _ in range(21):
            await peer.call("forecast")
        closed = await peer.until("closed")
    assert closed["view"] == "v1"


async def test_taken_explicit_port_is_an_error_and_frees_the_other() -> None:
    async with Stage(server(), port=0, sandbox_port=0) as stage:
        taken = int(stage.sandbox_url.rsplit(":", 1)[1].rstrip("/"))
        with pytest.raises(PortTaken, match=f"port {taken} is in use"):
            await Stage(server(), port=0, sandbox_port=taken).__aenter__()


def test_unknown_profile_is_an_error_before_anything_is_served() -> None:
    with pytest.raises(UserError, match='no host profile "spce"'):
        Stage(server(), profile="spce")
