"""What goes wrong on demand, carried out by the in-memory driver."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mcpapps_cli.errors import UserError
from mcpapps_cli.host.effect import Mount, Unmount
from mcpapps_cli.host.faults import FAULTS, Faults
from mcpapps_cli.host.memory import MemoryHost
from mcpapps_cli.host.memory_view import MemoryView
from mcpapps_cli.host.profiles import load_profile
from mcpapps_cli.model import JsonObject
from tests.host.rig import mounting, of

ANSWER = {"content": [{"type": "text", "text": "sunny"}]}


async def server(
    method: str, params: JsonObject, progress: Callable[[JsonObject], None]
) -> JsonObject | None:
    return {"contents": []} if method == "resources/read" else ANSWER


async def opened(*faults: str, **fields: object) -> tuple[MemoryHost, MemoryView]:
    views: list[MemoryView] = []

    def make(post: Callable[[object], None]) -> MemoryView:
        views.append(MemoryView(post))
        return views[-1]

    profile = {"display_modes": ("inline", "fullscreen")}
    mounted = mounting(profile, **fields)
    host = MemoryHost(mounted, view=make, server=server, faults=Faults(faults))
    await host.open()
    return host, views[0]


async def asked(host: MemoryHost, view: MemoryView, method: str, params: JsonObject) -> JsonObject:
    id_ = view.request(method, params)
    await host.feed()
    return view.answers[id_]


@pytest.mark.anyio
async def test_without_faults_the_call_is_answered() -> None:
    host, view = await opened()
    await host.call_tool({"city": "Oslo"})
    assert (view.inputs, view.results) == ([{"arguments": {"city": "Oslo"}}], [ANSWER])


@pytest.mark.anyio
async def test_a_slow_tool_answers_when_its_time_has_come() -> None:
    host, view = await opened("slow-tool=2")
    await host.call_tool({})
    await host.advance(1.9)
    assert (len(view.inputs), view.results) == (1, [])
    await host.advance(0.1)
    assert view.results == [ANSWER]
    id_ = view.request("tools/call", {"name": "lookup"})
    await host.feed()
    assert id_ not in view.answers
    await host.advance(2)
    assert view.answers[id_]["result"] == ANSWER


def test_a_slow_tool_takes_five_seconds_unless_told_otherwise() -> None:
    assert Faults(["slow-tool"]).treat("tools/call", origin="view").seconds == 5.0


@pytest.mark.anyio
async def test_an_error_result_is_a_result() -> None:
    host, view = await opened("error-result")
    await host.call_tool({})
    assert [result["isError"] for result in view.results] == [True]
    answer = await asked(host, view, "tools/call", {"name": "lookup"})
    assert answer["result"]["isError"] is True


@pytest.mark.anyio
async def test_h32_a_cancelled_call_has_a_reason_and_no_result() -> None:
    host, view = await opened("cancel")
    await host.call_tool({})
    assert view.cancelled == [{"reason": "injected: the call was cancelled"}]
    assert view.results == []
    answer = await asked(host, view, "tools/call", {"name": "lookup"})
    assert answer["result"] == ANSWER


@pytest.mark.anyio
async def test_the_view_is_torn_down_during_its_call() -> None:
    host, view = await opened("teardown")
    await host.call_tool({})
    assert view.closed
    assert view.results == []
    assert host.effects[-1] == Unmount("injected: the host took the View away")


@pytest.mark.anyio
async def test_permissions_are_refused() -> None:
    host, view = await opened("permission-refused", permissions=("camera",))
    assert [mount.allow for mount in of(host.effects, Mount)] == [""]
    assert view.host is not None
    assert view.host["hostCapabilities"]["sandbox"] == {}


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("fault", "method", "params"),
    [
        ("link-refused", "ui/open-link", {"url": "https://example.com"}),
        ("message-refused", "ui/message", {"role": "user", "content": [{"type": "text"}]}),
    ],
)
async def test_what_is_refused_is_an_error(fault: str, method: str, params: JsonObject) -> None:
    host, view = await opened(fault)
    answer = await asked(host, view, method, params)
    assert answer["error"]["code"] == -32000
    host, view = await opened()
    assert "result" in await asked(host, view, method, params)


@pytest.mark.anyio
async def test_h22_a_refused_display_mode_is_answered_with_the_current_one() -> None:
    host, view = await opened("mode-refused")
    answer = await asked(host, view, "ui/request-display-mode", {"mode": "fullscreen"})
    assert answer["result"] == {"mode": "inline"}


@pytest.mark.anyio
async def test_a_lost_reply_never_comes() -> None:
    host, view = await opened("reply-lost")
    for method, params in (
        ("tools/call", {"name": "lookup"}),
        ("resources/read", {"uri": "ui://demo/chart.html"}),
    ):
        id_ = view.request(method, params)
        await host.feed()
        await host.advance(600)
        assert id_ not in view.answers
    await host.call_tool({})
    assert view.results == [ANSWER]


@pytest.mark.anyio
async def test_a_server_that_goes_during_the_call_cancels_it_and_stays_away() -> None:
    host, view = await opened("server-gone")
    await host.call_tool({})
    assert view.cancelled == [{"reason": "the server is gone: injected: the server ended"}]
    answer = await asked(host, view, "resources/read", {"uri": "ui://demo/chart.html"})
    assert answer["error"] == {"code": -32603, "message": "injected: the server ended"}


@pytest.mark.anyio
async def test_a_server_that_goes_during_a_call_of_the_view_answers_it_with_an_error() -> None:
    host, view = await opened("server-gone")
    answer = await asked(host, view, "tools/call", {"name": "lookup"})
    assert answer["error"]["code"] == -32603


@pytest.mark.anyio
async def test_reads_fail_also_for_the_host() -> None:
    host, view = await opened("read-failing")
    answer = await asked(host, view, "resources/read", {"uri": "ui://demo/chart.html"})
    assert answer["error"]["code"] == -32603
    treatment = Faults(["read-failing"]).treat("resources/read", origin="host")
    assert treatment.outcome == "error"


def test_only_what_a_view_asks_for_is_lost() -> None:
    faults = Faults(["reply-lost"])
    for method in ("tools/call", "resources/read"):
        assert faults.treat(method, origin="view").outcome == "lost"
        assert faults.treat(method, origin="host").outcome == "ask"


def test_every_tool_call_gets_its_own_session() -> None:
    faults = Faults(["session-per-call"])
    assert faults.treat("tools/call", origin="host").new_session
    assert faults.treat("tools/call", origin="view").new_session
    assert not faults.treat("resources/read", origin="view").new_session
    assert not Faults().treat("tools/call", origin="view").new_session


def test_faults_combine() -> None:
    treatment = Faults(["slow-tool=1", "error-result", "session-per-call"]).treat(
        "tools/call", origin="host"
    )
    assert (treatment.seconds, treatment.outcome, treatment.new_session) == (1.0, "result", True)
    profile = Faults(["link-refused", "mode-refused"]).profile(load_profile("spec"))
    assert profile.refuses == {"link", "mode"}


def test_every_fault_says_what_goes_wrong() -> None:
    assert len(FAULTS) == 12
    assert all(FAULTS.values())


@pytest.mark.parametrize(
    ("name", "message", "help"),
    [
        ("slow-tol", 'there is no fault "slow-tol"', 'did you mean "slow-tool"?'),
        ("slow-tool=x", '"x" is no number of seconds', "write slow-tool=2, or slow-tool=0.5"),
        ("slow-tool=-1", '"-1" is no number of seconds', "write slow-tool=2, or slow-tool=0.5"),
        ("slow-tool=nan", '"nan" is no number of seconds', "write slow-tool=2, or slow-tool=0.5"),
        ("cancel=3", 'the fault "cancel" takes no number', 'write "cancel"'),
    ],
)
def test_a_wrong_fault_is_the_users_to_fix(name: str, message: str, help: str) -> None:
    with pytest.raises(UserError) as caught:
        Faults([name])
    assert (caught.value.message, caught.value.help) == (message, help)
