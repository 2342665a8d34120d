"""Bundles in a real browser, under their own policy."""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcpapps_cli.bundle import build_bundle
from mcpapps_cli.model import View
from tests.bundle.conftest import HEAD, PROBE, Build, Screen

pytestmark = pytest.mark.browser

DOT = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def test_parts_work_and_nothing_is_blocked(build: Build, screen: Screen) -> None:
    files = {
        "index.html": (
            f'{HEAD}{PROBE}<link rel=stylesheet href=s.css><img id=i src=d.png style="width:7px">'
            '<p id=p style="background:url(d.png)">x</p><script src=a.js></script>'
        ),
        "s.css": '\ufeffp { color: rgb(1, 2, 3); background-image: url("d.png") }',
        "a.js": "log.push(`ran ${document.getElementById('p').textContent}`)",
        "d.png": DOT,
    }
    screen.show(build(files).html)
    assert screen.evaluate("getComputedStyle(p).color") == "rgb(1, 2, 3)"
    assert screen.evaluate("getComputedStyle(p).backgroundImage").startswith('url("data:image/png')
    assert screen.evaluate("i.decode().then(() => [i.naturalWidth, i.width])") == [1, 7]
    assert screen.evaluate("log") == ["ran x"]


def test_scripts_run_in_the_order_that_they_had_as_files(build: Build, screen: Screen) -> None:
    files = {
        "index.html": (
            f"{HEAD}{PROBE}<script defer src=d.js></script><script src=a.js></script>"
            "<script>log.push('inline')</script><script type=module src=m.js></script><p id=late>"
        ),
        "d.js": "log.push(`deferred ${!!document.getElementById('late')}`); var kept = 1;",
        "a.js": "log.push(`classic ${!!document.getElementById('late')}`)",
        "m.js": "log.push(`module ${kept}`)",
    }
    screen.show(build(files).html)
    assert screen.evaluate("log") == ["classic false", "inline", "deferred true", "module 1"]


def test_imported_sheets_keep_their_order_and_their_conditions(
    build: Build, screen: Screen
) -> None:
    files = {
        "index.html": f"{HEAD}<link rel=stylesheet href=s.css><p id=p>x",
        "s.css": '@import "a.css"; @import "b.css" print; @import "c.css" layer(low);',
        "a.css": "p { color: rgb(1, 1, 1) }",
        "b.css": "p { color: rgb(2, 2, 2) }",
        "c.css": "p { color: rgb(3, 3, 3); top: 4px }",
    }
    screen.show(build(files).html)
    assert screen.evaluate("getComputedStyle(p).color") == "rgb(1, 1, 1)"
    assert screen.evaluate("getComputedStyle(p).top") == "4px"


@pytest.mark.parametrize(
    "view",
    [
        "<script type=module src=m.js></script>",
        "<script type=module>import { connect } from 'mcpapps:bridge'; "
        "log.push(typeof connect)</script>",
        "<script src=mcpapps:bridge></script><script>log.push(typeof mcpapps.connect)</script>",
    ],
)
def test_bridge_is_there_in_every_way_of_asking(build: Build, screen: Screen, view: str) -> None:
    module = 'log.push(typeof connect);\nimport * as all from "mcpapps:bridge";\n'
    module += 'import { connect } from "mcpapps:bridge";'
    screen.show(build({"index.html": HEAD + PROBE + view, "m.js": module}).html)
    assert screen.evaluate("log") == ["function"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("dangerous")


FRAGMENTS = (
    *("</script", "</SCRIPT >", "</script foo>", "<script", "<script ", "<!--", "-->", "<!-"),
    *("<![CDATA[", "]]>", "</style>", "`", "${", "'", '"', "\\", "//", "/*", "*/", "/", "\n"),
    *("\u2028", "\u2029", "\ufeff", "\0", "\U0001f600", " ", "a", "import", "(", ")", ";"),
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    text=st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join),
    comment=st.lists(st.sampled_from(FRAGMENTS), max_size=6).map("".join),
)
@pytest.mark.parametrize("kind", ["classic", "module"])
def test_dangerous_text_survives_with_equal_values(
    folder: Path, screen: Screen, kind: str, text: str, comment: str
) -> None:
    escaped = text.replace("\\", "\\\\")
    template = escaped.replace("`", "\\`").replace("${", "\\${")
    single = escaped.replace("'", "\\'").replace("\n", "\\n")
    script = (
        f"/* {comment.replace('*/', '')} */\n"
        f"globalThis.values = [{json.dumps(text, ensure_ascii=False)}, '{single}', `{template}`, "
        "/^<!--$/u.test('<!--'), /(?<!--)a/.test('--a'), /(?<!--)a/.test('b-a')];\n"
        f"// {' '.join(comment.split()).replace(chr(0x2028), '').replace(chr(0x2029), '')}\n"
    )
    (folder / "a.js").write_text(script, "utf-8", newline="\n")
    mark = "type=module " if kind == "module" else ""
    (folder / "index.html").write_text(f"{HEAD}<script {mark}src=a.js></script><p id=end>", "utf-8")
    view = View("v", folder / "index.html", "ui://a/b")
    screen.show(build_bundle(view, root=folder).html)
    assert screen.evaluate("globalThis.values") == [text, text, text, True, False, True]
    assert screen.evaluate("document.getElementById('end').textContent") == ""
