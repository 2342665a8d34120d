"""From the frame to `initialized`: H13 to H16, H19, P3, P4, P6 and the deadlines."""

from __future__ import annotations

import pytest

from mcpapps_cli import __version__
from mcpapps_cli.host.effect import Mount, Note, Resize, Reveal, Send, StartTimer, StopTimer
from mcpapps_cli.host.engine import Phase
from mcpapps_cli.host.event import (
    CloseRequested,
    ContextChange,
    ServerNotification,
    ToolCancelled,
    ToolInput,
    ToolInputPartial,
    ToolResult,
)
from mcpapps_cli.model import Csp
from tests.host.rig import INITIALIZE, PAGE, RESULT, TOOL, Rig, notes, of, sent, steps


def test_the_frame_is_created_first_at_150_pixels() -> None:
    rig = Rig()
    assert tuple(effect for effect in rig.started if not isinstance(effect, Note)) == (
        Mount(
            policy="default-src 'none'; script-src 'self' 'unsafe-inline'; "
            "style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; "
            "connect-src 'none'; object-src 'none'; frame-src 'none'; base-uri 'self'",
            allow="",
            sandbox="allow-scripts",
            border=None,
        ),
        Resize(None, 150),
        StartTimer("frame", 10.0),
    )


def test_h2_the_policy_without_csp_differs_from_the_one_with_an_empty_csp() -> None:
    (absent,) = of(Rig().started, Mount)
    (empty,) = of(Rig(csp=Csp()).started, Mount)
    assert "connect-src 'none'" in absent.policy
    assert "connect-src 'self'" in empty.policy


def test_h15_the_html_is_sent_once_the_proxy_is_ready() -> None:
    rig = Rig()
    effects = rig.notify("ui/notifications/sandbox-proxy-ready", {})
    assert sent(effects) == [
        {
            "jsonrpc": "2.0",
            "method": "ui/notifications/sandbox-resource-ready",
            "params": {"html": PAGE, "sandbox": "allow-scripts"},
        }
    ]


def test_h15_the_resource_comes_with_granted_csp_and_permissions() -> None:
    csp = Csp(connect=("https://api.example.com", "bad; script-src *"))
    rig = Rig(csp=csp, permissions=("camera", "clipboardWrite"))
    (mount,) = of(rig.started, Mount)
    assert mount.allow == "camera; clipboard-write"
    assert "connect-src 'self' https://api.example.com;" in mount.policy
    (message,) = sent(rig.notify("ui/notifications/sandbox-proxy-ready"))
    assert message["params"] == {
        "html": PAGE,
        "sandbox": "allow-scripts",
        "csp": {
            "connectDomains": ["https://api.example.com"],
            "resourceDomains": [],
            "frameDomains": [],
            "baseUriDomains": [],
        },
        "permissions": {"camera": {}, "clipboardWrite": {}},
    }


def test_h3_a_profile_may_restrict_further_and_says_so() -> None:
    csp = Csp(frame=("https://maps.example.com",), resource=("https://cdn.example.com",))
    rig = Rig({"csp_ignored": frozenset({"frameDomains"})}, csp=csp)
    (mount,) = of(rig.started, Mount)
    assert "frame-src 'none'" in mount.policy
    assert "img-src 'self' data: https://cdn.example.com" in mount.policy
    rig.loaded()
    (answer,) = sent(rig.ask(0, "ui/initialize", INITIALIZE))
    assert answer["result"]["hostCapabilities"]["sandbox"]["csp"] == {
        "connectDomains": [],
        "resourceDomains": ["https://cdn.example.com"],
        "frameDomains": [],
        "baseUriDomains": [],
    }


def test_h5_only_granted_permissions_reach_the_frame() -> None:
    rig = Rig({"permissions": ("camera",)}, permissions=("camera", "microphone"))
    (mount,) = of(rig.started, Mount)
    assert mount.allow == "camera"
    rig.loaded()
    (answer,) = sent(rig.ask(0, "ui/initialize", INITIALIZE))
    granted = answer["result"]["hostCapabilities"]["sandbox"]["permissions"]
    assert granted == {"camera": {}}


def test_proxy_ready_is_accepted_once() -> None:
    rig = Rig().loaded()
    effects = rig.notify("ui/notifications/sandbox-proxy-ready", {})
    assert sent(effects) == []
    assert "sandbox-proxy-ready" in notes(effects)


def test_a_proxy_ready_with_an_id_is_no_notification() -> None:
    assert sent(Rig().ask(1, "ui/notifications/sandbox-proxy-ready", {})) == []


@pytest.mark.parametrize("name", ["sandbox-resource-ready", "sandbox-proxy-ready", "sandbox-x"])
def test_p6_sandbox_messages_of_the_view_are_dropped(name: str) -> None:
    rig = Rig().ready()
    assert sent(rig.notify(f"ui/notifications/{name}", {})) == []
    assert sent(rig.ask(3, f"ui/notifications/{name}", {})) == []


def test_a_message_before_the_document_is_dropped() -> None:
    rig = Rig()
    assert sent(rig.ask(0, "ui/initialize", INITIALIZE)) == []
    assert rig.engine.phase is Phase.SANDBOX


def test_h19_the_initialize_answer_has_all_four_fields() -> None:
    rig = Rig(context={"theme": "dark"}).loaded()
    (answer,) = sent(rig.ask(0, "ui/initialize", INITIALIZE))
    assert answer == {
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
                "displayMode": "inline",
                "availableDisplayModes": ["inline"],
                "toolInfo": {"id": 7, "tool": TOOL},
                "theme": "dark",
            },
        },
    }


def test_h19_a_host_without_context_sends_an_empty_one() -> None:
    # The specification says SHOULD; an official View takes no answer without it.
    rig = Rig({"context": {}, "display_modes": (), "tool_info": False}).loaded()
    (answer,) = sent(rig.ask(0, "ui/initialize", INITIALIZE))
    assert answer["result"]["hostContext"] == {}


def test_an_unknown_host_info_is_still_an_implementation() -> None:
    rig = Rig({"host_info": None, "name": "elsewhere"}).loaded()
    (answer,) = sent(rig.ask("a", "ui/initialize", INITIALIZE))
    assert answer["result"]["hostInfo"] == {"name": "elsewhere", "version": "unknown"}


def test_another_protocol_version_is_answered_with_ours() -> None:
    rig = Rig().loaded()
    (answer,) = sent(rig.ask(0, "ui/initialize", {**INITIALIZE, "protocolVersion": "2025-01-01"}))
    assert answer["result"]["protocolVersion"] == "2026-01-26"


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({}, "params.appInfo is required"),
        ({**INITIALIZE, "appInfo": "chart"}, "params.appInfo must be an object"),
        ({**INITIALIZE, "appInfo": {"name": "x"}}, "params.appInfo.version is required"),
        (
            {**INITIALIZE, "appInfo": {"name": 1, "version": "1"}},
            "params.appInfo.name must be a string",
        ),
        (
            {"appInfo": INITIALIZE["appInfo"], "protocolVersion": "2026-01-26"},
            "params.appCapabilities is required",
        ),
        (
            {**INITIALIZE, "appCapabilities": {"availableDisplayModes": ["modal"]}},
            'params.appCapabilities.availableDisplayModes[0] must be "inline" or "fullscreen" '
            'or "pip"',
        ),
        (
            {**INITIALIZE, "appCapabilities": {"tools": {"listChanged": "yes"}}},
            "params.appCapabilities.tools.listChanged must be true or false",
        ),
        ({**INITIALIZE, "protocolVersion": None}, "params.protocolVersion must be a string"),
        ([], "params must be an object"),
    ],
)
def test_v2_rejected_initialize_params_are_named(params: object, path: str) -> None:
    rig = Rig().loaded()
    effects = rig.ask(5, "ui/initialize", params)
    assert sent(effects) == [
        {
            "jsonrpc": "2.0",
            "id": 5,
            "error": {"code": -32602, "message": f"Invalid params: {path}"},
        }
    ]
    assert rig.engine.phase is Phase.LOADING


def test_rejected_params_break_initialize_until_better_ones_come() -> None:
    rig = Rig().loaded()
    effects = rig.ask(0, "ui/initialize", {})
    assert steps(effects) == [("initialize", "broken", "rejected-parameters")]
    effects = rig.ask(1, "ui/initialize", INITIALIZE)
    assert steps(effects) == [("initialize", "ok", None)]


def test_nothing_is_delivered_to_a_view_that_went_on_after_a_rejection() -> None:
    rig = Rig().loaded()
    rig.ask(0, "ui/initialize", {})
    effects = rig.notify("ui/notifications/initialized")
    effects += rig.feed(ToolInput({}), ToolResult(RESULT))
    assert sent(effects) == []
    assert "never accepted" in notes(effects)


def test_h16_nothing_is_sent_before_initialized() -> None:
    rig = Rig({"capabilities": {"serverTools": {"listChanged": True}}}).answered()
    effects = rig.feed(
        ToolInputPartial({"a": 1}),
        ToolInput({"a": 1}),
        ToolResult(RESULT),
        ContextChange({"theme": "dark"}),
        ServerNotification("notifications/tools/list_changed"),
    )
    assert sent(effects) == []


def test_h16_h30_what_waited_is_sent_on_initialized_in_order() -> None:
    rig = Rig({"capabilities": {"serverTools": {"listChanged": True}}}).answered()
    rig.feed(
        ServerNotification("notifications/tools/list_changed"),
        ToolInputPartial({"city": "Os"}),
        ToolInput({"city": "Oslo"}),
        ToolResult(RESULT),
        ContextChange({"theme": "light"}),
        ContextChange({"theme": "dark"}),
    )
    assert sent(rig.notify("ui/notifications/initialized")) == [
        {
            "jsonrpc": "2.0",
            "method": "ui/notifications/host-context-changed",
            "params": {"theme": "dark"},
        },
        {"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {}},
        {
            "jsonrpc": "2.0",
            "method": "ui/notifications/tool-input",
            "params": {"arguments": {"city": "Oslo"}},
        },
        {"jsonrpc": "2.0", "method": "ui/notifications/tool-result", "params": RESULT},
    ]


def test_the_frame_is_revealed_by_initialized_and_only_once() -> None:
    rig = Rig().answered()
    assert of(rig.all, Reveal) == []
    assert of(rig.notify("ui/notifications/initialized", {}), Reveal) == [Reveal()]
    effects = rig.notify("ui/notifications/initialized", {})
    assert of(effects, Reveal) == []
    assert "twice" in notes(effects)


def test_initialized_without_initialize_opens_nothing() -> None:
    rig = Rig().loaded()
    effects = rig.notify("ui/notifications/initialized")
    assert of(effects, Reveal) == []
    assert rig.engine.phase is Phase.LOADING


def test_h19_a_context_change_before_initialize_is_in_the_answer_only() -> None:
    rig = Rig().loaded()
    rig.feed(ContextChange({"locale": "nb-NO"}))
    (answer,) = sent(rig.ask(0, "ui/initialize", INITIALIZE))
    assert answer["result"]["hostContext"]["locale"] == "nb-NO"
    assert sent(rig.notify("ui/notifications/initialized")) == []


def test_a_context_that_a_second_answer_has_told_is_not_told_again() -> None:
    rig = Rig().answered()
    rig.feed(ContextChange({"locale": "nb-NO"}))
    (answer,) = sent(rig.ask(1, "ui/initialize", INITIALIZE))
    assert answer["result"]["hostContext"]["locale"] == "nb-NO"
    assert sent(rig.notify("ui/notifications/initialized")) == []


def test_a_second_initialize_is_reported_and_replays_nothing() -> None:
    rig = Rig().ready()
    rig.feed(ToolInput({}), ToolResult(RESULT))
    effects = rig.ask(1, "ui/initialize", INITIALIZE)
    assert [message["id"] for message in sent(effects)] == [1]
    assert "second ui/initialize" in notes(effects)
    assert sent(rig.notify("ui/notifications/initialized")) == []


def test_the_rungs_of_a_good_handshake_are_reached_in_order() -> None:
    rig = Rig().ready()
    rig.feed(ToolInput({}), ToolResult(RESULT))
    assert steps(rig.all) == [
        ("frame", "ok", None),
        ("initialize", "ok", None),
        ("initialized", "ok", None),
        ("input", "ok", None),
        ("result", "ok", None),
        ("painted", "unknown", "no-probe"),
    ]


def test_a_handshake_before_the_load_event_reaches_the_frame_too() -> None:
    rig = Rig()
    rig.notify("ui/notifications/sandbox-proxy-ready")
    effects = rig.ask(0, "ui/initialize", INITIALIZE)
    assert steps(effects) == [("frame", "ok", None), ("initialize", "ok", None)]
    assert StopTimer("frame") in effects


def test_h20_a_size_reported_too_early_is_carried_out_on_initialized() -> None:
    rig = Rig().answered()
    effects = rig.notify("ui/notifications/size-changed", {"height": 320})
    assert of(effects, Resize) == []
    assert of(rig.notify("ui/notifications/initialized"), Resize) == [Resize(None, 320)]


def test_a_close_before_initialized_sends_nothing() -> None:
    rig = Rig().answered()
    rig.feed(ToolInput({}), ToolCancelled("stopped"))
    assert of(rig.feed(CloseRequested("reload")), Send) == []
