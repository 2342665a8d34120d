"""A recording as a server and as a test case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from mcpapps_cli.errors import RpcError
from mcpapps_cli.host import effect as fx
from mcpapps_cli.host.event import (
    CallAppTool,
    CloseRequested,
    ContextChange,
    ListAppTools,
    ToolInput,
    ToolResult,
)
from mcpapps_cli.host.memory import MemoryHost
from mcpapps_cli.host.memory_view import MemoryView
from mcpapps_cli.host.record import (
    Frame,
    Header,
    Recording,
    frame_line,
    header_line,
    read_recording,
)
from mcpapps_cli.host.replay import Difference, ReplayServer, replay_view
from mcpapps_cli.model import JsonObject
from tests.host.rig import RESULT, mounting

pytestmark = pytest.mark.anyio


def asked(at: float, id_: int, method: str, params: Any) -> Frame:
    message = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
    return Frame(at, "host", "server", message)


def answered(at: float, id_: int, **answer: Any) -> Frame:
    return Frame(at, "server", "host", {"jsonrpc": "2.0", "id": id_, **answer})


def progressed(at: float, id_: int, step: int) -> Frame:
    params = {"progressToken": id_, "progress": step}
    message = {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}
    return Frame(at, "server", "host", message)


SERVER = Recording(
    Header(),
    (
        asked(0.0, 1, "tools/call", {"name": "count", "_meta": {"trace": "a"}}),
        asked(0.1, 2, "tools/call", {"name": "count"}),
        progressed(0.2, 1, 1),
        answered(0.3, 2, result={"content": ["second"]}),
        answered(0.5, 1, result={"content": ["first"]}),
        asked(0.6, 3, "resources/read", {"uri": "ui://gone"}),
        answered(0.7, 3, error={"code": -32002, "message": "gone", "data": {"uri": "ui://gone"}}),
        asked(0.8, 4, "tools/call", {"name": "never"}),
    ),
)


async def ask(server: ReplayServer, method: str, **params: Any) -> tuple[Any, list[JsonObject]]:
    told: list[JsonObject] = []
    return await server(method, params, told.append), told


async def test_equal_requests_get_their_answers_in_order_and_the_last_one_again() -> None:
    server = ReplayServer(SERVER)
    assert await ask(server, "tools/call", name="count") == (
        {"content": ["first"]},
        [{"progress": 1}],
    )
    assert (await ask(server, "tools/call", name="count"))[0] == {"content": ["second"]}
    assert (await ask(server, "tools/call", name="count"))[0] == {"content": ["second"]}


async def test_meta_does_not_tell_requests_apart() -> None:
    found = ReplayServer(SERVER).answer("tools/call", {"name": "count", "_meta": {"trace": "b"}})
    assert found is not None
    assert (found.result, found.seconds) == ({"content": ["first"]}, 0.5)


def test_a_request_has_the_id_that_its_answer_had() -> None:
    server = ReplayServer(SERVER)
    ids = []
    for _ in range(3):
        ids.append(server.recorded_id("tools/call", {"name": "count"}))
        server.answer("tools/call", {"name": "count"})
    assert ids == [1, 2, 2]
    assert server.recorded_id("tools/call", {"name": "never"}) is None


async def test_a_recorded_error_is_raised_whole() -> None:
    with pytest.raises(RpcError) as caught:
        await ask(ReplayServer(SERVER), "resources/read", uri="ui://gone")
    error = caught.value
    assert (error.code, error.message, error.data) == (-32002, "gone", {"uri": "ui://gone"})


@pytest.mark.parametrize("name", ["never", "other"])
async def test_what_has_no_answer_fails(name: str) -> None:
    with pytest.raises(RpcError) as caught:
        await ask(ReplayServer(SERVER), "tools/call", name=name)
    assert caught.value.code == -32000
    assert caught.value.message == f'the recording has no answer to tools/call of "{name}"'


# --- a whole session as a test case


class Recorder:
    """Writes the frames of an in-memory host, as a driver would."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []

    def take(self, host: MemoryHost) -> Recording:
        return Recording(Header(tool="chart"), tuple(self.frames))

    def note(self, sender: Any, receiver: Any, message: Any) -> None:
        view = "v1" if "view" in (sender, receiver) else None
        self.frames.append(Frame(len(self.frames) / 10, sender, receiver, message, view))


class RecordedHost(MemoryHost):
    """A `MemoryHost` whose frames are recorded."""

    def __init__(self, recorder: Recorder, **options: Any):
        super().__init__(**options)
        self.recorder = recorder
        feed = self.engine.handle

        def handle(event: Any) -> Any:
            if type(event).__name__ == "ViewMessage":
                recorder.note("view", "host", event.message)
            if type(event).__name__ == "ServerReply":
                answer = {"result": event.result} if event.error is None else {"error": event.error}
                message = {"jsonrpc": "2.0", "id": event.request, **answer}
                recorder.note("server", "host", message)
            return self._keep(feed(event))

        self.engine.handle = handle  # type: ignore[method-assign]

    def _keep(self, effects: Any) -> Any:
        for effect in effects:
            if isinstance(effect, fx.Send):
                self.recorder.note("host", "view", effect.message)
            if isinstance(effect, fx.CallServer):
                message = {"jsonrpc": "2.0", "id": effect.request, "method": effect.method}
                self.recorder.note("host", "server", {**message, "params": effect.params})
        return effects


async def server(
    method: str, params: JsonObject, progress: Callable[[JsonObject], None]
) -> JsonObject | None:
    if method == "resources/read":
        raise RpcError(-32002, "gone")
    return {"content": [], "structuredContent": dict(params)}


async def recorded(profile: dict[str, Any] | None = None) -> Recording:
    views: list[MemoryView] = []

    def make(post: Callable[[object], None]) -> MemoryView:
        views.append(MemoryView(post))
        return views[-1]

    recorder = Recorder()
    host = RecordedHost(recorder, mounting=mounting(profile), view=make, server=server)
    await host.open()
    await host.feed(ToolInput({"city": "Oslo"}))
    views[0].request("tools/call", {"name": "lookup", "arguments": {"city": "Bergen"}})
    views[0].request("tools/call", {"name": "delete_all"})
    views[0].request("resources/read", {"uri": "ui://gone"})
    views[0].request("ui/open-link", {"url": "https://example.com"})
    await host.feed()
    await host.feed(ToolResult(RESULT))
    await host.feed(ContextChange({"theme": "light"}), CloseRequested("done"))
    return recorder.take(host)


async def test_a_recording_replays_without_a_difference() -> None:
    recording = await recorded()
    assert [f.message.get("method") for f in recording.of_view() if f.sender == "host"] == [
        "ui/notifications/sandbox-resource-ready",
        None,
        "ui/notifications/tool-input",
        None,
        None,
        None,
        None,
        "ui/notifications/tool-result",
        "ui/notifications/host-context-changed",
        "ui/resource-teardown",
    ]
    assert replay_view(recording, mounting()) == ()


async def test_it_survives_its_file() -> None:
    recording = await recorded()
    lines = (header_line(recording.header), *map(frame_line, recording.frames))
    assert replay_view(read_recording("\n".join(lines)), mounting()) == ()


async def test_a_host_that_behaves_otherwise_is_found() -> None:
    recording = await recorded()
    found = replay_view(recording, mounting({"denial": "result"}))
    assert [difference.recorded.get("id") for difference in found] == [2]
    assert "error" in found[0].recorded
    assert found[0].now["result"]["isError"] is True


async def test_a_message_that_is_missing_or_too_many_is_found() -> None:
    recording = await recorded()
    told = [i for i, f in enumerate(recording.frames) if (f.sender, f.receiver) == ("host", "view")]
    shorter = replace(recording, frames=recording.frames[: told[-1]])
    assert replay_view(shorter, mounting()) == ()
    extra = Frame(9, "host", "view", {"jsonrpc": "2.0", "method": "ui/unheard"}, "v1")
    longer = replace(recording, frames=(*recording.frames, extra))
    assert replay_view(longer, mounting()) == (
        Difference(len(recording.frames), extra.message, None),
    )
    unsaid = replace(
        recording, frames=tuple(f for i, f in enumerate(recording.frames) if i != told[1])
    )
    assert replay_view(unsaid, mounting()) != ()
    # The answer to `ui/initialize` is the next frame.
    (extra_answer,) = replay_view(replace(recording, frames=recording.frames[:3]), mounting())
    assert (extra_answer.frame, extra_answer.recorded, extra_answer.now["id"]) == (3, None, 0)


async def test_a_view_in_memory_runs_on_a_recorded_server() -> None:
    recording = await recorded()
    views: list[MemoryView] = []

    def make(post: Callable[[object], None]) -> MemoryView:
        views.append(MemoryView(post))
        return views[-1]

    host = MemoryHost(mounting(), view=make, server=ReplayServer(recording))
    await host.open()
    id_ = views[0].request("tools/call", {"name": "lookup", "arguments": {"city": "Bergen"}})
    other = views[0].request("tools/call", {"name": "lookup", "arguments": {"city": "Paris"}})
    await host.feed()
    assert views[0].answers[id_]["result"]["structuredContent"]["arguments"] == {"city": "Bergen"}
    assert views[0].answers[other]["error"]["code"] == -32000


async def test_progress_and_notifications_of_the_server_are_replayed() -> None:
    changed = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {}}
    profile = {"capabilities": {"serverTools": {"listChanged": True}}}
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "lookup", "_meta": {"progressToken": "mine"}},
    }
    told = {"progressToken": "mine", "progress": 1}
    recording = await recorded(profile)
    # Up to the View's `initialized`.
    start = recording.frames[:5]
    frames = (
        *start,
        Frame(1, "view", "host", call, "v1"),
        asked(1.1, 1, "tools/call", {"name": "lookup"}),
        progressed(1.2, 1, 1),
        Frame(
            1.2,
            "host",
            "view",
            {"jsonrpc": "2.0", "method": "notifications/progress", "params": told},
            "v1",
        ),
        Frame(1.3, "server", "host", changed),
        Frame(1.3, "host", "view", changed, "v1"),
        answered(1.4, 1, result={"content": []}),
        Frame(1.4, "host", "view", {"jsonrpc": "2.0", "id": 1, "result": {"content": []}}, "v1"),
    )
    assert replay_view(Recording(Header(), frames), mounting(profile)) == ()
    without = tuple(frame for frame in frames if frame.message is not changed)
    assert replay_view(Recording(Header(), without), mounting(profile)) == ()
    unheard = tuple(frame for frame in frames if (frame.sender, frame.at) != ("server", 1.3))
    assert len(replay_view(Recording(Header(), unheard), mounting(profile))) == 1


async def test_calls_of_the_views_own_tools_are_replayed() -> None:
    views: list[MemoryView] = []

    async def zoom(arguments: JsonObject) -> object:
        return "done"

    def make(post: Callable[[object], None]) -> MemoryView:
        view = MemoryView(post)
        view.register_tool("zoom", {}, zoom)
        views.append(view)
        return view

    recorder = Recorder()
    host = RecordedHost(recorder, mounting=mounting(), view=make, server=server)
    await host.open()
    await host.feed(ListAppTools(), CallAppTool(7, "zoom", {"level": 1}))
    asked_for = [f.message.get("method") for f in recorder.frames if f.receiver == "view"]
    assert asked_for[-2:] == ["tools/list", "tools/call"]
    assert replay_view(recorder.take(host), mounting()) == ()


@pytest.mark.parametrize("odd", [3, None, [], {"id": []}, {"id": {}, "result": {}}, {"method": 3}])
async def test_frames_that_are_no_messages_are_passed_over(odd: Any) -> None:
    frames = (Frame(0, "server", "host", odd), Frame(0, "host", "server", odd))
    assert replay_view(Recording(Header(), frames), mounting()) == ()
    assert ReplayServer(Recording(Header(), frames)).answer("tools/call", {}) is None
    view = Recording(Header(), (Frame(0, "host", "view", odd, "v1"),))
    assert len(replay_view(view, mounting())) == 1
