"""A server that wants something from the user before it answers."""

from __future__ import annotations

from typing import Any

import pytest

from mcpapps_cli.host.event import ServerReply
from mcpapps_cli.host.input_required import (
    InputRequired,
    Question,
    declined,
    read_input_required,
    retry_params,
)
from tests.host.rig import Rig, sent

FORM = {"message": "Which city?", "requestedSchema": {"type": "object"}}
WANTED: dict[str, Any] = {
    "resultType": "input_required",
    "inputRequests": {
        "city": {"method": "elicitation/create", "params": FORM},
        "text": {"method": "sampling/createMessage", "params": {"messages": []}},
        "where": {"method": "roots/list"},
        "odd": {"method": "future/thing", "params": {}},
        "broken": 3,
    },
    "requestState": "opaque",
}


@pytest.mark.parametrize(
    "result", [{"content": []}, {"resultType": "complete", "content": []}, {"resultType": None}]
)
def test_a_final_answer_asks_for_nothing(result: dict[str, Any]) -> None:
    assert read_input_required(result) is None


def test_questions_are_read_in_order_with_what_they_are() -> None:
    assert read_input_required(WANTED) == InputRequired(
        (
            Question("city", "elicitation", "elicitation/create", FORM),
            Question("text", "sampling", "sampling/createMessage", {"messages": []}),
            Question("where", "roots", "roots/list", {}),
            Question("odd", "other", "future/thing", {}),
            Question("broken", "other", "", {}),
        ),
        "opaque",
    )


def test_an_answer_without_questions_wants_the_request_again() -> None:
    wanted = read_input_required({"resultType": "input_required", "requestState": "s"})
    assert wanted == InputRequired((), "s")
    assert retry_params({"name": "t"}, wanted, {}) == {"name": "t", "requestState": "s"}


def test_the_same_request_is_sent_again_with_answers_and_state() -> None:
    wanted = read_input_required(WANTED)
    assert wanted is not None
    answer = {"action": "accept", "content": {"city": "Oslo"}}
    params = {"name": "t", "arguments": {"a": 1}, "_meta": {"traceparent": "x"}}
    again = retry_params(params, wanted, {"city": answer, "stranger": answer})
    assert again == {**params, "inputResponses": {"city": answer}, "requestState": "opaque"}
    second = InputRequired((Question("day", "elicitation", "elicitation/create", {}),), None)
    assert retry_params(again, second, {"day": {"action": "cancel"}}) == {
        **params,
        "inputResponses": {"day": {"action": "cancel"}},
    }


def test_what_nobody_answers_is_declined_where_that_is_possible() -> None:
    wanted = read_input_required(WANTED)
    assert wanted is not None
    assert [declined(question) for question in wanted.questions] == [
        {"action": "decline"},
        None,
        {"roots": []},
        None,
        None,
    ]


def test_a_view_never_sees_an_answer_that_is_not_final() -> None:
    rig = Rig().ready()
    rig.ask(5, "tools/call", {"name": "lookup"})
    (answer,) = sent(rig.feed(ServerReply(1, result=WANTED)))
    assert answer == {
        "jsonrpc": "2.0",
        "id": 5,
        "error": {
            "code": -32000,
            "message": "the server asked for input that the host did not give",
        },
    }
