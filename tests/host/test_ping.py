"""The host's own `ping`: asked only of a View that has shaken hands, and its answer is expected."""

from __future__ import annotations

from mcpapps_cli.host.effect import Note, Send
from mcpapps_cli.host.event import PingRequested
from tests.host.rig import Rig, of


def test_a_ping_is_asked_once_the_handshake_is_done() -> None:
    rig = Rig().answered()
    assert rig.feed(PingRequested()) == ()
    rig = Rig().ready()
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {}}
    assert rig.feed(PingRequested()) == (Send(ping),)


def test_its_answer_is_no_complaint_and_a_second_one_is() -> None:
    rig = Rig().ready()
    rig.feed(PingRequested())
    assert rig.post({"jsonrpc": "2.0", "id": 1, "result": {}}) == ()
    (note,) = of(rig.post({"jsonrpc": "2.0", "id": 1, "result": {}}), Note)
    assert "answered a request that nobody made" in note.text
