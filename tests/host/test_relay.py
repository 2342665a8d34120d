"""The View's requests to its server: H11, H12, H17, H18, and errors, progress, cancellation."""

from __future__ import annotations

from typing import Any

import pytest

from mcpapps_cli.host.effect import AskUser, CallServer, CancelServer
from mcpapps_cli.host.event import (
    CloseRequested,
    ServerGone,
    ServerNotification,
    ServerProgress,
    ServerReply,
    ToolsListed,
)
from tests.host.rig import TOOL, Rig, notes, of, sent

TOOLS_CHANGED = "notifications/tools/list_changed"


def call(rig: Rig, name: str = "lookup", id_: Any = 1, **more: Any) -> CallServer:
    (effect,) = of(rig.ask(id_, "tools/call", {"name": name, **more}), CallServer)
    return effect


def test_k105_h17_a_call_is_forwarded_with_its_params() -> None:
    rig = Rig().ready()
    effect = call(rig, arguments={"q": "x"}, unknown=[1])
    assert effect.method == "tools/call"
    assert effect.params == {"name": "lookup", "arguments": {"q": "x"}, "unknown": [1]}


@pytest.mark.parametrize("id_", [0, 1, -3, "0", "", "a" * 500])
def test_h18_the_reply_has_the_views_own_id(id_: Any) -> None:
    rig = Rig().ready()
    effect = call(rig, id_=id_)
    assert sent(rig.feed(ServerReply(effect.request, result={"content": []}))) == [
        {"jsonrpc": "2.0", "id": id_, "result": {"content": []}}
    ]


def test_replies_may_come_in_any_order() -> None:
    rig = Rig().ready()
    first, second = call(rig, id_=1), call(rig, id_=2)
    effects = rig.feed(
        ServerReply(second.request, result={"n": 2}), ServerReply(first.request, result={"n": 1})
    )
    assert [(m["id"], m["result"]) for m in sent(effects)] == [(2, {"n": 2}), (1, {"n": 1})]


def test_the_meta_of_a_result_is_kept_for_the_view() -> None:
    result = {"content": [], "_meta": {"example.com/token": "t"}, "isError": True}
    rig = Rig().ready()
    (message,) = sent(rig.feed(ServerReply(call(rig).request, result=result)))
    assert message["result"] == result


@pytest.mark.parametrize(
    "error",
    [
        {"code": -32002, "message": "Resource not found", "data": {"uri": "ui://x"}},
        {"code": -32602, "message": ""},
        {"code": 1, "message": "own", "data": None},
        {"code": -32042, "message": "elicit", "data": {"elicitations": []}},
    ],
)
def test_k106_an_error_keeps_code_message_and_data(error: dict[str, Any]) -> None:
    rig = Rig().ready()
    assert sent(rig.feed(ServerReply(call(rig, id_=0).request, error=error))) == [
        {"jsonrpc": "2.0", "id": 0, "error": error}
    ]


def test_h18_a_malformed_error_becomes_one_that_a_view_can_read() -> None:
    rig = Rig().ready()
    (message,) = sent(rig.feed(ServerReply(call(rig).request, error={"reason": "?"})))
    assert message["error"]["code"] == -32603


def test_k105_h11_a_tool_without_app_visibility_is_refused() -> None:
    rig = Rig().ready()
    effects = rig.ask(4, "tools/call", {"name": "delete_all"})
    assert of(effects, CallServer) == []
    (message,) = sent(effects)
    assert message["id"] == 4
    assert message["error"]["code"] == -32000


def test_h11_an_empty_visibility_means_nobody() -> None:
    rig = Rig().ready()
    assert of(rig.ask(4, "tools/call", {"name": "retired"}), CallServer) == []


@pytest.mark.parametrize("name", ["refresh", "lookup", "chart"])
def test_h11_app_only_and_unmarked_tools_are_called(name: str) -> None:
    assert call(Rig().ready(), name).params == {"name": name}


def test_h12_a_tool_that_the_own_server_does_not_list_is_refused() -> None:
    rig = Rig().ready()
    effects = rig.ask(4, "tools/call", {"name": "tool_of_another_server"})
    assert of(effects, CallServer) == []
    (message,) = sent(effects)
    assert message["error"]["code"] == -32602
    assert "does not list" in notes(effects)


def test_h11_a_refused_call_is_a_result_where_the_host_denies_so() -> None:
    rig = Rig({"denial": "result"}).ready()
    effects = rig.ask(4, "tools/call", {"name": "delete_all"})
    assert of(effects, CallServer) == []
    (message,) = sent(effects)
    assert message["result"]["isError"] is True
    assert message["result"]["content"][0]["type"] == "text"


@pytest.mark.parametrize("profile", [{"early_requests": "answer"}, {"hides_app_tools": False}])
def test_h11_a_lenient_host_refuses_it_too(profile: dict[str, Any]) -> None:
    rig = Rig(profile)
    rig.answered() if "early_requests" in profile else rig.ready()
    effects = rig.ask(4, "tools/call", {"name": "delete_all"})
    assert of(effects, CallServer) == []
    assert sent(effects)[0]["error"]["code"] == -32000


def test_h11_the_visibility_that_was_listed_last_counts() -> None:
    rig = Rig().ready()
    call(rig, "lookup")
    rig.feed(ToolsListed(({"name": "lookup", "_meta": {"ui": {"visibility": ["model"]}}},)))
    assert of(rig.ask(5, "tools/call", {"name": "lookup"}), CallServer) == []


def test_tools_listed_again_may_be_called() -> None:
    rig = Rig().ready()
    rig.feed(ToolsListed((TOOL, {"name": "fresh"})))
    assert call(rig, "fresh").params == {"name": "fresh"}
    assert of(rig.ask(9, "tools/call", {"name": "lookup"}), CallServer) == []


@pytest.mark.parametrize(
    ("method", "params", "path"),
    [
        ("tools/call", {}, "params.name is required"),
        ("tools/call", {"name": 1}, "params.name must be a string"),
        ("tools/call", {"name": "lookup", "arguments": []}, "params.arguments must be an object"),
        ("resources/read", {}, "params.uri is required"),
        ("resources/read", None, "params.uri is required"),
        ("resources/read", "ui://x", "params must be an object"),
    ],
)
def test_wrong_params_are_rejected_with_their_path(method: str, params: Any, path: str) -> None:
    rig = Rig().ready()
    effects = rig.ask(1, method, params)
    assert of(effects, CallServer) == []
    (message,) = sent(effects)
    assert message["error"] == {"code": -32602, "message": f"Invalid params: {path}"}


def test_any_resource_may_be_read() -> None:
    rig = Rig().ready()
    (effect,) = of(rig.ask(1, "resources/read", {"uri": "file:///x.mp4"}), CallServer)
    assert (effect.method, effect.params) == ("resources/read", {"uri": "file:///x.mp4"})


@pytest.mark.parametrize(
    "method",
    [
        "tools/list",
        "resources/list",
        "prompts/list",
        "sampling/createMessage",
        "initialize",
        "server/discover",
        "ui/download-file",
        "ui/log",
        "ui/unheard-of",
        "",
    ],
)
def test_a_method_that_the_stable_text_does_not_name_is_not_found(method: str) -> None:
    rig = Rig().ready()
    effects = rig.ask(1, method, {})
    assert of(effects, CallServer) == []
    (message,) = sent(effects)
    assert message["error"]["code"] == -32601


def test_h17_a_profile_may_forward_more() -> None:
    methods = frozenset({"resources/list", "tools/list"})
    rig = Rig({"methods": methods | {"ui/initialize"}}).ready()
    (effect,) = of(rig.ask(1, "resources/list", {"cursor": "c"}), CallServer)
    assert (effect.method, effect.params) == ("resources/list", {"cursor": "c"})


def test_k105_h17_a_method_of_the_ui_namespace_is_never_forwarded() -> None:
    rig = Rig({"methods": frozenset({"ui/initialize", "ui/unheard-of", "ui/"})}).ready()
    for method in ("ui/unheard-of", "ui/"):
        effects = rig.ask(1, method, {})
        assert of(effects, CallServer) == []
        assert sent(effects)[0]["error"]["code"] == -32601


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("ui/open-link", {"url": "https://example.com"}),
        ("ui/message", {"role": "user", "content": [{"type": "text", "text": "hi"}]}),
        ("ui/update-model-context", {"content": []}),
        ("ui/request-display-mode", {"mode": "inline"}),
        ("ui/download-file", {"contents": [{"type": "resource_link"}]}),
        ("sampling/createMessage", {"messages": []}),
    ],
)
def test_k105_what_the_host_itself_serves_is_never_forwarded(
    method: str, params: dict[str, Any]
) -> None:
    rig = Rig({"methods": frozenset({"ui/initialize", method})}).ready()
    effects = rig.ask(1, method, params)
    assert of(effects, CallServer) == []
    assert of(effects, AskUser) or "result" in sent(effects)[0]


def test_h18_ping_is_answered_by_the_host() -> None:
    rig = Rig().ready()
    effects = rig.ask(0, "ping")
    assert of(effects, CallServer) == []
    assert sent(effects) == [{"jsonrpc": "2.0", "id": 0, "result": {}}]


def test_ping_is_answered_at_any_time() -> None:
    assert sent(Rig().loaded().ask("p", "ping")) == [{"jsonrpc": "2.0", "id": "p", "result": {}}]


def test_h18_a_log_message_stays_with_the_host() -> None:
    rig = Rig().ready()
    effects = rig.notify("notifications/message", {"level": "warning", "data": "careful"})
    assert of(effects, CallServer) == []
    assert sent(effects) == []
    assert notes(effects) == "careful"


def test_h18_progress_goes_back_under_the_views_own_token() -> None:
    rig = Rig().ready()
    effect = call(rig, _meta={"progressToken": "view-token", "traceparent": "00-abc"})
    assert effect.params == {"name": "lookup", "_meta": {"traceparent": "00-abc"}}
    progress = {"progressToken": 99, "progress": 0.5, "total": 1, "message": "half"}
    assert sent(rig.feed(ServerProgress(effect.request, progress))) == [
        {
            "jsonrpc": "2.0",
            "method": "notifications/progress",
            "params": {
                "progressToken": "view-token",
                "progress": 0.5,
                "total": 1,
                "message": "half",
            },
        }
    ]


def test_a_progress_token_of_0_is_a_token() -> None:
    rig = Rig().ready()
    effect = call(rig, _meta={"progressToken": 0})
    assert effect.params == {"name": "lookup"}
    (message,) = sent(rig.feed(ServerProgress(effect.request, {"progress": 1})))
    assert message["params"] == {"progress": 1, "progressToken": 0}


def test_h18_a_view_that_gave_no_token_gets_no_progress() -> None:
    rig = Rig().ready()
    assert sent(rig.feed(ServerProgress(call(rig).request, {"progress": 1}))) == []


def test_progress_of_the_view_goes_nowhere() -> None:
    params = {"progressToken": 1, "progress": 1}
    assert Rig().ready().notify("notifications/progress", params) == ()


def test_progress_after_the_reply_is_dropped() -> None:
    rig = Rig().ready()
    effect = call(rig, _meta={"progressToken": 1})
    rig.feed(ServerReply(effect.request, result={}))
    assert sent(rig.feed(ServerProgress(effect.request, {"progress": 1}))) == []


def test_h18_a_cancelled_call_is_cancelled_at_the_server_and_not_answered() -> None:
    rig = Rig().ready()
    effect = call(rig, id_=0)
    effects = rig.notify("notifications/cancelled", {"requestId": 0, "reason": "changed my mind"})
    assert effects == (CancelServer(effect.request, "changed my mind"),)
    assert rig.feed(ServerReply(effect.request, result={})) == ()


@pytest.mark.parametrize("params", [{}, {"requestId": 9}, {"requestId": None}, {"requestId": True}])
def test_a_cancellation_of_nothing_does_nothing(params: dict[str, Any]) -> None:
    rig = Rig().ready()
    call(rig, id_=1)
    assert rig.notify("notifications/cancelled", params) == ()


def test_k109_open_calls_of_a_view_that_goes_are_cancelled() -> None:
    rig = Rig().ready()
    effect = call(rig)
    rig.feed(CloseRequested("reload"))
    effects = rig.post({"jsonrpc": "2.0", "id": 1, "result": {}})
    assert of(effects, CancelServer) == [CancelServer(effect.request, "reload")]


def test_open_calls_fail_when_the_server_goes() -> None:
    rig = Rig().ready()
    call(rig, id_="a")
    (message,) = [m for m in sent(rig.feed(ServerGone("exit code 1"))) if "id" in m]
    assert message["id"] == "a"
    assert message["error"] == {"code": -32603, "message": "the server is gone: exit code 1"}


def test_h18_list_changed_is_relayed_if_advertised() -> None:
    rig = Rig({"capabilities": {"serverTools": {"listChanged": True}}}).ready()
    effects = rig.feed(
        ServerNotification(TOOLS_CHANGED),
        ServerNotification("notifications/resources/list_changed"),
    )
    assert sent(effects) == [{"jsonrpc": "2.0", "method": TOOLS_CHANGED, "params": {}}]


@pytest.mark.parametrize("tools", [{}, {"listChanged": False}, {"listChanged": "yes"}])
def test_h18_list_changed_is_not_relayed_unless_advertised(tools: dict[str, Any]) -> None:
    rig = Rig({"capabilities": {"serverTools": tools}}).ready()
    assert rig.feed(ServerNotification(TOOLS_CHANGED)) == ()


def test_other_notifications_of_the_server_are_not_the_views() -> None:
    rig = Rig({"capabilities": {"serverResources": {"listChanged": True}}}).ready()
    assert rig.feed(ServerNotification("notifications/resources/updated", {"uri": "x"})) == ()


def test_a_request_id_in_use_is_reported_and_both_are_answered() -> None:
    rig = Rig().ready()
    first = call(rig, id_=1)
    effects = rig.ask(1, "tools/call", {"name": "lookup"})
    (second,) = of(effects, CallServer)
    assert "in use already" in notes(effects)
    answers = rig.feed(
        ServerReply(first.request, result={"n": 1}), ServerReply(second.request, result={"n": 2})
    )
    assert [m["result"]["n"] for m in sent(answers)] == [1, 2]


def test_h40_open_calls_are_bounded() -> None:
    rig = Rig().ready()
    for number in range(256):
        call(rig, id_=number)
    effects = rig.ask(256, "tools/call", {"name": "lookup"})
    assert of(effects, CallServer) == []
    assert sent(effects)[0]["error"]["code"] == -32000


@pytest.mark.parametrize("method", ["tools/call", "ui/open-link", "resources/read"])
def test_a_request_before_initialized_is_refused_and_reported(method: str) -> None:
    rig = Rig().answered()
    effects = rig.ask(3, method, {"name": "lookup", "url": "https://x.example", "uri": "ui://x"})
    assert of(effects, CallServer) == []
    assert sent(effects)[0]["error"]["code"] == -32600
    assert f"{method} was sent before ui/notifications/initialized" in notes(effects)


def test_a_lenient_profile_answers_early_requests() -> None:
    rig = Rig({"early_requests": "answer"}).answered()
    assert call(rig).params == {"name": "lookup"}
