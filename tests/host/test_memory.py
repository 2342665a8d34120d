"""Whole lifecycles on the in-memory driver."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mcpapps_cli.errors import RpcError, ServerError
from mcpapps_cli.host.effect import AskUser, Reveal, Unmount
from mcpapps_cli.host.event import (
    CloseRequested,
    ServerReply,
    ToolInput,
    ToolResult,
    UserAnswer,
)
from mcpapps_cli.host.memory import MemoryHost
from mcpapps_cli.model import JsonObject
from tests.host.rig import RESULT, mounting, of
from tests.host.views import GoodView, SilentView

pytestmark = pytest.mark.anyio
Progress = Callable[[JsonObject], None]


async def weather(method: str, params: JsonObject, progress: Progress) -> JsonObject | None:
    """A server that reports progress and answers by name."""
    match params.get("name"):
        case "lookup":
            progress({"progress": 1, "total": 2})
            return {"content": [], "structuredContent": dict(params["arguments"])}
        case "refresh":
            raise RpcError(-32002, "no such city", {"city": "Atlantis"})
        case "chart":
            raise ServerError("the server ended")
        case _:
            return None


def request(id_: int, name: str, **params: object) -> JsonObject:
    return {
        "jsonrpc": "2.0",
        "id": id_,
        "method": "tools/call",
        "params": {"name": name, "arguments": {"city": "Oslo"}, **params},
    }


async def opened(**options: object) -> tuple[MemoryHost, GoodView]:
    views: list[GoodView] = []

    def make(post: Callable[[object], None]) -> GoodView:
        views.append(GoodView(post))
        return views[-1]

    host = MemoryHost(mounting(), view=make, server=weather, **options)  # type: ignore[arg-type]
    await host.open()
    return host, views[0]


async def test_k108_a_good_view_goes_through_its_whole_life() -> None:
    host, view = await opened()
    assert of(host.effects, Reveal) == [Reveal()]
    await host.feed(ToolInput({"city": "Oslo"}), ToolResult(RESULT))
    await host.feed(CloseRequested("done"))
    assert view.seen == [
        "ui/notifications/tool-input",
        "ui/notifications/tool-result",
        "ui/resource-teardown",
    ]
    assert host.effects[-1] == Unmount("done")
    assert [(name, step.state) for name, step in host.steps().items()] == [
        ("frame", "ok"),
        ("initialize", "ok"),
        ("initialized", "ok"),
        ("input", "ok"),
        ("result", "ok"),
        ("painted", "unknown"),
    ]


async def test_a_call_is_answered_with_progress_first() -> None:
    host, view = await opened()
    view.post(request(5, "lookup", _meta={"progressToken": "t"}))
    await host.feed()
    assert host.received[-2:] == [
        {
            "jsonrpc": "2.0",
            "method": "notifications/progress",
            "params": {"progress": 1, "total": 2, "progressToken": "t"},
        },
        {
            "jsonrpc": "2.0",
            "id": 5,
            "result": {"content": [], "structuredContent": {"city": "Oslo"}},
        },
    ]


async def test_errors_of_the_server_arrive_whole() -> None:
    host, view = await opened()
    view.post(request(5, "refresh"))
    view.post(request(6, "chart"))
    await host.feed()
    assert view.answers[5]["error"] == {
        "code": -32002,
        "message": "no such city",
        "data": {"city": "Atlantis"},
    }
    assert view.answers[6]["error"] == {"code": -32603, "message": "the server ended"}


async def test_a_reply_may_come_later() -> None:
    host, view = await opened()
    view.post({"jsonrpc": "2.0", "id": 9, "method": "resources/read", "params": {"uri": "ui://x"}})
    await host.feed()
    assert 9 not in view.answers
    await host.feed(ServerReply(1, result={"contents": []}))
    assert view.answers[9]["result"] == {"contents": []}


async def test_a_question_is_answered_by_the_given_user() -> None:
    def refuse(question: AskUser) -> UserAnswer:
        return UserAnswer(question.request, allowed=False)

    host, view = await opened(answer=refuse)
    params = {"url": "https://example.com"}
    view.post({"jsonrpc": "2.0", "id": 3, "method": "ui/open-link", "params": params})
    await host.feed()
    assert view.answers[3]["error"]["code"] == -32000


async def test_time_passes_by_hand() -> None:
    host = MemoryHost(mounting(), view=SilentView)
    await host.open()
    await host.advance(2.9)
    assert "initialize" not in host.steps()
    await host.advance(0.1)
    assert host.steps()["initialize"].cause == "handshake-missing"
    assert host.now == pytest.approx(3.0)


async def test_timers_fire_in_the_order_of_their_time() -> None:
    host = MemoryHost(mounting(), view=SilentView)
    await host.open()
    await host.advance(60)
    assert host.now == 60
    assert [step.cause for step in host.steps().values() if step.cause] == ["handshake-missing"]
