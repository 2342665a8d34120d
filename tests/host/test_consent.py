"""Links, messages, downloads, sampling and model context: H26 to H28 and the denial styles."""

from __future__ import annotations

from typing import Any

import pytest

from mcpapps_cli.host.effect import AskUser, CallServer, ChatMessage, ModelContext
from mcpapps_cli.host.event import UserAnswer
from tests.host.rig import Rig, of, sent

TEXT = {"type": "text", "text": "hello"}
EVERYTHING = frozenset(
    {"ui/initialize", "ui/message", "ui/open-link", "ui/download-file", "sampling/createMessage"}
)


def asked(rig: Rig, method: str, params: Any, id_: Any = 1) -> AskUser:
    (effect,) = of(rig.ask(id_, method, params), AskUser)
    return effect


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/a?b=c#d",
        "http://localhost:3000/",
        "HTTPS://EXAMPLE.COM",
        "mailto:someone@example.com",
    ],
)
def test_k105_h26_a_link_is_opened_when_the_user_agrees(url: str) -> None:
    rig = Rig().ready()
    question = asked(rig, "ui/open-link", {"url": url}, id_=0)
    assert (question.kind, question.detail) == ("link", {"url": url})
    assert sent(rig.feed(UserAnswer(question.request, allowed=True))) == [
        {"jsonrpc": "2.0", "id": 0, "result": {}}
    ]


def test_h26_a_declined_link_is_an_error_in_the_style_of_the_specification() -> None:
    rig = Rig().ready()
    question = asked(rig, "ui/open-link", {"url": "https://example.com"})
    (message,) = sent(rig.feed(UserAnswer(question.request, allowed=False)))
    assert message["error"]["code"] == -32000


def test_h26_a_declined_link_is_a_result_in_the_style_of_the_sdk() -> None:
    rig = Rig({"denial": "result"}).ready()
    question = asked(rig, "ui/open-link", {"url": "https://example.com"})
    (message,) = sent(rig.feed(UserAnswer(question.request, allowed=False)))
    assert message["result"] == {"isError": True}


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "file://host/share",
        "ftp://example.com/a",
        "wss://example.com",
        "blob:https://example.com/1",
        "vscode://open",
        "//example.com",
        "/relative",
        "",
        "https://",
        "https:///path",
        "http://[::1",
        "java\tscript:alert(1)",
        " https://example.com",
        "https://example.com/\n",
    ],
)
def test_other_links_are_refused_without_asking(url: str) -> None:
    rig = Rig().ready()
    effects = rig.ask(1, "ui/open-link", {"url": url})
    assert of(effects, AskUser) == []
    assert sent(effects)[0]["error"]["code"] == -32000


@pytest.mark.parametrize("content", [TEXT, [TEXT]])
def test_h27_a_message_may_be_one_block_or_an_array(content: Any) -> None:
    rig = Rig().ready()
    effects = rig.ask(1, "ui/message", {"role": "user", "content": content})
    assert of(effects, ChatMessage) == [ChatMessage({"role": "user", "content": [TEXT]})]
    assert sent(effects) == [{"jsonrpc": "2.0", "id": 1, "result": {}}]


def test_h27_a_host_may_ask_for_consent_to_a_message() -> None:
    rig = Rig({"consent": frozenset({"message"})}).ready()
    question = asked(rig, "ui/message", {"role": "user", "content": [TEXT]})
    assert of(rig.all, ChatMessage) == []
    effects = rig.feed(UserAnswer(question.request, allowed=True))
    assert of(effects, ChatMessage) == [ChatMessage({"role": "user", "content": [TEXT]})]


def test_h27_a_declined_message_is_not_added() -> None:
    rig = Rig({"consent": frozenset({"message"})}).ready()
    question = asked(rig, "ui/message", {"role": "user", "content": TEXT})
    effects = rig.feed(UserAnswer(question.request, allowed=False))
    assert of(effects, ChatMessage) == []
    assert sent(effects)[0]["error"]["code"] == -32000


@pytest.mark.parametrize(
    ("method", "params", "path"),
    [
        ("ui/open-link", {}, "params.url is required"),
        ("ui/open-link", {"url": None}, "params.url must be a string"),
        ("ui/message", {"content": TEXT}, "params.role is required"),
        ("ui/message", {"role": "assistant", "content": TEXT}, 'params.role must be "user"'),
        ("ui/message", {"role": "user", "content": "hello"}, "params.content must be an array"),
        ("ui/message", {"role": "user", "content": [1]}, "params.content[0] must be an object"),
        ("ui/message", {"role": "user", "content": {}}, "params.content.type is required"),
        (
            "ui/update-model-context",
            {"structuredContent": [1]},
            "params.structuredContent must be an object",
        ),
        ("ui/update-model-context", {"content": TEXT}, "params.content must be an array"),
    ],
)
def test_wrong_params_are_rejected_with_their_path(method: str, params: Any, path: str) -> None:
    (message,) = sent(Rig().ready().ask(1, method, params))
    assert message["error"] == {"code": -32602, "message": f"Invalid params: {path}"}


def test_h28_the_last_model_context_wins() -> None:
    rig = Rig().ready()
    first = {"content": [TEXT]}
    second = {"structuredContent": {"zoom": 3}}
    effects = rig.ask(1, "ui/update-model-context", first)
    effects += rig.ask(2, "ui/update-model-context", second)
    assert of(effects, ModelContext) == [ModelContext(first), ModelContext(second)]
    assert [m["result"] for m in sent(effects)] == [{}, {}]


def test_h28_an_identical_model_context_is_told_once_and_answered_twice() -> None:
    rig = Rig().ready()
    effects = rig.ask(1, "ui/update-model-context", {"content": [TEXT]})
    effects += rig.ask(2, "ui/update-model-context", {"content": [TEXT]})
    assert len(of(effects, ModelContext)) == 1
    assert len(sent(effects)) == 2


def test_an_answer_to_a_cancelled_question_is_dropped() -> None:
    rig = Rig().ready()
    question = asked(rig, "ui/open-link", {"url": "https://example.com"}, id_=5)
    rig.notify("notifications/cancelled", {"requestId": 5})
    assert rig.feed(UserAnswer(question.request, allowed=True)) == ()


def test_an_answer_counts_once() -> None:
    rig = Rig().ready()
    question = asked(rig, "ui/open-link", {"url": "https://example.com"})
    rig.feed(UserAnswer(question.request, allowed=True))
    assert rig.feed(UserAnswer(question.request, allowed=True)) == ()


def test_questions_that_wait_are_bounded() -> None:
    rig = Rig().ready()
    for number in range(8):
        asked(rig, "ui/open-link", {"url": "https://example.com"}, id_=number)
    effects = rig.ask(8, "ui/open-link", {"url": "https://example.com"})
    assert of(effects, AskUser) == []
    assert sent(effects)[0]["error"]["code"] == -32000


def test_questions_and_server_calls_share_no_number() -> None:
    rig = Rig().ready()
    question = asked(rig, "ui/open-link", {"url": "https://example.com"})
    (call,) = of(rig.ask(2, "tools/call", {"name": "lookup"}), CallServer)
    assert question.request != call.request


def test_a_download_is_asked_where_the_host_serves_it() -> None:
    rig = Rig({"methods": EVERYTHING, "consent": frozenset({"download"})}).ready()
    contents = [{"type": "resource", "resource": {"uri": "file:///a.csv", "text": "a"}}]
    question = asked(rig, "ui/download-file", {"contents": contents})
    assert question.kind == "download"
    assert sent(rig.feed(UserAnswer(question.request, allowed=True)))[0]["result"] == {}


def test_sampling_is_answered_with_the_users_result() -> None:
    rig = Rig({"methods": EVERYTHING}).ready()
    question = asked(rig, "sampling/createMessage", {"messages": [], "maxTokens": 5})
    assert question.kind == "sampling"
    answer = {"role": "assistant", "content": TEXT, "model": "m"}
    (message,) = sent(rig.feed(UserAnswer(question.request, allowed=True, result=answer)))
    assert message["result"] == answer


def test_sampling_without_a_result_is_declined() -> None:
    rig = Rig({"methods": EVERYTHING}).ready()
    question = asked(rig, "sampling/createMessage", {"messages": []})
    (message,) = sent(rig.feed(UserAnswer(question.request, allowed=True)))
    assert message["error"]["code"] == -32000
