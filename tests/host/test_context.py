"""Host context and display modes: H21 to H25 and H34."""

from __future__ import annotations

from typing import Any

import pytest

from mcpapps_cli.host.effect import Resize, SetMode
from mcpapps_cli.host.event import ContextChange
from tests.host.rig import INITIALIZE, Rig, notes, of, sent

ALL = {"display_modes": ("inline", "fullscreen", "pip")}
CHANGED = "ui/notifications/host-context-changed"


def mode_after(rig: Rig, mode: str) -> tuple[Any, ...]:
    return rig.ask(1, "ui/request-display-mode", {"mode": mode})


def test_h22_a_granted_mode_is_set_told_and_answered() -> None:
    rig = Rig(ALL).ready()
    effects = mode_after(rig, "fullscreen")
    assert of(effects, SetMode) == [SetMode("fullscreen")]
    assert sent(effects) == [
        {"jsonrpc": "2.0", "method": CHANGED, "params": {"displayMode": "fullscreen"}},
        {"jsonrpc": "2.0", "id": 1, "result": {"mode": "fullscreen"}},
    ]
    assert rig.engine.context["displayMode"] == "fullscreen"


def test_h22_the_current_mode_is_answered_without_a_change() -> None:
    effects = mode_after(Rig(ALL).ready(), "inline")
    assert of(effects, SetMode) == []
    assert sent(effects) == [{"jsonrpc": "2.0", "id": 1, "result": {"mode": "inline"}}]


def test_h22_h23_a_mode_that_is_not_offered_is_answered_with_the_current_one() -> None:
    effects = mode_after(Rig().ready(), "fullscreen")
    assert of(effects, SetMode) == []
    assert sent(effects) == [{"jsonrpc": "2.0", "id": 1, "result": {"mode": "inline"}}]


def test_h21_h22_h24_a_mode_the_view_did_not_declare_is_never_switched_to() -> None:
    rig = Rig(ALL).ready({"availableDisplayModes": ["inline", "pip"]})
    effects = mode_after(rig, "fullscreen")
    assert of(effects, SetMode) == []
    assert sent(effects)[0]["result"] == {"mode": "inline"}
    assert "did not declare" in notes(effects)
    assert of(mode_after(rig, "pip"), SetMode) == [SetMode("pip")]


def test_h21_the_host_itself_does_not_switch_to_it_either() -> None:
    rig = Rig(ALL).ready({"availableDisplayModes": ["inline"]})
    effects = rig.feed(ContextChange({"displayMode": "fullscreen", "theme": "dark"}))
    assert of(effects, SetMode) == [SetMode("inline")]
    assert [m["params"] for m in sent(effects)] == [{"theme": "dark"}]


def test_h21_a_view_that_declares_nothing_may_be_shown_in_any_mode() -> None:
    rig = Rig(ALL).ready()
    effects = rig.feed(ContextChange({"displayMode": "pip"}))
    assert of(effects, SetMode) == [SetMode("pip")]
    assert [m["params"] for m in sent(effects)] == [{"displayMode": "pip"}]


def test_h21_a_view_is_taken_out_of_a_mode_it_does_not_declare() -> None:
    rig = Rig(ALL, context={"displayMode": "fullscreen"})
    assert SetMode("fullscreen") in rig.started
    rig.loaded()
    capabilities = {"availableDisplayModes": ["inline"]}
    effects = rig.ask(0, "ui/initialize", {**INITIALIZE, "appCapabilities": capabilities})
    assert of(effects, SetMode) == [SetMode("inline")]
    (answer,) = sent(effects)
    assert answer["result"]["hostContext"]["displayMode"] == "inline"


@pytest.mark.parametrize("mode", ["modal", "", 1, None])
def test_an_unknown_mode_is_rejected(mode: Any) -> None:
    (message,) = sent(Rig(ALL).ready().ask(1, "ui/request-display-mode", {"mode": mode}))
    assert message["error"]["code"] == -32602
    assert "params.mode" in message["error"]["message"]


def test_h34_only_what_changed_is_told() -> None:
    rig = Rig(context={"theme": "dark", "locale": "en"}).ready()
    effects = rig.feed(ContextChange({"theme": "dark", "locale": "nb-NO"}))
    assert [m["params"] for m in sent(effects)] == [{"locale": "nb-NO"}]


def test_h34_nothing_is_told_when_nothing_changed() -> None:
    rig = Rig(context={"theme": "dark"}).ready()
    assert rig.feed(ContextChange({"theme": "dark"})) == ()


def test_nested_objects_are_told_whole() -> None:
    before = {"variables": {"--color-text-primary": "#000", "--font-sans": "a"}}
    after = {"variables": {"--color-text-primary": "#fff", "--font-sans": "a"}}
    rig = Rig(context={"styles": before}).ready()
    effects = rig.feed(ContextChange({"styles": after}))
    assert [m["params"] for m in sent(effects)] == [{"styles": after}]


def test_h25_only_standard_style_variables_are_sent() -> None:
    styles = {
        "variables": {
            "--color-text-primary": "light-dark(#000, #fff)",
            "--border-radius-small": "2px",
            "--font-sans": None,
        },
        "css": {"fonts": "@font-face {}"},
    }
    rig = Rig().ready()
    effects = rig.feed(ContextChange({"styles": styles}))
    assert [m["params"] for m in sent(effects)] == [
        {
            "styles": {
                "variables": {"--color-text-primary": "light-dark(#000, #fff)"},
                "css": {"fonts": "@font-face {}"},
            }
        }
    ]
    assert "--border-radius-small" in notes(effects)


@pytest.mark.parametrize("variables", [{}, {"--font-sans": "Arial"}])
def test_h25_a_host_sends_the_variables_it_has_or_none(variables: dict[str, str]) -> None:
    rig = Rig({"styles": {"dark": variables}}, context={"theme": "dark"}).loaded()
    (answer,) = sent(rig.ask(0, "ui/initialize", INITIALIZE))
    styles = {"styles": {"variables": variables}} if variables else {}
    given = answer["result"]["hostContext"]
    assert {key: value for key, value in given.items() if key == "styles"} == styles


@pytest.mark.parametrize(
    "change", [{"theme": "sepia"}, {"platform": "watch"}, {"displayMode": "modal"}]
)
def test_a_word_outside_its_set_is_not_sent(change: dict[str, Any]) -> None:
    rig = Rig(ALL).ready()
    effects = rig.feed(ContextChange(change))
    assert sent(effects) == []
    assert next(iter(change)) in notes(effects)


def test_null_takes_a_value_away_and_is_never_sent() -> None:
    rig = Rig(context={"theme": "dark"}).ready()
    assert sent(rig.feed(ContextChange({"theme": None}))) == []
    (answer,) = sent(rig.ask(5, "ui/initialize", INITIALIZE))
    assert "theme" not in answer["result"]["hostContext"]


def test_the_mounts_context_replaces_the_profiles() -> None:
    rig = Rig({"context": {"locale": "en-US", "platform": "web"}}, context={"locale": "de"})
    assert rig.engine.context["locale"] == "de"
    assert rig.engine.context["platform"] == "web"


def test_a_profile_without_tool_info_names_no_call() -> None:
    assert "toolInfo" not in Rig({"tool_info": False}).engine.context


def test_outside_inline_the_host_alone_sizes_the_frame() -> None:
    rig = Rig(ALL).ready()
    mode_after(rig, "fullscreen")
    assert of(rig.notify("ui/notifications/size-changed", {"height": 900}), Resize) == []
    assert of(mode_after(rig, "inline"), Resize) == [Resize(None, 900)]
