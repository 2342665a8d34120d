"""Pitfalls of style sheets, pictures, fonts and addresses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mcpapps_cli.bundle.esbuild.locate import member_name, platform_name
from mcpapps_cli.model import Csp
from tests.bundle.conftest import (
    DOT,
    HEAD,
    LOOSE,
    MODULE,
    PEERS,
    PROBE,
    SPEC,
    SVG,
    Build,
    Log,
    Screen,
    Show,
    messages,
    refusal,
)

pytestmark = [pytest.mark.browser, pytest.mark.node]
pitfall = pytest.mark.pitfall


@pitfall(23, 24, 25)
@pytest.mark.parametrize("engine", ["none", "esbuild"])
def test_pictures_of_a_sheet_are_shown(show: Show, screen: Screen, log: Log, engine: str) -> None:
    script = "m.ts" if engine == "esbuild" else "m.js"
    files = {
        "index.html": f"{HEAD}{PROBE}<link rel=stylesheet href=css/s.css>"
        f"<script type=module src={script}></script>"
        "<i id=a></i><i id=b></i><i id=c></i><i id=d></i>",
        script: "1",
        "css/s.css": (
            '#a { background-image: url("../d.png?v=1") } #b { background: url(/d.png) } '
            '#c { background-image: image-set("../d.png" 1x, "../d.png" 2x) } '
            "#d { background: url(../v.svg?v=1#part); fill: url(#grad) }"
        ),
        "d.png": DOT,
        "v.svg": SVG,
    }
    show(files)
    for name in "abc":
        image = screen.evaluate(f"getComputedStyle({name}).backgroundImage")
        assert "d.png" not in image
        address = re.search(r"data:image/png;base64,[\w+/=]+", image)
        assert address
        loaded = f"Object.assign(new Image(), {{ src: '{address[0]}' }})"
        assert screen.evaluate(f"(i => i.decode().then(() => i.width))({loaded})") == 1
    assert re.search(r"#part\"\)$", screen.evaluate("getComputedStyle(d).backgroundImage"))
    assert screen.evaluate("getComputedStyle(d).fill") == 'url("#grad")'
    assert log() == []


@pitfall(23)
@pytest.mark.parametrize("script", ["m.ts", "m.js"])
def test_picture_that_is_not_there_is_refused(build: Build, packages: Path, script: str) -> None:
    page = f"{HEAD}<link rel=stylesheet href=s.css><script type=module src={script}></script>"
    files = {"index.html": page, script: "1", "s.css": "p { background: url(/d.png) }"}
    error = refusal(build, files)
    assert '"/d.png"' in error.message
    assert (error.position.path, error.position.line) == ("s.css", 1)


@pitfall(25)
def test_fragment_of_a_picture_needs_the_esbuild_that_is_known(
    build: Build, tmp_path: Path
) -> None:
    """With an esbuild that only the command line can speak to."""
    peers = PEERS / "node_modules" / "@esbuild" / platform_name()
    package = tmp_path / "project" / "node_modules" / "@esbuild" / platform_name()
    (package / member_name()).parent.mkdir(parents=True)
    (package / member_name()).symlink_to(peers / member_name())
    (package / "package.json").write_text('{"version": "0.27.0"}')
    files = {
        "index.html": MODULE,
        "m.ts": "import './s.css'; let a: number = 1; log.push(a)",
        "s.css": "p { background: url(i.svg) }",
        "i.svg": SVG,
    }
    assert build(files).engine == "esbuild 0.27.0"
    error = refusal(build, {**files, "s.css": "p { background: url(i.svg#a) }"})
    assert error.message == "this View needs esbuild 0.28.2, and 0.27.0 was found"


@pitfall(26)
@pytest.mark.parametrize("script", ["m.ts", "m.js"])
def test_imported_sheets_keep_layers_and_conditions(
    show: Show, screen: Screen, script: str
) -> None:
    files = {
        "index.html": f"{HEAD}<link rel=stylesheet href=s.css>"
        f"<script type=module src={script}></script><p id=p>x",
        script: "1",
        "s.css": '@import "a.css" layer(low); @import "b.css" print; p { top: 1px }',
        "a.css": "p { color: rgb(1, 1, 1); top: 9px }",
        "b.css": "p { color: rgb(2, 2, 2) }",
    }
    show(files)
    style = "getComputedStyle(p)"
    assert screen.evaluate(f"[{style}.color, {style}.top]") == ["rgb(1, 1, 1)", "1px"]


@pitfall(26)
def test_external_import_of_a_built_sheet_stands_first(
    build: Build, screen: Screen, packages: Path
) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": "import './s.css'; import './t.css'; let a: number",
        "s.css": "p { top: 1px }",
        "t.css": '@import "https://css.example/x.css"; p { left: 2px }',
    }
    error = refusal(build, files)
    assert error.message == '"https://css.example/x.css" is not declared, so hosts block it'
    csp = Csp(resource=("https://css.example",))
    screen.show(build(files, csp=csp).html, LOOSE.replace("style-src", "style-src https:"))
    assert screen.requests == ["https://css.example/x.css"]


@pitfall(26)
def test_external_import_that_would_come_after_rules_is_refused(build: Build) -> None:
    files = {
        "index.html": f"{HEAD}<link rel=stylesheet href=s.css>",
        "s.css": '@import "a.css"; @import "https://css.example/x.css";',
        "a.css": "p { top: 1px }",
    }
    error = refusal(build, files, csp=Csp(resource=("https://css.example",)))
    assert error.message.endswith("would come after rules, where browsers ignore @import")


@pitfall(27, 28, 29)
@pytest.mark.parametrize("script", ["m.js", "m.ts"])
def test_sheet_with_an_end_tag_and_a_mark_is_whole(show: Show, screen: Screen, script: str) -> None:
    files = {
        "index.html": f"{HEAD}<link rel=stylesheet href=s.css><script type=module src={script}>"
        "</script><p id=p>x",
        script: "\ufeff1",
        "s.css": "\ufeffp { color: rgb(1, 2, 3); &::after { content: '</style>' } }",
    }
    bundle = show(files)
    assert screen.evaluate("getComputedStyle(p).color") == "rgb(1, 2, 3)"
    assert screen.evaluate("getComputedStyle(p, '::after').content") == '"</style>"'
    assert "\ufeff" not in bundle.html
    # Older browsers know no nesting; what is built is written plainly.
    [style] = re.findall("<style>(.*?)</style>", bundle.html, re.DOTALL)
    assert ("&:" in style) == (script == "m.js")


@pitfall(30)
def test_pictures_of_a_page_are_shown(show: Show, screen: Screen, log: Log) -> None:
    page = (
        f"{HEAD}{PROBE}<link rel=icon href=d.png><link rel=preload as=image href=d.png>"
        "<link rel=modulepreload href=m.js><img id=a src=d.png>"
        "<img id=b srcset='d.png 1x, d.png 2x'>"
        "<picture><source srcset=d.png><img id=c></picture><video id=d poster=d.png></video>"
        "<input id=e type=image src=d.png><script type=module src=m.js></script>"
    )
    bundle = show({"index.html": page, "d.png": DOT, "m.js": "log.push('ran')"})
    for name in "abc":
        assert screen.evaluate(f"{name}.decode().then(() => {name}.complete)") is True
    assert screen.evaluate("d.poster.slice(0, 15) + e.src.slice(0, 15)") == "data:image/png;" * 2
    icon = "document.querySelector('link[rel=icon]').href.slice(0, 15)"
    assert screen.evaluate(icon) == "data:image/png;"
    assert log() == ["ran"]
    assert "preload" not in bundle.html


@pitfall(30)
def test_document_inside_the_page_is_refused(build: Build) -> None:
    error = refusal(build, {"index.html": f"{HEAD}<object data=d.png></object>", "d.png": DOT})
    assert error.message == '"d.png" cannot be shown inside a View'


@pitfall(31)
def test_sprite_is_shown(show: Show, screen: Screen) -> None:
    sprite = (
        '<svg xmlns="http://www.w3.org/2000/svg"><defs><linearGradient id="g"/></defs>'
        '<symbol id="a"><rect width="7" height="7" fill="url(#g)"/></symbol></svg>'
    )
    page = (
        f"{HEAD}<svg><use id=u href='s.svg#a'></use></svg>"
        "<svg><use id=v xlink:href='s.svg#a'></use></svg>"
    )
    bundle = show({"index.html": page, "s.svg": sprite})
    assert screen.evaluate("[u.getBBox().width, v.getBBox().width]") == [7, 7]
    assert bundle.html.count("<symbol") == 1


@pitfall(32)
@pytest.mark.parametrize(("policy", "log_of"), [(SPEC, ["blocked font-src"]), (LOOSE, [])])
def test_inlined_font_is_told_and_needs_a_looser_host(
    show: Show, screen: Screen, log: Log, policy: str, log_of: list[str]
) -> None:
    page = f"{HEAD}{PROBE}<link rel=stylesheet href=s.css><p id=p>x"
    css = "@font-face { font-family: f; src: url(f.woff2) } p { font-family: f }"
    bundle = show({"index.html": page, "s.css": css, "f.woff2": b"wOF2"}, policy)
    screen.evaluate("document.fonts.load('9px f').then(() => 1, () => 0)")
    assert log() == log_of
    assert "an inlined font is blocked by the policy of the specification" in messages(bundle)


@pitfall(33)
@pytest.mark.parametrize("address", ["/app/", "https://x.example/"])
def test_base_address_is_refused(build: Build, address: str) -> None:
    error = refusal(build, {"index.html": f"{HEAD}<base href='{address}'>"})
    assert error.message == "a View has no base address"


@pitfall(33)
def test_base_address_that_a_script_makes_does_not_count(
    show: Show, screen: Screen, log: Log
) -> None:
    # In a host that says nothing of it.
    made = "Object.assign(document.createElement('base'), { href: 'https://x.example/' })"
    code = f"document.head.append({made})"
    page = f"{HEAD}{PROBE}<a id=a href='#top'></a><script src=m.js></script>"
    show({"index.html": page, "m.js": code}, "script-src 'unsafe-inline'")
    assert screen.evaluate("a.href") == "http://view.test/#top"
    assert log() == ["blocked base-uri"]


@pitfall(34)
def test_every_undeclared_origin_is_named_with_its_list(
    build: Build, packages: Path, screen: Screen
) -> None:
    files = {
        "index.html": f'{HEAD}<img src="https://i.example/a.png"><iframe src="https://f.example">'
        f"</iframe>{PROBE}<script type=module src=m.ts></script>",
        "m.ts": (
            "fetch('https://api.example/v1' as string); new WebSocket('wss://s.example');\n"
            "// fetch('https://comment.example')\n"
            "log.push('https://text.example', 'http://www.w3.org/2000/svg');\n"
            "fetch(`https://${['other', 'example'].join('.')}/`).catch(() => 0)"
        ),
    }
    error = refusal(build, files, csp=Csp(connect=("https://api2.example",)))
    assert error.message == '"https://i.example/a.png" is not declared, so hosts block it'
    assert error.help == (
        'add resourceDomains = ["https://i.example"], frameDomains = ["https://f.example"], '
        'connectDomains = ["https://api2.example", "https://api.example", "wss://s.example"] '
        "to csp of [tool.mcpapps.views.v], or use a local file"
    )
    assert [detail.partition(": ")[0] for detail in error.details] == [
        "index.html:3:49",
        "m.ts:1:8",
        "m.ts:1:59",
    ]
    bundle = build(files, allow_external=True)
    assert bundle.meta["csp"] == {
        "connectDomains": ["https://api.example", "wss://s.example"],
        "resourceDomains": ["https://i.example"],
        "frameDomains": ["https://f.example"],
        "baseUriDomains": [],
    }
    # A host that lets everything through: what is blocked, the page's own policy blocks.
    screen.show(bundle.html, "default-src * 'unsafe-inline'")
    screen.until("log.includes('blocked connect-src')")
    assert {*screen.requests} == {
        *("https://i.example/a.png", "https://f.example/", "https://api.example/v1")
    }
    assert [each for each in screen.evaluate("log") if each.startswith("blocked")] == [
        "blocked connect-src"
    ]


@pitfall(34)
def test_declared_origin_that_is_not_used_is_told(show: Show) -> None:
    csp = Csp(connect=("https://api.example", "https://other.example"))
    files = {
        "index.html": f"{HEAD}<script>() => fetch('https://api.example/x')</script>",
        "pyproject.toml": 'csp = { connectDomains = ["https://other.example"] }\n',
    }
    [notice] = show(files, csp=csp).notices
    assert notice.message == '"https://other.example" is declared in connectDomains and not used'
    assert (notice.position.path, notice.position.column) == ("pyproject.toml", 28)
