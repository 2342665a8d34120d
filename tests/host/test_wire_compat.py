"""Our host against Views that are nothing but JSON, as old and new clients put it on the wire."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from mcpapps_cli import __version__
from mcpapps_cli.errors import RpcError
from mcpapps_cli.host.effect import CancelServer, Unmount
from mcpapps_cli.host.event import (
    CallAppTool,
    CloseRequested,
    ContextChange,
    ListAppTools,
    ServerNotification,
    ServerProgress,
    ServerReply,
    ToolCancelled,
    ToolInput,
    ToolInputPartial,
    ToolResult,
)
from mcpapps_cli.host.memory import MemoryHost, Post
from mcpapps_cli.model import JsonObject
from tests.host.rig import TOOL, mounting

pytestmark = pytest.mark.anyio

HELLO = """{"jsonrpc": "2.0", "id": 0, "method": "ui/initialize", "params": {
    "appInfo": {"name": "old-view", "version": "1.7.5"}, "appCapabilities": {},
    "protocolVersion": "2026-01-26"}}"""
INITIALIZED = '{"jsonrpc": "2.0", "method": "ui/notifications/initialized"}'
LOOKUP = {"name": "lookup", "arguments": {"q": "Oslo"}}


class Wire:
    """A View that says what the test tells it to, as JSON text, and keeps what it hears."""

    def __init__(self, post: Post) -> None:
        self.post = post
        self.heard: list[JsonObject] = []

    async def load(self) -> None:
        return

    async def receive(self, message: JsonObject) -> None:
        self.heard.append(json.loads(json.dumps(message)))


class Talk:
    """The host of one `Wire`."""

    def __init__(self, **options: Any) -> None:
        self.wire = Wire(lambda message: None)
        fields = options.pop("fields", {})
        self.host = MemoryHost(mounting(**fields), view=self._view, server=_server, **options)

    def _view(self, post: Post) -> Wire:
        self.wire.post = post
        return self.wire

    async def say(self, *texts: str | JsonObject) -> list[JsonObject]:
        """Post messages; return what the View has heard since the last look."""
        for text in texts:
            self.wire.post(json.loads(text) if isinstance(text, str) else text)
        await self.host.feed()
        return self.heard()

    def heard(self) -> list[JsonObject]:
        taken, self.wire.heard = self.wire.heard, []
        return taken

    async def ask(self, method: str, params: JsonObject | None = None, id_: Any = 1) -> Any:
        more = {} if params is None else {"params": params}
        (answer,) = await self.say({"jsonrpc": "2.0", "id": id_, "method": method, **more})
        assert answer["id"] == id_
        assert type(answer["id"]) is type(id_)
        return answer


async def _server(
    method: str, params: JsonObject, progress: Callable[[JsonObject], None]
) -> JsonObject | None:
    match params.get("name", params.get("uri")):
        case "lookup":
            return {"content": [], "structuredContent": {"n": 0}, "_meta": {"k": 1}}
        case "refresh":
            return {"content": [{"type": "text", "text": "no such city"}], "isError": True}
        case "chart":
            return None
        case uri:
            raise RpcError(-32002, "Resource not found", {"uri": uri})


async def open_host(hello: str = HELLO, **options: Any) -> Talk:
    talk = Talk(**options)
    await talk.host.open()
    await talk.say(hello, INITIALIZED)
    talk.heard()
    return talk


async def test_the_host_says_nothing_before_the_view() -> None:
    talk = Talk()
    await talk.host.open()
    await talk.host.feed(ToolInput({"n": 1}), ToolResult({"content": []}))
    await talk.host.advance(10)
    assert talk.heard() == []


async def test_the_answer_to_ui_initialize_is_exactly_this_under_the_same_id() -> None:
    talk = Talk()
    await talk.host.open()
    assert await talk.say(HELLO) == [
        {
            "jsonrpc": "2.0",
            "id": 0,
            "result": {
                "protocolVersion": "2026-01-26",
                "hostInfo": {"name": "mcpapps", "version": __version__},
                "hostCapabilities": {
                    "openLinks": {},
                    "serverTools": {},
                    "serverResources": {},
                    "logging": {},
                    "sandbox": {},
                },
                "hostContext": {
                    "toolInfo": {"id": 7, "tool": TOOL},
                    "displayMode": "inline",
                    "availableDisplayModes": ["inline"],
                },
            },
        }
    ]


@pytest.mark.parametrize("params", ["", ', "params": {}', ', "params": {"_meta": {"k": 1}}'])
async def test_initialized_is_taken_with_and_without_params(params: str) -> None:
    talk = Talk()
    await talk.host.open()
    await talk.host.feed(ToolInput({"city": "Oslo"}), ToolResult({"content": []}))
    first = await talk.say(HELLO)
    assert [message.get("method") for message in first] == [None]
    assert await talk.say(INITIALIZED[:-1] + params + "}") == [
        _note("ui/notifications/tool-input", {"arguments": {"city": "Oslo"}}),
        _note("ui/notifications/tool-result", {"content": []}),
    ]


@pytest.mark.parametrize("version", ["2025-11-21", "2099-01-01", ""])
async def test_another_protocol_version_is_answered_with_ours(version: str) -> None:
    talk = Talk()
    await talk.host.open()
    (answer,) = await talk.say(HELLO.replace("2026-01-26", version))
    assert answer["result"]["protocolVersion"] == "2026-01-26"


async def test_everything_that_a_host_tells_is_exactly_this() -> None:
    talk = await open_host()
    await talk.host.feed(
        ToolInputPartial({"city": "Os"}),
        ToolInput({"city": "Oslo"}),
        ToolResult({"content": [], "structuredContent": {"n": 1}, "isError": False, "_meta": {}}),
        ContextChange({"theme": "dark"}),
    )
    assert talk.heard() == [
        _note("ui/notifications/tool-input-partial", {"arguments": {"city": "Os"}}),
        _note("ui/notifications/tool-input", {"arguments": {"city": "Oslo"}}),
        _note(
            "ui/notifications/tool-result",
            {
                "content": [],
                "structuredContent": {"n": 1},
                "isError": False,
                "_meta": {},
            },
        ),
        _note("ui/notifications/host-context-changed", {"theme": "dark"}),
    ]


async def test_a_context_that_stays_is_not_told_again() -> None:
    talk = await open_host()
    await talk.host.feed(ContextChange({"theme": "dark", "locale": "de"}))
    await talk.host.feed(ContextChange({"theme": "dark", "locale": "en"}))
    assert [message["params"] for message in talk.heard()] == [
        {"theme": "dark", "locale": "de"},
        {"locale": "en"},
    ]


@pytest.mark.parametrize(("reason", "params"), [("stop", {"reason": "stop"}), (None, {})])
async def test_a_cancellation_gives_its_reason_when_there_is_one(
    reason: str | None, params: JsonObject
) -> None:
    talk = await open_host()
    await talk.host.feed(ToolCancelled(reason))
    assert talk.heard() == [_note("ui/notifications/tool-cancelled", params)]


async def test_a_tool_call_goes_to_the_server_and_its_result_comes_back_whole() -> None:
    talk = await open_host()
    params = {**LOOKUP, "_meta": {"progressToken": 3}}
    assert await talk.ask("tools/call", params, 3) == {
        "jsonrpc": "2.0",
        "id": 3,
        "result": {"content": [], "structuredContent": {"n": 0}, "_meta": {"k": 1}},
    }


async def test_an_is_error_result_stays_a_result() -> None:
    answer = await (await open_host()).ask("tools/call", {"name": "refresh"})
    assert answer["result"] == {
        "content": [{"type": "text", "text": "no such city"}],
        "isError": True,
    }


async def test_an_error_of_the_server_keeps_code_message_and_data() -> None:
    answer = await (await open_host()).ask("resources/read", {"uri": "data://none"})
    assert answer["error"] == {
        "code": -32002,
        "message": "Resource not found",
        "data": {"uri": "data://none"},
    }


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("ui/open-link", {}),
        ("ui/open-link", {"url": 7}),
        ("ui/message", {"role": "assistant", "content": []}),
        ("ui/message", {"role": "user", "content": "hi"}),
        ("ui/request-display-mode", {"mode": "huge"}),
        ("ui/update-model-context", {"structuredContent": []}),
        ("tools/call", {"arguments": {}}),
        ("tools/call", {"name": "lookup", "arguments": []}),
        ("resources/read", {}),
    ],
)
async def test_wrong_params_are_32602(method: str, params: JsonObject) -> None:
    assert (await (await open_host()).ask(method, params))["error"]["code"] == -32602


@pytest.mark.parametrize("method", ["ui/of-the-future", "initialize", "tools/list", "logging/x"])
async def test_an_unknown_method_is_32601(method: str) -> None:
    assert (await (await open_host()).ask(method, {}))["error"]["code"] == -32601


async def test_links_messages_context_and_ping_are_answered_with_nothing() -> None:
    talk = await open_host()
    block = {"type": "text", "text": "hi"}
    asked: list[tuple[str, JsonObject | None]] = [
        ("ui/open-link", {"url": "https://a.example/"}),
        ("ui/message", {"role": "user", "content": [block]}),
        ("ui/message", {"role": "user", "content": block}),
        ("ui/update-model-context", {"content": [block], "structuredContent": {"n": 1}}),
        ("ping", None),
    ]
    for id_, (method, params) in enumerate(asked):
        assert (await talk.ask(method, params, id_))["result"] == {}


async def test_the_mode_that_is_set_is_answered_by_default_the_present_one() -> None:
    talk = await open_host()
    answer = await talk.ask("ui/request-display-mode", {"mode": "fullscreen"})
    assert answer["result"] == {"mode": "inline"}
    more = await open_host(fields={"profile": {"display_modes": ("inline", "fullscreen")}})
    told, answer = await more.say(_request("m", "ui/request-display-mode", {"mode": "fullscreen"}))
    assert told["params"] == {"displayMode": "fullscreen"}
    assert answer["result"] == {"mode": "fullscreen"}


async def test_progress_comes_under_the_views_token_until_the_answer() -> None:
    talk = await open_host()
    request = {"name": "chart", "_meta": {"progressToken": 0}}
    assert await talk.say(_request(4, "tools/call", request)) == []
    await talk.host.feed(ServerProgress(1, {"progressToken": 99, "progress": 1, "total": 2}))
    await talk.host.feed(ServerReply(1, result={"content": []}))
    await talk.host.feed(ServerProgress(1, {"progressToken": 99, "progress": 2, "total": 2}))
    assert talk.heard() == [
        _note("notifications/progress", {"progressToken": 0, "progress": 1, "total": 2}),
        {"jsonrpc": "2.0", "id": 4, "result": {"content": []}},
    ]


async def test_a_cancelled_request_is_cancelled_at_the_server_and_never_answered() -> None:
    talk = await open_host()
    await talk.say(
        _request(4, "tools/call", {"name": "chart"}),
        _note("notifications/cancelled", {"requestId": 4, "reason": "enough"}),
    )
    assert CancelServer(1, "enough") in talk.host.effects
    await talk.host.feed(ServerReply(1, result={"content": []}))
    assert talk.heard() == []


async def test_a_teardown_is_asked_for_and_then_the_frame_goes() -> None:
    talk = await open_host()
    await talk.host.feed(CloseRequested("done"))
    (asked,) = talk.heard()
    assert (asked["method"], asked["params"]) == ("ui/resource-teardown", {"reason": "done"})
    assert not any(isinstance(effect, Unmount) for effect in talk.host.effects)
    await talk.say({"jsonrpc": "2.0", "id": asked["id"], "result": {}})
    assert talk.host.effects[-1] == Unmount("done")


async def test_a_view_without_a_handler_for_the_teardown_goes_too() -> None:
    talk = await open_host()
    await talk.host.feed(CloseRequested("done"))
    (asked,) = talk.heard()
    error = {"code": -32601, "message": "Method not found"}
    await talk.say({"jsonrpc": "2.0", "id": asked["id"], "error": error})
    assert talk.host.effects[-1] == Unmount("done")


async def test_the_views_tools_are_asked_for_with_plain_requests() -> None:
    hello = HELLO.replace('"appCapabilities": {}', '"appCapabilities": {"tools": {}}')
    talk = await open_host(hello)
    await talk.host.feed(ListAppTools())
    (listing,) = talk.heard()
    assert (listing["method"], listing["params"]) == ("tools/list", {})
    tool = {"name": "undo", "inputSchema": {"type": "object"}}
    await talk.say({"jsonrpc": "2.0", "id": listing["id"], "result": {"tools": [tool]}})
    await talk.host.feed(CallAppTool(1, "undo", {"n": 2}))
    (call,) = talk.heard()
    assert (call["method"], call["params"]) == (
        "tools/call",
        {"name": "undo", "arguments": {"n": 2}},
    )


async def test_list_changed_reaches_a_view_whose_host_announces_it() -> None:
    capabilities = {"serverTools": {"listChanged": True}}
    talk = await open_host(fields={"profile": {"capabilities": capabilities}})
    await talk.host.feed(ServerNotification("notifications/tools/list_changed"))
    assert talk.heard() == [_note("notifications/tools/list_changed", {})]


async def test_the_host_never_sends_initialize() -> None:
    talk = await open_host()
    await talk.host.feed(ToolInput({}), ToolResult({"content": []}), CloseRequested("done"))
    sent = [message.get("method") for message in talk.host.received]
    assert "initialize" not in sent
    assert "notifications/initialized" not in sent


@pytest.mark.parametrize(
    "ambient",
    [None, "webpackHotUpdate", 7, [], {}, {"type": "resize"}, {"jsonrpc": "2.0"}, {"id": 1}],
)
async def test_what_is_no_json_rpc_is_passed_over(ambient: Any) -> None:
    talk = await open_host()
    talk.wire.post(ambient)
    await talk.host.feed()
    assert talk.heard() == []
    assert (await talk.ask("ping", id_="still here"))["result"] == {}


def _note(method: str, params: JsonObject) -> JsonObject:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def _request(id_: int | str, method: str, params: JsonObject) -> JsonObject:
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
