"""The end of a View: H33, and ids toward it."""

from __future__ import annotations

from itertools import count

import pytest

from mcpapps_cli.host.effect import Note, Send, StartTimer, StopTimer, Unmount
from mcpapps_cli.host.engine import Phase
from mcpapps_cli.host.event import CloseRequested, TimerFired, ToolInput, ToolResult
from tests.host.rig import RESULT, Rig, of, sent


def test_h33_teardown_is_a_request_with_the_reason_and_is_awaited() -> None:
    rig = Rig().ready()
    effects = rig.feed(CloseRequested("reload"))
    assert effects == (
        Send(
            {
                "jsonrpc": "2.0",
                "id": 1,
                "method": "ui/resource-teardown",
                "params": {"reason": "reload"},
            }
        ),
        StartTimer("teardown", 2.0),
    )
    assert rig.engine.phase is Phase.CLOSING


def test_h33_the_frame_goes_when_the_view_has_answered() -> None:
    rig = Rig().ready()
    rig.feed(CloseRequested("reload"))
    effects = rig.post({"jsonrpc": "2.0", "id": 1, "result": {}})
    assert effects == (StopTimer("teardown"), Unmount("reload"))
    assert rig.engine.phase is Phase.CLOSED


def test_h33_an_error_means_go_ahead() -> None:
    rig = Rig().ready()
    rig.feed(CloseRequested("reload"))
    error = {"code": -32601, "message": "Method not found"}
    effects = rig.post({"jsonrpc": "2.0", "id": 1, "error": error})
    assert effects[-1] == Unmount("reload")


def test_h33_silence_has_a_deadline() -> None:
    rig = Rig().ready()
    rig.feed(CloseRequested("reload"))
    effects = rig.feed(TimerFired("teardown"))
    assert effects[-1] == Unmount("reload", silent=True)
    assert [note.level for note in of(effects, Note)] == ["warning"]


def test_the_deadline_is_the_hosts_to_choose() -> None:
    effects = Rig().ready().feed(CloseRequested("reload", 0.25))
    assert effects[-1] == StartTimer("teardown", 0.25)


@pytest.mark.parametrize("prepare", ["nothing", "loaded", "answered"])
def test_h33_teardown_is_never_sent_before_initialized(prepare: str) -> None:
    rig = Rig()
    if prepare != "nothing":
        getattr(rig, prepare)()
    effects = rig.feed(CloseRequested("reload"))
    assert sent(effects) == []
    assert effects[-1] == Unmount("reload")


def test_the_view_may_still_save_its_state_while_it_is_torn_down() -> None:
    rig = Rig().ready()
    rig.feed(CloseRequested("reload"))
    effects = rig.ask(3, "ui/update-model-context", {"content": []})
    assert sent(effects) == [{"jsonrpc": "2.0", "id": 3, "result": {}}]


def test_nothing_is_told_to_a_view_that_is_torn_down() -> None:
    rig = Rig().ready()
    rig.feed(CloseRequested("reload"))
    assert sent(rig.feed(ToolInput({}), ToolResult(RESULT))) == []


def test_closing_twice_sends_one_teardown() -> None:
    rig = Rig().ready()
    rig.feed(CloseRequested("reload"))
    assert rig.feed(CloseRequested("again")) == ()


def test_an_answer_to_another_request_is_no_answer_to_the_teardown() -> None:
    rig = Rig().ready()
    rig.feed(CloseRequested("reload"))
    for id_ in (0, 2, "1"):
        rig.post({"jsonrpc": "2.0", "id": id_, "result": {}})
    assert rig.engine.phase is Phase.CLOSING


def test_nothing_follows_the_unmount() -> None:
    rig = Rig().ready()
    rig.feed(CloseRequested("reload"), TimerFired("teardown"))
    assert rig.feed(ToolInput({}), TimerFired("paint"), CloseRequested("again")) == ()


def test_every_timer_is_stopped_before_the_frame_goes() -> None:
    rig = Rig().loaded()
    effects = rig.feed(CloseRequested("reload"))
    assert effects == (StopTimer("handshake"), Unmount("reload"))


def test_ids_toward_views_come_from_one_counter_of_the_host() -> None:
    ids = count(40)
    for expected in (40, 41):
        rig = Rig(ids=ids).ready()
        (message,) = sent(rig.feed(CloseRequested("reload")))
        assert message["id"] == expected


def test_a_profile_without_teardown_removes_the_frame_at_once() -> None:
    rig = Rig({"sends": frozenset()}).ready()
    assert rig.feed(CloseRequested("reload")) == (Unmount("reload"),)


def test_a_views_wish_to_go_is_ignored_by_the_stable_profile() -> None:
    rig = Rig().ready()
    effects = rig.notify("ui/notifications/request-teardown", {})
    assert sent(effects) == []
    assert rig.engine.phase is Phase.READY


def test_a_views_wish_to_go_leads_to_the_teardown_where_it_is_served() -> None:
    methods = frozenset({"ui/initialize", "ui/notifications/request-teardown"})
    rig = Rig({"methods": methods}).ready()
    (message,) = sent(rig.notify("ui/notifications/request-teardown"))
    assert message["method"] == "ui/resource-teardown"
