from __future__ import annotations

import json
from typing import Any

import html5lib
import pytest

from mcpapps_cli import embed
from mcpapps_cli.embed import BridgeConfig, app_shell, bridge_element, escape_script, inject_bridge
from mcpapps_cli.resources import bridge_dir

HOSTILE = BridgeConfig("</script><script>alert(1)</script>", "\"'\\<!--")


def elements(page: str, name: str) -> list[Any]:
    return html5lib.parse(page, namespaceHTMLElements=False).findall(f".//{name}")


def connection(script: str) -> dict[str, Any]:
    """The options that a script connects with."""
    text = script.rpartition("mcpapps.view=mcpapps.connect(")[2].removesuffix(");")
    return dict(json.loads(text))


def test_k45_the_script_is_the_build_and_names_its_global() -> None:
    built = (bridge_dir() / "dist/bridge.global.js").read_text("utf-8")
    assert embed.bridge_script() == escape_script(built)
    assert "globalThis.mcpapps??=" in embed.bridge_script()


def test_the_module_exports_connect() -> None:
    assert " as connect," in embed.bridge_module()


def test_k53_the_types_declare_the_module_and_the_global() -> None:
    assert "export function connect(options: ConnectOptions): View;" in embed.bridge_types()
    types = embed.environment_types()
    assert 'declare module "mcpapps:bridge" {' in types
    assert 'declare const mcpapps: typeof import("mcpapps:bridge");' in types


def test_k46_the_element_is_one_script_that_a_parser_ends_where_it_ends() -> None:
    page = f"<!doctype html><title>x</title>{bridge_element(BridgeConfig())}<p>after"
    scripts = elements(page, "script")
    assert [script.get("data-mcpapps-bridge") for script in scripts] == [""]
    assert scripts[0].text.endswith("});")
    assert [paragraph.text for paragraph in elements(page, "p")] == ["after"]


def test_without_a_configuration_the_page_connects_itself() -> None:
    assert "mcpapps.view" not in bridge_element()


def test_k50_the_defaults_are_those_of_a_nameless_app() -> None:
    assert connection(bridge_element(BridgeConfig()).removesuffix("</script>")) == {
        "name": "mcp-app",
        "version": "0.0.0",
    }


def test_the_protocol_version_is_the_one_that_the_bridge_speaks() -> None:
    assert 'protocolVersion:"2026-01-26"' in embed.bridge_script()


def test_display_modes_and_auto_resize_are_passed_on() -> None:
    config = BridgeConfig("a", "1", display_modes=("inline", "pip"), auto_resize=False)
    assert connection(bridge_element(config).removesuffix("</script>")) == {
        "name": "a",
        "version": "1",
        "displayModes": ["inline", "pip"],
        "autoResize": False,
    }


def test_k47_a_hostile_name_stays_a_name() -> None:
    page = app_shell("t", "<p>body", HOSTILE)
    (script,) = elements(page, "script")
    assert connection(script.text) == {"name": HOSTILE.name, "version": HOSTILE.version}
    assert len(elements(page, "p")) == 1


@pytest.mark.parametrize(
    ("page", "before"),
    [
        ("<html><head><title>a</title></head><body></body></html>", "</head>"),
        ("<HTML><HEAD></HEAD><BODY></BODY></HTML>", "</HEAD>"),
        ("<head></head ><body></head>", "</head >"),
        ("<body><p>a</p></body>", "</body>"),
        ("<p></body>a</BODY>b", "</BODY>"),
        ("<p>only", ""),
        ("", ""),
        ("<!-- </head> --><head></head>", "</head><"),
        ("<script>'</head>'</script><body></body>", "</body>"),
    ],
)
def test_k48_the_element_goes_before_the_end_of_the_head_else_of_the_body(
    page: str, before: str
) -> None:
    before = before.removesuffix("<")
    at = page.rindex(before) if before else len(page)
    assert inject_bridge(page) == page[:at] + bridge_element() + page[at:]


@pytest.mark.parametrize("config", [None, BridgeConfig("a", "1")])
def test_k49_a_page_is_given_the_bridge_once(config: BridgeConfig | None) -> None:
    page = inject_bridge("<head></head>", config)
    assert inject_bridge(page) == page
    assert inject_bridge(page, BridgeConfig("other", "2")) == page


def test_k49_a_page_made_from_the_element_is_not_given_another() -> None:
    page = f"<head>{bridge_element()}</head>"
    assert inject_bridge(page) == page


def test_text_that_looks_like_the_sentinel_is_not_the_bridge() -> None:
    page = "<head></head><!-- data-mcpapps-bridge --><p>data-mcpapps-bridge"
    assert inject_bridge(page) != page


def test_k51_the_shell_is_a_whole_page() -> None:
    page = app_shell("Tom & <Jerry>", "<main>hello</main>", BridgeConfig("a", "1"))
    assert page.startswith("<!doctype html>\n")
    assert [title.text for title in elements(page, "title")] == ["Tom & <Jerry>"]
    assert next(meta.get("charset") for meta in elements(page, "meta")) == "utf-8"
    assert elements(page, "style")[0].text.startswith("*,::before,::after{box-sizing:border-box}")
    assert [main.text for main in elements(page, "body/main")] == ["hello"]
    assert connection(elements(page, "head/script")[0].text) == {"name": "a", "version": "1"}


def test_the_shell_keeps_a_style_sheet_inside_its_element() -> None:
    page = app_shell("t", "<p>x", css="p::after{content:'</STYLE><b>'}")
    assert "<\\/STYLE><b>" in elements(page, "style")[0].text
    assert elements(page, "b") == []


@pytest.mark.parametrize(
    ("script", "escaped"),
    [
        ("a = '</script>'", "a = '<\\/script>'"),
        ("a = '</SCRIPT>'", "a = '<\\/SCRIPT>'"),
        ("a = '</scripture>'", "a = '<\\/scripture>'"),
        ("a = '<!-- x'", "a = '<!-\\x2D x'"),
        ("a = '<script>' < b", "a = '<script>' < b"),
        ("a < /re/", "a < /re/"),
    ],
)
def test_a_script_is_escaped_only_where_the_parser_would_leave_it(
    script: str, escaped: str
) -> None:
    assert escape_script(script) == escaped


def test_an_escaped_script_and_style_stay_in_their_elements() -> None:
    hostile = "'<!--<script>' + '</script>'"
    page = f"<script>{escape_script(hostile)}</script><style>{embed.escape_style('</style>')}"
    assert [script.text for script in elements(page, "script")] == [escape_script(hostile)]
    assert [style.text for style in elements(page, "style")] == ["<\\/style>"]


@pytest.mark.anyio
@pytest.mark.parametrize(("method", "sent"), [("GET", True), ("HEAD", False)])
async def test_k52_the_module_is_served_as_javascript_that_may_be_kept_for_a_day(
    method: str, sent: bool
) -> None:
    messages: list[Any] = []

    async def send(message: Any) -> None:
        messages.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    scope = {"type": "http", "method": method, "path": embed.BRIDGE_PATH}
    await embed.bridge_app(scope, receive, send)
    module = embed.bridge_module().encode()
    start, body = messages
    assert start["status"] == 200
    assert dict(start["headers"]) == {
        b"content-type": b"text/javascript; charset=utf-8",
        b"content-length": str(len(module)).encode(),
        b"cache-control": b"public, max-age=86400",
        b"access-control-allow-origin": b"*",
    }
    assert body["body"] == (module if sent else b"")
