"""Pitfalls of the policy in the page, and of the place where a View is shown."""

from __future__ import annotations

import re
from html import escape

import pytest

from mcpapps_cli.model import Csp
from tests.bundle.conftest import (
    DOT,
    HEAD,
    LOOSE,
    MODULE,
    PROBE,
    Build,
    Log,
    Screen,
    Show,
    messages,
)

pytestmark = [pytest.mark.browser, pytest.mark.node]
pitfall = pytest.mark.pitfall

ADD_SCRIPT = (
    "document.documentElement.append(Object.assign(document.createElement('script'), "
    "{ textContent: 'log.push(1)' }))"
)


@pitfall(35)
@pytest.mark.parametrize(
    "page",
    [
        "{}",
        "<p>first</p>{}",
        "<!-- a comment --><html lang=en><title>t</title>{}",
        "<!doctype html><head><style>p {{ top: 1px }}</style><meta charset=utf-8>{}</head>",
        "<!doctype html><body><meta charset=utf-8>{}</body>",
        "<!doctype html><html><head><title><head></title></head><body>{}",
    ],
)
def test_policy_counts_wherever_a_page_begins(
    show: Show, screen: Screen, log: Log, page: str
) -> None:
    show({"index.html": page.format(PROBE)}, LOOSE)
    assert screen.evaluate("document.compatMode") == "CSS1Compat"
    screen.evaluate(ADD_SCRIPT)
    assert log() == ["blocked script-src-elem"]
    assert screen.console == [each for each in screen.console if "Executing inline" in each]


@pitfall(36)
@pytest.mark.parametrize("head", [HEAD, "<!doctype html><title>t</title>"])
def test_encoding_is_told_before_a_long_policy(show: Show, screen: Screen, head: str) -> None:
    origins = tuple(f"https://a{number}.example" for number in range(100))
    page = f"{head}<p id=p>é</p><!-- {' '.join(origins)} -->"
    html = show({"index.html": page}, csp=Csp(connect=origins)).html
    assert html.index("<meta charset") < 1024 < html.index("<p id=p>")
    # From a file, where nothing else tells it.
    screen.show(html, mime="text/html")
    assert screen.evaluate("[document.characterSet, p.textContent]") == ["UTF-8", "é"]


@pitfall(35, 37)
def test_policy_is_early_and_holds_nothing_that_a_page_cannot_say(
    show: Show, screen: Screen
) -> None:
    files = {"index.html": MODULE, "m.ts": "import { createElement } from 'react'; createElement"}
    every = Csp(*([f"https://{key}.example"] for key in ("connect", "resource", "frame", "base")))
    html = show(files, csp=every).html
    assert html.index("<meta charset") < html.index("Content-Security-Policy") < 1024
    assert html.index("Content-Security-Policy") < html.index("<script")
    [policy] = re.findall(r'content="(default-src[^"]*)"', html)
    named = {directive.split()[0] for directive in policy.split("; ")}
    assert named == {
        *("default-src", "script-src", "style-src", "img-src", "media-src", "font-src"),
        *("connect-src", "frame-src", "base-uri"),
    }
    # Chromium says so of a directive that it ignores.
    assert screen.console == []


@pitfall(38)
def test_policy_of_the_page_and_ours_both_count(show: Show, screen: Screen, log: Log) -> None:
    own = '<meta http-equiv="Content-Security-Policy" content="img-src \'none\'">'
    page = f"{HEAD}{own}{PROBE}<img id=i src=d.png>"
    bundle = show({"index.html": page, "d.png": DOT})
    assert "the page has a policy of its own, and both must allow what it does" in messages(bundle)
    screen.evaluate(ADD_SCRIPT)
    screen.until("log.length === 2")
    assert sorted(map(str, log())) == ["blocked img-src", "blocked script-src-elem"]


@pitfall(38)
@pytest.mark.parametrize("policy", ["hash", "unsafe-inline", "none"])
def test_policy_of_the_page_never_widens_that_of_the_host(
    build: Build, screen: Screen, log: Log, policy: str
) -> None:
    page = f"{HEAD}{PROBE}<img src=d.png>"
    host = "default-src 'none'; script-src 'unsafe-inline'"
    screen.show(build({"index.html": page, "d.png": DOT}, policy=policy).html, host)
    screen.until("log.length > 0")
    assert set(log()) == {"blocked img-src"}


@pitfall(39)
def test_only_scripts_of_the_page_run_and_styles_may_be_made(
    show: Show, screen: Screen, log: Log
) -> None:
    page = f"{HEAD}{PROBE}\r\n<script>\r\nlog.push('crlf')\r\n</script><script src=a.js></script>"
    page += "<p id=p style='top: 2px'>x"
    code = (
        "const style = document.createElement('style'); style.textContent = 'p { left: 3px }';\n"
        "document.head.append(style); log.push('file');"
    )
    show({"index.html": page, "a.js": code})
    assert screen.evaluate("[p.style.top, getComputedStyle(p).left]") == ["2px", "3px"]
    screen.evaluate(ADD_SCRIPT)
    assert log() == ["crlf", "file", "blocked script-src-elem"]


@pitfall(39)
@pytest.mark.parametrize(
    ("policy", "log_of"),
    [("hash", ["blocked script-src-elem", "own"]), ("unsafe-inline", ["host", "own"])],
)
def test_hashes_can_be_replaced_for_a_host_that_adds_scripts(
    build: Build, screen: Screen, log: Log, policy: str, log_of: list[str]
) -> None:
    page = f"{HEAD}{PROBE}<title>x</title><script>log.push('own')</script>"
    html = build({"index.html": page}, policy=policy).html
    # As some hosts do, after the policy of the page.
    screen.show(html.replace("<title>", "<script>log.push('host')</script><title>"), LOOSE)
    screen.until("log.length === 2")
    assert sorted(map(str, log())) == log_of


@pitfall(40)
@pytest.mark.parametrize("script", ["m.ts", "m.js"])
def test_storage_is_told_and_throws_in_an_opaque_origin(show: Show, log: Log, script: str) -> None:
    code = "try { localStorage.setItem('a', 'b') } catch (error: any) { log.push(error.name) }"
    code = code if script == "m.ts" else code.replace(": any", "")
    bundle = show({"index.html": MODULE.replace("m.ts", script), script: code})
    assert log() == ["SecurityError"]
    assert "many hosts give a View no storage, and this throws there" in messages(bundle)


# Beside the list: what a document of its own has and a View does not.
@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("navigator.serviceWorker.register('sw.js')", "a View has no service worker"),
        (
            "history.pushState({}, '', '/page')",
            "a View has no address of its own, so its history cannot change",
        ),
    ],
)
def test_what_needs_an_address_is_told_and_fails(
    build: Build, screen: Screen, code: str, message: str
) -> None:
    tell = "text => parent.postMessage(text, '*')"
    script = f"(async () => {{ await {code} }})().then(() => 'fine', () => 'failed').then({tell})"
    bundle = build({"index.html": f"{HEAD}<script>{script}</script>"})
    assert messages(bundle) == [message]
    host = "<script>addEventListener('message', event => { window.told = event.data })</script>"
    frame = f'<iframe sandbox="allow-scripts" srcdoc="{escape(bundle.html)}"></iframe>'
    screen.show(f"{HEAD}{host}{frame}", LOOSE)
    screen.until("window.told")
    assert screen.evaluate("told") == "failed"


def test_router_with_addresses_is_told(build: Build, packages: object) -> None:
    code = "const App = () => <BrowserRouter><p/></BrowserRouter>; log.push(App as object)"
    code = f"declare const BrowserRouter: any, log: any; {code}"
    bundle = build({"index.html": MODULE.replace("m.ts", "m.tsx"), "m.tsx": code})
    assert messages(bundle) == ["a View has no address of its own, so its history cannot change"]
