"""What an emulated host does between a View and its server, with a page that is played by hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from mcpapps_cli.errors import UserError
from mcpapps_cli.host.record import read_recording
from mcpapps_cli.stage import Addresses, PlayedBackend, Stage, open_recording
from tests.stage.backend import MemoryBackend, text_result, tool
from tests.stage.peer import PROXY_READY, PagePeer, page

pytestmark = pytest.mark.anyio
URI = "ui://weather/forecast"
HTML = "<!doctype html><title>Forecast</title>"
TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = f"00-{TRACE}-b7ad6b7169203331-01"


def server(kind: type[MemoryBackend] = MemoryBackend) -> MemoryBackend:
    return kind(
        tools=[tool("forecast", URI), tool("lookup")],
        pages={URI: HTML},
        results={"forecast": text_result("sunny"), "lookup": text_result("found")},
    )


@asynccontextmanager
async def serve(backend: Any, **options: Any) -> AsyncIterator[tuple[Stage, PagePeer]]:
    made = Stage(backend, port=0, sandbox_port=0, **options)
    async with made as stage, page(stage) as peer:
        yield stage, peer


def request(id_: int, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}


async def answer(peer: PagePeer, id_: int) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = (await peer.until("send"))["message"]
        if message.get("id") == id_ and "method" not in message:
            return message


class Endless(MemoryBackend):
    """Never answers a read, be it the host's or the View's."""

    stuck = True

    async def resource(self, uri: str) -> Any:
        if self.stuck:
            await asyncio.Event().wait()
        return await super().resource(uri)

    async def request(self, method: str, params: Any, **more: Any) -> Any:
        if method == "resources/read":
            await asyncio.Event().wait()
        return await super().request(method, params, **more)


HASTY = {"spec": {"read-seconds": 0.05}}


async def test_a_read_of_the_view_has_the_hosts_deadline() -> None:
    async with serve(server(Endless), hosts=HASTY) as (_, peer):
        await peer.call("forecast")
        step = await peer.until("step", step="resource")
    assert (step["state"], step["cause"]) == ("broken", "unreadable")
    assert "more than the 0.05 s" in str(step["detail"])


async def test_a_read_by_the_view_has_the_hosts_deadline() -> None:
    backend = server(Endless)
    backend.stuck = False  # type: ignore[attr-defined]
    async with serve(backend, hosts=HASTY) as (_, peer):
        mount = await peer.open("forecast")
        await peer.post(mount, request(7, "resources/read", uri=URI))
        error = (await answer(peer, 7))["error"]
    assert error["code"] == -32000
    assert "more than the 0.05 s" in error["message"]


@pytest.fixture(scope="module")
def spans() -> InMemorySpanExporter:
    # Once for a process; what other tests trace comes here too.
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return exporter


async def test_k96_k110_a_forwarded_request_is_a_span_below_the_views_own(
    spans: InMemorySpanExporter,
) -> None:
    backend = server()
    spans.clear()
    async with serve(backend) as (_, peer):
        mount = await peer.open("forecast")
        meta = {"traceparent": PARENT, "tracestate": "a=1"}
        await peer.post(mount, request(7, "tools/call", name="lookup", arguments={}, _meta=meta))
        assert (await answer(peer, 7))["result"] == text_result("found")
    # The host's own call is no forwarded one.
    (span,) = spans.get_finished_spans()
    assert (span.name, dict(span.attributes or {})) == (
        "mcpapps.host.forward",
        {"mcp.method": "tools/call"},
    )
    assert span.parent is not None
    assert (f"{span.parent.trace_id:032x}", f"{span.parent.span_id:016x}") == (
        TRACE,
        "b7ad6b7169203331",
    )
    assert span.start_time is not None
    assert span.end_time is not None
    # The server gets what the View sent, not the span.
    assert backend.requests[-1] == (
        "tools/call",
        {"name": "lookup", "arguments": {}, "_meta": meta},
    )


async def test_k110_an_error_of_the_server_is_recorded_on_the_span(
    spans: InMemorySpanExporter,
) -> None:
    backend = server()
    del backend.results["lookup"]
    spans.clear()
    async with serve(backend) as (_, peer):
        mount = await peer.open("forecast")
        await peer.post(mount, request(7, "tools/call", name="lookup", arguments={}))
        assert (await answer(peer, 7))["error"]["code"] == -32602
    (span,) = spans.get_finished_spans()
    assert span.parent is None
    assert [event.name for event in span.events] == ["exception"]
    assert span.status.status_code is trace.StatusCode.ERROR


async def test_a_session_per_call_is_asked_of_the_server_for_every_tool_call() -> None:
    asked: list[tuple[str, bool]] = []

    class Sessions(MemoryBackend):
        async def request(self, method: str, params: Any, **more: Any) -> Any:
            asked.append((params.get("name", method), more["new_session"]))
            return await super().request(method, params, **more)

    async with serve(server(Sessions), faults=["session-per-call"]) as (_, peer):
        mount = await peer.open("forecast")
        await peer.post(mount, request(7, "tools/call", name="lookup", arguments={}))
        await answer(peer, 7)
        await peer.post(mount, request(8, "resources/read", uri=URI))
        await answer(peer, 8)
    assert asked == [("forecast", True), ("lookup", True), ("resources/read", False)]


async def test_a_recording_of_a_session_without_a_call_is_told_so(tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    async with serve(server(), record=file) as (_, peer):
        await peer.until("hello")
    with pytest.raises(UserError, match="is empty: no tool was called"):
        open_recording(file)


async def test_a_recording_tells_what_the_server_offered_last(tmp_path: Path) -> None:
    backend, file = server(), tmp_path / "session.jsonl"
    async with serve(backend, record=file) as (stage, peer):
        await peer.open("forecast")
        backend.tools.append(tool("alerts"))
        backend.results["alerts"] = text_result("none")
        await stage.refresh()
        await peer.call("alerts")
        await peer.until("finished", view="v2")
    assert read_recording(file.read_text()).header.tool == "forecast"
    async with serve(PlayedBackend(open_recording(file))) as (_, peer):
        hello = await peer.until("hello")
        await peer.call("alerts")
        finished = await peer.until("finished")
    assert [entry["name"] for entry in hello["tools"]] == ["forecast", "lookup", "alerts"]
    assert finished["result"] == text_result("none")


async def test_a_profile_that_the_project_changes_is_taken_over_by_an_open_page() -> None:
    mine = {"mine": {"base": "spec", "context": {"locale": "nb-NO"}}}
    async with serve(server(), hosts=mine, profile="mine") as (stage, peer):
        await peer.open("forecast")
        again = {"base": "spec", "context": {"locale": "is-IS"}}
        stage.set_hosts({"mine": again, "other": again})
        changed = await peer.until("host")
        mount = await peer.until("mount", view="v1")
        await peer.shake_hands(mount)
        with pytest.raises(UserError, match="mine"):
            stage.set_hosts({"other": again})
        async with page(stage) as later:
            hello = await later.until("hello")
    assert changed["host"]["context"]["locale"] == "is-IS"
    assert changed["profiles"][-2:] == ["mine", "other"]
    # The one that is emulated cannot go away.
    assert hello["host"]["context"]["locale"] == "is-IS"
    assert hello["profiles"][-2:] == ["mine", "other"]


FORWARDED = Addresses(sandbox_url="https://a-2.example")


def test_no_view_has_an_own_origin_at_a_forwarded_address() -> None:
    with pytest.raises(UserError, match="one address"):
        Stage(server(), origin="own", addresses=FORWARDED)


async def test_a_host_with_own_origins_has_opaque_ones_at_a_forwarded_address() -> None:
    # Two Views at one address would read each other's storage.
    async with serve(server(), profile="claude", addresses=FORWARDED) as (_, peer):
        note = await peer.until("note", view=None)
        await peer.call("forecast")
        mount = await peer.until("mount")
    assert "so Views are opaque here" in note["text"]
    assert mount["url"].startswith("https://a-2.example/")
    assert (mount["own"], "allow-same-origin" in mount["sandbox"]) == (False, False)
    async with serve(server(), profile="claude") as (_, peer):
        await peer.call("forecast")
        mount = await peer.until("mount")
    assert (mount["own"], "allow-same-origin" in mount["sandbox"]) == (True, True)


async def test_h9_a_host_that_caches_does_so_within_one_conversation() -> None:
    backend = server()
    documents = []
    async with (
        serve(backend, quirks=["html-cached-by-uri"]) as (stage, first),
        page(stage) as second,
    ):
        for peer, html in ((first, "old"), (first, "new"), (second, "new")):
            backend.pages[URI] = f"<!doctype html>{html}"
            await peer.call("forecast")
            mount = await peer.until("mount")
            await peer.post(mount, PROXY_READY)
            ready = await peer.sent("ui/notifications/sandbox-resource-ready")
            documents.append(ready["params"]["html"])
    old, new = "<!doctype html>old", "<!doctype html>new"
    assert documents == [old, old, new]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, ["forecast", "lookup", "report"]),
        ({"quirks": ["app-tools-leaked"]}, ["forecast", "lookup", "save", "report", "retired"]),
        ({"profile": "cursor"}, ["forecast", "lookup", "save", "report", "retired"]),
    ],
)
async def test_h10_tools_are_marked_as_the_host_tells_the_model(
    options: dict[str, Any], told: list[str]
) -> None:
    backend = server()
    for name, visibility in (("save", ["app"]), ("report", ["model"]), ("retired", [])):
        backend.tools.append({"name": name, "_meta": {"ui": {"visibility": visibility}}})
    async with serve(backend, **options) as (_, peer):
        listed = (await peer.until("hello"))["tools"]
    marks = {each["name"]: each["visibility"] for each in listed}
    assert [name for name, marked in marks.items() if "model" in marked] == told
    assert [name for name, marked in marks.items() if "app" in marked] == (
        ["forecast", "lookup", "save"]
    )
