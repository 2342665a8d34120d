"""What each emulated host says of itself, typed from the captures and documents it names."""

from __future__ import annotations

from typing import Any

import pytest

from mcpapps_cli.host.effect import Note
from mcpapps_cli.host.event import (
    ContextChange,
)
from mcpapps_cli.host.profiles import load_profile
from tests.host.real_host import rig
from tests.host.rig import of, sent

ZERO = {"top": 0, "right": 0, "bottom": 0, "left": 0}
ZONE = "America/Los_Angeles"
FULL = ("basic-host", "claude", "chatgpt", "vscode", "goose", "cursor")
DATA = ("copilot", "mistral", "slack", "codex", "qwen")


def greeted(name: str) -> dict[str, Any]:
    (answer,) = [m for m in sent(rig(name).answered().all) if "result" in m]
    result: dict[str, Any] = answer["result"]
    return result


@pytest.mark.parametrize(
    ("name", "host_info"),
    [
        ("basic-host", {"name": "MCP Apps Host", "version": "1.0.0"}),
        ("claude", {"name": "Claude", "version": "1.0.0"}),
        ("chatgpt", {"name": "chatgpt", "version": "0.0.1"}),
        ("vscode", {"name": "Visual Studio Code", "version": "1.130.0"}),
        ("goose", {"name": "MCP-UI Host", "version": "1.0.0"}),
        ("cursor", {"name": "Cursor", "version": "3.14.27"}),
        ("copilot", {"name": "Copilot", "version": "1.0.1"}),
        ("mistral", {"name": "Le Chat", "version": "1.0.0"}),
        ("slack", {"name": "Slackbot", "version": "1.0.0"}),
        ("codex", {"name": "codex", "version": "unknown"}),
        ("qwen", {"name": "qwen", "version": "unknown"}),
    ],
)
def test_the_host_gives_its_name(name: str, host_info: dict[str, str]) -> None:
    assert greeted(name)["hostInfo"] == host_info


@pytest.mark.parametrize(
    ("name", "client_info"),
    [
        ("claude", {"name": "claude-ai", "version": "0.1.0"}),
        ("chatgpt", {"name": "openai-mcp", "version": "1.0.0"}),
        ("vscode", {"name": "Visual Studio Code", "version": "1.130.0"}),
        ("goose", {"name": "goose-desktop", "version": "1.38.0"}),
        ("cursor", {"name": "cursor-vscode", "version": "1.0.0"}),
        ("copilot", {"name": "ms-copilot", "version": "1.0.1"}),
        ("mistral", {"name": "mcp", "version": "0.1.0"}),
        ("slack", {"name": "Slackbot MCP Client", "version": "1.0.0"}),
    ],
)
def test_servers_know_the_host_under_another_name(name: str, client_info: dict[str, str]) -> None:
    assert load_profile(name).client_info == client_info


@pytest.mark.parametrize(
    ("name", "capabilities"),
    [
        ("basic-host", {"updateModelContext": {"text": {}}}),
        (
            "claude",
            {"logging": {}, "updateModelContext": {}, "message": {}, "downloadFile": {}},
        ),
        ("chatgpt", {"logging": {}, "updateModelContext": {}, "message": {}}),
        (
            "vscode",
            {
                "serverTools": {"listChanged": True},
                "serverResources": {"listChanged": True},
                "logging": {},
                "updateModelContext": {
                    "audio": {},
                    "image": {},
                    "resourceLink": {},
                    "resource": {},
                    "structuredContent": {},
                },
                "downloadFile": {},
                "sampling": {},
            },
        ),
        ("cursor", {"logging": {}, "downloadFile": {}}),
        (
            "mistral",
            {
                "logging": {},
                "updateModelContext": {"text": {}},
                "message": {"text": {}, "image": {}},
            },
        ),
        ("slack", {"logging": {}}),
        ("codex", {"logging": {}, "updateModelContext": {}, "message": {}}),
    ],
)
def test_the_host_announces_these_capabilities(name: str, capabilities: dict[str, Any]) -> None:
    common: dict[str, Any] = {"openLinks": {}, "serverTools": {}, "serverResources": {}}
    announced = greeted(name)["hostCapabilities"]
    assert {k: v for k, v in announced.items() if k != "sandbox"} == {**common, **capabilities}


def test_goose_and_copilot_announce_less() -> None:
    assert greeted("goose")["hostCapabilities"].keys() == {"openLinks", "sandbox"}
    assert {k: v for k, v in greeted("copilot")["hostCapabilities"].items() if k != "sandbox"} == {
        "openLinks": {},
        "serverTools": {},
        "updateModelContext": {"text": {}},
        "message": {"text": {}},
    }


@pytest.mark.parametrize(
    ("name", "context"),
    [
        (
            "basic-host",
            {
                "containerDimensions": {"maxHeight": 6000},
                "displayMode": "inline",
                "availableDisplayModes": ["inline", "fullscreen"],
            },
        ),
        (
            "claude",
            {
                "theme": "dark",
                "containerDimensions": {"width": 720, "maxHeight": 5000},
                "locale": "en-US",
                "timeZone": ZONE,
                "platform": "web",
                "deviceCapabilities": {"touch": False, "hover": True},
                "safeAreaInsets": ZERO,
                "displayMode": "inline",
                "availableDisplayModes": ["inline", "fullscreen"],
            },
        ),
        (
            "chatgpt",
            {
                "theme": "dark",
                "containerDimensions": {"height": 400, "maxWidth": 768},
                "locale": "en-US",
                "timeZone": ZONE,
                "userAgent": "chatgpt",
                "platform": "desktop",
                "deviceCapabilities": {"touch": False, "hover": True},
                "safeAreaInsets": ZERO,
                "displayMode": "inline",
                "availableDisplayModes": ["inline", "fullscreen", "pip"],
            },
        ),
        (
            "vscode",
            {
                "theme": "dark",
                "containerDimensions": {"width": 494, "maxHeight": 720},
                "locale": "en-us",
                "timeZone": ZONE,
                "platform": "desktop",
                "deviceCapabilities": {"touch": False, "hover": True},
                "displayMode": "inline",
                "availableDisplayModes": ["inline"],
            },
        ),
        (
            "goose",
            {
                "theme": "dark",
                "containerDimensions": {"width": 1274},
                "locale": "en-US",
                "timeZone": ZONE,
                "platform": "desktop",
                "deviceCapabilities": {"touch": False, "hover": True},
                "safeAreaInsets": ZERO,
                "displayMode": "inline",
                "availableDisplayModes": ["inline", "fullscreen", "pip"],
            },
        ),
        (
            "cursor",
            {
                "theme": "dark",
                "containerDimensions": {"width": 649, "maxHeight": 800},
                "locale": "en-US",
                "timeZone": ZONE,
                "userAgent": "cursor",
                "platform": "desktop",
                "displayMode": "inline",
                "availableDisplayModes": ["inline"],
            },
        ),
        (
            "mistral",
            {
                "theme": "dark",
                "containerDimensions": {"width": 1130.5},
                "locale": "en",
                "timeZone": ZONE,
                "userAgent": "Le Chat/1.0.0",
                "platform": "web",
                "displayMode": "fullscreen",
                "availableDisplayModes": ["fullscreen", "inline"],
            },
        ),
    ],
)
def test_h19_the_host_gives_this_context(name: str, context: dict[str, Any]) -> None:
    given = greeted(name)["hostContext"]
    assert {k: v for k, v in given.items() if k not in ("toolInfo", "styles")} == context


@pytest.mark.parametrize(
    ("name", "theme", "token", "value"),
    [
        (
            "claude",
            "light",
            "--color-background-primary",
            "light-dark(rgba(255,255,255,1), rgba(48,48,46,1))",
        ),
        (
            "claude",
            "dark",
            "--color-background-primary",
            "light-dark(rgba(255,255,255,1), rgba(48,48,46,1))",
        ),
        ("claude", "dark", "--font-text-md-size", "16px"),
        ("chatgpt", "light", "--color-background-primary", "#fff"),
        ("chatgpt", "dark", "--color-background-primary", "#212121"),
        ("chatgpt", "dark", "--color-ring-primary", "#3a83f7"),
        ("vscode", "dark", "--color-ring-primary", "#007fd4"),
        ("goose", "dark", "--color-text-primary", "light-dark(#3f434b, #ffffff)"),
        ("slack", "dark", "--color-border-primary", "#797c81"),
        ("codex", "dark", "--color-text-primary", "rgb(223,223,223)"),
    ],
)
def test_h25_the_host_sends_its_own_style_variables(
    name: str, theme: str, token: str, value: str
) -> None:
    context = rig(name, context={"theme": theme}).engine.context
    assert context["styles"]["variables"][token] == value


def test_h25_a_change_of_theme_brings_the_themes_variables() -> None:
    host = rig("chatgpt").ready()
    (changed,) = sent(host.feed(ContextChange({"theme": "light"})))
    assert changed["params"]["theme"] == "light"
    assert changed["params"]["styles"]["variables"]["--color-text-primary"] == "#0d0d0d"


def test_variables_of_the_user_win_over_the_hosts() -> None:
    own = {"styles": {"variables": {"--font-sans": "Arial"}}}
    assert rig("claude", context=own).engine.context["styles"] == own["styles"]


@pytest.mark.parametrize(
    ("name", "unknown"),
    [
        ("claude", ("context.userAgent", "start_height", "policy.default-src")),
        ("codex", ("host_info", "permissions", "sandbox")),
        ("qwen", ("host_info", "capabilities", "context.locale", "policy.img-src")),
        ("vscode", ("styles.light", "hides_app_tools", "csp_ignored")),
        ("basic-host", ("start_height",)),
    ],
)
def test_what_nobody_knows_is_unknown(name: str, unknown: tuple[str, ...]) -> None:
    profile = load_profile(name)
    assert [profile.source_of(entry) for entry in unknown] == [None] * len(unknown)


@pytest.mark.parametrize("name", FULL + DATA)
def test_known_values_name_a_public_place_and_a_day(name: str) -> None:
    profile = load_profile(name)
    for source in (profile.source, *profile.sources.values()):
        assert source.text.startswith("https://")
        assert "2025-12-01" < source.date < "2026-12-01"


def test_the_closest_source_counts() -> None:
    claude = load_profile("claude")
    report, capture = claude.source_of("policy.script-src"), claude.source_of("policy.img-src")
    assert report is not None
    assert capture is not None
    assert (report.date, capture.date) == ("2026-08-22", "2026-08-19")


@pytest.mark.parametrize("name", ["spec", *FULL, *DATA])
def test_the_host_says_nothing_that_a_view_would_refuse(name: str) -> None:
    host = rig(name).ready()
    assert [note.text for note in of(host.all, Note) if note.level != "info"] == []


def test_qwen_has_limits() -> None:
    qwen = load_profile("qwen")
    assert (qwen.html_bytes, qwen.read_seconds) == (1_048_576, 10.0)


def test_the_quirks_of_a_host_are_on_by_themselves() -> None:
    assert load_profile("claude").quirks == ("large-result-pointer", "resource-link-withheld")
    assert load_profile("chatgpt").quirks == ("html-cached-by-uri",)
    assert load_profile("spec").quirks == ()
