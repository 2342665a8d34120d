"""What the server sends, read as a host reads it; and a run that is watched while it runs."""

import json
import random
import threading
from typing import Any

import anyio
import anyio.to_thread
import pytest
from host import PATIENCE, connect

from hello_app.darts import Run
from hello_app.server import BUILT, RUNS, mcp


async def read_everything() -> dict[str, Any]:
    async with connect(mcp) as host:
        tools = await host.list_tools()
        listing = next(each for each in await host.list_resources() if each["name"] == "darts")
        content = await host.read_resource(listing["uri"])
        result = await host.call_tool("estimate_pi", {"throws": 2500})
        late = await host.call_tool("watch_run", {"call": 1})
        return {
            "tools": tools, "listing": listing, "content": content, "result": result, "late": late,
        }


@pytest.fixture(scope="module")
def wire() -> dict[str, Any]:
    return anyio.run(read_everything)


def test_tool_points_at_the_view_with_both_keys(wire: dict[str, Any]) -> None:
    uri, meta = wire["listing"]["uri"], wire["tools"]["estimate_pi"]["_meta"]
    assert meta["ui"] == {"resourceUri": uri}
    assert meta["ui/resourceUri"] == uri


def test_only_the_view_sees_the_tool_that_watches(wire: dict[str, Any]) -> None:
    assert wire["tools"]["watch_run"]["_meta"]["ui"] == {"visibility": ["app"]}


def test_view_is_the_bundle_and_its_metadata_agrees(wire: dict[str, Any]) -> None:
    bundle = json.loads((BUILT / "darts.json").read_text("utf-8"))
    assert wire["content"]["text"] == (BUILT / "darts.html").read_text("utf-8")
    assert wire["content"]["mimeType"] == "text/html;profile=mcp-app"
    ui = bundle["_meta"]["ui"]
    assert wire["content"]["_meta"]["ui"] == wire["listing"]["_meta"]["ui"] == ui


def test_result_has_text_for_the_model_and_data_for_the_view(wire: dict[str, Any]) -> None:
    result = wire["result"]
    assert result["content"][0]["text"].endswith("of 2,500 darts hit the circle.")
    assert result["structuredContent"]["throws"] == 2500
    history = result["structuredContent"]["history"]
    assert [throws for throws, _ in history] == [1000, 2000, 2500]


def test_nothing_is_left_of_a_run_that_has_its_answer(wire: dict[str, Any]) -> None:
    assert "structuredContent" not in wire["late"]
    assert wire["late"]["content"][0]["text"] == "No such run."
    assert RUNS == {}


def test_two_runs_are_watched_at_once_and_not_mixed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[int, Any] = {}
    throw, begun, gate = Run.throw, threading.Semaphore(0), threading.Event()

    def throw_and_wait(run: Run) -> None:
        throw(run)
        begun.release()
        gate.wait(PATIENCE)

    async def watch() -> None:
        async with connect(mcp) as host, anyio.create_task_group() as tasks:
            for total in (2000, 3000):
                tasks.start_soon(host.call_tool, "estimate_pi", {"throws": total})
            try:
                for _ in range(2):
                    assert await anyio.to_thread.run_sync(begun.acquire, True, PATIENCE)
                for (_, call), [run] in list(RUNS.items()):
                    watched = await host.call_tool("watch_run", {"call": call})
                    seen[run.total] = watched["structuredContent"]
            finally:
                # A thread that waits would keep pytest from ending.
                gate.set()

    monkeypatch.setattr(Run, "throw", throw_and_wait)
    anyio.run(watch)
    assert {total: (run["total"], run["throws"]) for total, run in seen.items()} == {
        2000: (2000, 1000),
        3000: (3000, 1000),
    }
    assert RUNS == {}


def test_the_estimate_comes_close() -> None:
    run = Run(200_000, source=random.Random(1))
    while not run.is_done:
        run.throw()
    assert run.history[-1][1] == pytest.approx(3.14, abs=0.02)
