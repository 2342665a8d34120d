"""What is a JSON-RPC message and what is not: H37."""

from __future__ import annotations

from typing import Any

import pytest

from mcpapps_cli.host.effect import Note
from mcpapps_cli.host.message import (
    BadParams,
    Malformed,
    Notification,
    Request,
    Response,
    read_message,
)
from tests.host.rig import Rig, of, sent

V = {"jsonrpc": "2.0"}


@pytest.mark.parametrize(
    ("message", "read"),
    [
        ({**V, "id": 0, "method": "ping"}, Request(0, "ping", {})),
        ({**V, "id": "", "method": "ping"}, Request("", "ping", {})),
        ({**V, "id": 1, "method": "m", "params": {"a": 1}}, Request(1, "m", {"a": 1})),
        ({**V, "method": "m"}, Notification("m", {})),
        ({**V, "id": 0, "result": {}}, Response(0, {}, None)),
        ({**V, "id": "x", "error": {"code": 1}}, Response("x", None, {"code": 1})),
        ({**V, "id": 1, "method": "m", "params": []}, BadParams(1, "m")),
        ({**V, "id": 1, "method": "m", "params": None}, BadParams(1, "m")),
    ],
)
def test_a_sound_message_is_read(message: Any, read: Any) -> None:
    assert read_message(message) == read


@pytest.mark.parametrize(
    "message",
    [
        None,
        "{}",
        1,
        [],
        [{**V, "id": 1, "method": "ping"}],
        {},
        {"id": 1, "method": "ping"},
        {"jsonrpc": "1.0", "id": 1, "method": "ping"},
        {"jsonrpc": 2.0, "id": 1, "method": "ping"},
        {**V, "id": None, "method": "ping"},
        {**V, "id": True, "method": "ping"},
        {**V, "id": 1.5, "method": "ping"},
        {**V, "id": {}, "method": "ping"},
        {**V, "id": 10**5000, "method": "ping"},
        {**V, "id": 1, "method": None},
        {**V, "id": 1},
        {**V, "result": {}},
        {**V, "id": 1, "result": {}, "error": {"code": 1, "message": "m"}},
        {**V, "id": 1, "result": None},
        {**V, "id": 1, "error": "no"},
        {**V, "method": "m", "params": [1]},
    ],
)
def test_h37_a_malformed_message_is_dropped_with_a_note(message: Any) -> None:
    assert isinstance(read_message(message), Malformed)
    effects = Rig().ready().post(message)
    assert sent(effects) == []
    assert [note.level for note in of(effects, Note)] == ["warning"]


def test_h37_notes_of_malformed_messages_are_bounded() -> None:
    rig = Rig().ready()
    effects = [effect for _ in range(1000) for effect in rig.post("rubbish")]
    assert len(effects) == 21


def test_unknown_methods_cannot_fill_the_log() -> None:
    rig = Rig().ready()
    effects = rig.notify("x" * 1_000_000)
    (note,) = of(effects, Note)
    assert len(note.text) < 200


def test_an_unknown_method_is_answered_however_often_it_comes() -> None:
    rig = Rig().ready()
    effects = [effect for n in range(100) for effect in rig.ask(n, "ui/nothing", {})]
    assert [m["error"]["code"] for m in sent(effects)] == [-32601] * 100


def test_a_response_that_nobody_asked_for_is_dropped() -> None:
    rig = Rig().ready()
    assert sent(rig.post({**V, "id": 0, "result": {}})) == []


def test_params_nested_beyond_all_measure_are_taken() -> None:
    rig = Rig().ready()
    for id_ in (1, 2):
        deep: dict[str, Any] = {}
        for _ in range(20_000):
            deep = {"a": deep}
        effects = rig.ask(id_, "ui/update-model-context", {"structuredContent": deep})
        assert sent(effects) == [{**V, "id": id_, "result": {}}]
