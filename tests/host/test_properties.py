"""Whatever is posted and whatever happens: the engine stands, and is silent until `initialized`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mcpapps_cli.host import event as ev
from mcpapps_cli.host.effect import AppToolResult, Send, StartTimer, StopTimer, Unmount
from mcpapps_cli.host.engine import Engine, Phase
from mcpapps_cli.host.quirks import Quirks, quirk_names
from tests.host.rig import INITIALIZE, mounting

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=6), JSON, max_size=3)
METHODS = st.sampled_from(
    [
        "ui/initialize",
        "ui/notifications/initialized",
        "ui/notifications/sandbox-proxy-ready",
        "ui/notifications/size-changed",
        "ui/notifications/request-teardown",
        "ui/open-link",
        "ui/message",
        "ui/request-display-mode",
        "ui/update-model-context",
        "ui/download-file",
        "tools/call",
        "tools/list",
        "resources/read",
        "sampling/createMessage",
        "notifications/message",
        "notifications/cancelled",
        "notifications/progress",
        "notifications/tools/list_changed",
        "initialize",
        "ping",
        "",
    ]
)
KEYS = (
    *("name", "arguments", "uri", "url", "mode", "role", "content", "requestId", "reason", "level"),
    *("data", "height", "width", "_meta", "appInfo", "appCapabilities", "messages", "contents"),
)
VALUES = JSON | st.sampled_from(
    [
        "lookup",
        "delete_all",
        "https://example.com",
        "fullscreen",
        "user",
        {"type": "text", "text": "x"},
        [{"type": "text"}],
        {"progressToken": 0},
        {"availableDisplayModes": ["inline"]},
    ]
)
TOOLED = {**INITIALIZE, "appCapabilities": {"tools": {"listChanged": True}}}
PARAMS = (
    st.sampled_from([INITIALIZE, TOOLED])
    | st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4)
    | JSON
)
RESULTS = st.sampled_from(
    [
        {"content": []},
        {"tools": [{"name": "zoom"}, {"name": "pan"}], "nextCursor": "2"},
        {"tools": [{"name": "zoom"}, 3]},
    ]
)
MESSAGES = (
    st.fixed_dictionaries(
        {"jsonrpc": st.just("2.0"), "method": METHODS},
        optional={"id": st.integers(0, 3) | st.sampled_from(["0", None, 1.5]), "params": PARAMS},
    )
    | st.fixed_dictionaries(
        {"jsonrpc": st.just("2.0"), "id": st.integers(0, 3)},
        optional={"result": OBJECTS | RESULTS, "error": OBJECTS},
    )
    | JSON
)
CONTEXTS = st.dictionaries(
    st.sampled_from(["theme", "displayMode", "containerDimensions", "styles", "locale"]),
    JSON
    | st.sampled_from(
        ["dark", "fullscreen", "inline", {"maxHeight": 10}, {"variables": {"--x": 1}}]
    ),
)
REPORTS = st.builds(
    ev.ProbeReport,
    st.sampled_from(["loaded", "error", "console", "painted", "listener", "storage", "network"]),
    OBJECTS
    | st.fixed_dictionaries(
        {},
        optional={
            "document": st.sampled_from(["a", "b"]),
            "by": st.just("sandbox"),
            "method": METHODS,
            "present": st.booleans(),
            "message": JSON,
        },
    ),
)
TIMERS = st.sampled_from(
    [
        *("frame", "handshake", "paint", "size", "teardown"),
        *("app-tool-list", "app-tool-relist", "app-tool:1", "app-tool:2", "app-tool:3"),
    ]
)
NUMBERS = st.integers(0, 6)
EVENTS = (
    st.builds(ev.ViewMessage, MESSAGES)
    | st.builds(ev.ViewMessage, MESSAGES)
    | st.builds(ev.ToolInputPartial, OBJECTS)
    | st.builds(ev.ToolInput, OBJECTS)
    | st.builds(ev.ToolResult, OBJECTS)
    | st.builds(ev.ToolCancelled, st.none() | st.text(max_size=3))
    | st.builds(ev.ServerReply, NUMBERS, result=st.none() | OBJECTS, error=st.none() | OBJECTS)
    | st.builds(ev.ServerProgress, NUMBERS, OBJECTS)
    | st.builds(
        ev.ServerNotification, METHODS | st.just("notifications/tools/list_changed"), OBJECTS
    )
    | st.builds(ev.ToolsListed, st.just(({"name": "lookup"},)))
    | st.builds(ev.ServerGone, st.text(max_size=3))
    | st.builds(ev.TimerFired, TIMERS)
    | st.builds(ev.ContextChange, CONTEXTS)
    | st.builds(ev.UserAnswer, NUMBERS, st.booleans(), st.none() | OBJECTS)
    | REPORTS
    | st.builds(ev.Violation, st.text(max_size=5), st.text(max_size=5))
    | st.builds(ev.CloseRequested, st.text(max_size=3))
    | st.builds(ev.ListAppTools)
    | st.builds(ev.CallAppTool, NUMBERS, st.sampled_from(["zoom", "fly"]), OBJECTS)
    | st.builds(ev.CancelAppTool, NUMBERS)
)
OPENING = [
    ev.ViewMessage({"jsonrpc": "2.0", "method": "ui/notifications/sandbox-proxy-ready"}),
    ev.ViewMessage({"jsonrpc": "2.0", "id": 0, "method": "ui/initialize", "params": INITIALIZE}),
    ev.ViewMessage({"jsonrpc": "2.0", "method": "ui/notifications/initialized"}),
]
LENIENT: dict[str, Any] = {
    "capabilities": {"serverTools": {"listChanged": True}},
    "display_modes": ("inline", "fullscreen", "pip"),
    "consent": frozenset({"link", "message", "app-tool"}),
    "app_tools": True,
    "denial": "result",
    "early_requests": "answer",
}


def run(profile: dict[str, Any], opening: int, events: list[ev.Event], **fields: Any) -> None:
    """Check, on every step, all that must hold whatever happens."""
    engine = Engine(mounting(profile, probe=True, **fields))
    called: Counter[int] = Counter()
    answered: Counter[int] = Counter()
    effects = list(engine.start())
    asked: set[Any] = set()
    running = {effect.name for effect in effects if isinstance(effect, StartTimer)}
    for event in [*OPENING[:opening], *events]:
        closed = engine.phase is Phase.CLOSED
        before = engine.phase
        if isinstance(event, ev.ViewMessage) and isinstance(event.message, dict):
            id_ = event.message.get("id")
            if isinstance(id_, int | str):
                asked.add(id_)
        if isinstance(event, ev.TimerFired):
            running.discard(event.name)
        effects = list(engine.handle(event))
        assert not closed or all(isinstance(effect, AppToolResult) for effect in effects)
        called.update([event.call] if isinstance(event, ev.CallAppTool) else [])
        answered.update(effect.call for effect in effects if isinstance(effect, AppToolResult))
        assert answered <= called
        if engine.phase is Phase.CLOSED:
            assert answered == called
        for effect in effects:
            if isinstance(effect, StartTimer):
                running.add(effect.name)
            elif isinstance(effect, StopTimer):
                running.discard(effect.name)
        told = [effect.message for effect in effects if isinstance(effect, Send)]
        for message in told:
            assert message["jsonrpc"] == "2.0"
            if "method" not in message:
                assert message["id"] in asked
                assert ("result" in message) != ("error" in message)
            elif max(before, engine.phase) < Phase.READY:
                assert message["method"] == "ui/notifications/sandbox-resource-ready"
        if any(isinstance(effect, Unmount) for effect in effects):
            assert isinstance(effects[-1], Unmount)
            assert not running
            assert engine.phase is Phase.CLOSED


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 3), st.lists(EVENTS, max_size=25))
def test_h16_nothing_but_answers_precedes_initialized_whatever_happens(
    opening: int, events: list[ev.Event]
) -> None:
    run({}, opening, events)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 3), st.lists(EVENTS, max_size=25))
def test_the_same_holds_under_a_lenient_profile(opening: int, events: list[ev.Event]) -> None:
    run(LENIENT, opening, events)


@settings(max_examples=100, deadline=None)
@given(st.lists(EVENTS, max_size=25))
def test_the_same_holds_with_every_quirk_but_the_early_input(events: list[ev.Event]) -> None:
    names = [name for name in quirk_names() if name != "input-before-initialized"]
    mounted = Quirks(names).mount(mounting(LENIENT))
    run({**LENIENT, "refuses": mounted.profile.refuses}, 3, events, quirks=mounted.quirks)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 20_000) | st.floats(), min_size=1, max_size=60))
def test_no_report_sizes_the_frame_beyond_its_maximum(heights: list[float]) -> None:
    engine = Engine(mounting(context={"containerDimensions": {"maxHeight": 700}}))
    engine.start()
    for event in OPENING:
        engine.handle(event)
    for height in heights:
        params = {"height": height}
        message = {"jsonrpc": "2.0", "method": "ui/notifications/size-changed", "params": params}
        for effect in engine.handle(ev.ViewMessage(message)):
            applied = getattr(effect, "height", None)
            assert applied is None or (isinstance(applied, int) and 0 <= applied <= 700)


def test_input_result_and_cancellation_are_each_sent_once_in_order() -> None:
    @settings(max_examples=100, deadline=None)
    @given(st.lists(EVENTS, max_size=30))
    def check(events: list[ev.Event]) -> None:
        engine = Engine(mounting())
        engine.start()
        methods: list[str] = []
        for event in [*OPENING, *events]:
            if isinstance(event, ev.ProbeReport):
                continue
            for effect in engine.handle(event):
                if isinstance(effect, Send) and "method" in effect.message:
                    methods.append(effect.message["method"].rpartition("/")[2])
        told = [m for m in methods if m.startswith("tool-")]
        assert told.count("tool-input") <= 1
        assert told.count("tool-result") + told.count("tool-cancelled") <= 1
        if "tool-result" in told:
            assert told.index("tool-input") < told.index("tool-result")
            assert told[-1] == "tool-result"
        if "tool-input" in told:
            assert "tool-input-partial" not in told[told.index("tool-input") :]

    check()
