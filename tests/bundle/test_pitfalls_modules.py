"""Pitfalls of modules: what tools other than a browser give them, and what is left of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mcpapps_cli.bundle import build_bundle
from mcpapps_cli.model import View
from tests.bundle.conftest import (
    DOT,
    HEAD,
    MODULE,
    PROBE,
    SVG,
    Build,
    Log,
    Screen,
    Show,
    refusal,
)

pytestmark = [pytest.mark.browser, pytest.mark.node]
pitfall = pytest.mark.pitfall


@pitfall(15)
def test_environment_of_node_and_vite_is_there(show: Show, log: Log) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": (
            "declare const process: any;\n"
            "const all: any = import.meta.env;\n"
            "log.push(process.env.NODE_ENV, String(process.env.OTHER), import.meta.env.MODE, "
            "import.meta.env.DEV, all.PROD, String(all.VITE_OTHER))"
        ),
    }
    show(files)
    assert log() == ["production", "undefined", "production", False, True, "undefined"]


@pitfall(15)
def test_react_is_the_one_for_production(show: Show, screen: Screen, log: Log) -> None:
    code = "import { act } from 'react'; log.push(typeof act)"
    show({"index.html": MODULE, "m.ts": f"declare const log: any; {code}"})
    # Only the build for development has it.
    assert log() == ["undefined"]


@pitfall(16)
@pytest.mark.parametrize(
    ("jsx", "library", "render"),
    [
        ('"react-jsx", "jsxImportSource": "preact"', "preact", "render(made, root)"),
        ('"preserve"', "react-dom/client", "createRoot(root).render(made)"),
    ],
)
def test_paths_and_jsx_of_tsconfig_count(
    show: Show, screen: Screen, jsx: str, library: str, render: str
) -> None:
    files = {
        "index.html": f"{HEAD}{PROBE}<div id=root></div><script type=module src=m.tsx></script>",
        "m.tsx": (
            "import { name } from '@lib/name';\n"
            f"import {{ {render.partition('(')[0]} }} from '{library}';\n"
            "const root = document.getElementById('root')!, made: any = <b id='b'>{name}</b>;\n"
            f"{render};"
        ),
        "lib/name.ts": "export const name: string = 'from lib'",
        "tsconfig.json": (
            '{"compilerOptions": {"paths": {"@lib/*": ["./lib/*"]}, "jsx": ' + jsx + "}}"
        ),
    }
    show(files)
    screen.until("document.getElementById('b')")
    assert screen.evaluate("b.textContent") == "from lib"


@pitfall(16)
@pytest.mark.parametrize(("option", "given"), [("true", "string"), ("false", "object")])
def test_decorators_are_those_of_tsconfig(show: Show, log: Log, option: str, given: str) -> None:
    # The older ones get the name of a method second, the standard ones an object about it.
    files = {
        "index.html": MODULE,
        "m.ts": (
            "function note(_: any, about: any) { log.push(typeof about) }\n"
            "class A { @note method(): void {} }\nnew A()"
        ),
        "tsconfig.json": f'{{"compilerOptions": {{"experimentalDecorators": {option}}}}}',
    }
    show(files)
    assert log() == [given]


@pitfall(17)
def test_queries_of_vite_work(show: Show, screen: Screen, log: Log) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": (
            "import text from './d.svg?raw'; import address from './d.svg?url';\n"
            "import css from './s.css?inline'; import data from './d.json';\n"
            "import raw from './d.png?raw';\n"
            "log.push(text, address.slice(0, 19), css, data.a, raw.slice(1, 4));"
        ),
        "d.svg": SVG,
        "s.css": "p{top:1px}",
        "d.json": '{"a": 1}',
        "d.png": DOT,
    }
    show(files)
    assert log() == [SVG, "data:image/svg+xml,", "p{top:1px}", 1, "PNG"]


@pitfall(17, 18, 19)
@pytest.mark.parametrize(
    ("script", "message", "advice"),
    [
        ("log.push(import.meta.glob('./*.ts'))", "import.meta.glob is Vite's alone", "vite"),
        ("import App from './App.vue'; log.push(App)", "no loader is configured", "its own tool"),
        ("import a from 'virtual:a'; log.push(a)", 'could not resolve "virtual:a"', "vite"),
        ("import './s.css'", '"@apply" is for Tailwind', "run it first"),
        ("import './s.scss'", "no loader is configured", "its own tool"),
        ("import fs from 'node:fs'; log.push(fs)", 'a browser has no "node:fs"', "tool instead"),
        ("import fs from 'fs'; log.push(fs)", 'a browser has no "fs"', "tool instead"),
        (
            "import x from 'no-such-package'; log.push(x)",
            'could not resolve "no-such-package"',
            'run "npm install no-such-package"',
        ),
        ("import x from './mm'; log.push(x)", 'could not resolve "./mm"', 'did you mean "./m'),
    ],
)
def test_what_cannot_be_built_is_refused_at_its_place(
    build: Build, packages: Path, script: str, message: str, advice: str
) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": f"// a comment\n{script}",
        "App.vue": "<template></template>",
        "s.css": "\np { @apply flex; }",
        "s.scss": "",
    }
    error = refusal(build, files)
    assert error.message.startswith(message)
    assert (error.position.path, error.position.line) == (
        "s.css" if "Tailwind" in message else "m.ts",
        2,
    )
    assert error.position.source
    assert error.help
    assert advice in error.help


@pitfall(17)
def test_module_with_a_syntax_error_is_refused(build: Build, packages: Path) -> None:
    error = refusal(build, {"index.html": MODULE, "m.ts": "let a: number = ;"})
    assert error.message == 'unexpected ";"'
    assert (error.position.path, error.position.column) == ("m.ts", 17)


RULES = [
    *("@tailwind base;", "p { @apply flex; }", "@theme { --a: b; }", "@utility a { top: 1px }"),
    '@source "./x";',
]


@pitfall(18)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("script", ["m.ts", "m.js"])
@pytest.mark.parametrize("place", ["link", "style"])
def test_rule_of_tailwind_is_refused(
    build: Build, packages: Path, rule: str, script: str, place: str
) -> None:
    sheet = f"/* {rule} */ q::after {{ content: '@apply' }}\n{rule}"
    markup = {"link": "<link rel=stylesheet href=s.css>", "style": f"<style>{sheet}</style>"}
    page = f"{HEAD}{markup[place]}<script type=module src={script}></script>"
    error = refusal(build, {"index.html": page, script: "1", "s.css": sheet})
    name = re.search(r"@\w+", rule)
    assert name
    assert error.message == f'"{name[0]}" is for Tailwind, which did not run'
    assert error.position.path == ("s.css" if place == "link" else "index.html")


@pitfall(18)
def test_standard_rules_beside_the_word_are_taken(show: Show, screen: Screen) -> None:
    css = "@layer components;\n/* @apply */ p { --source: '@theme'; top: 3px }"
    show({"index.html": f"{HEAD}<link rel=stylesheet href=s.css><p id=p>", "s.css": css})
    assert screen.evaluate("getComputedStyle(p).top") == "3px"


@pitfall(18)
@pytest.mark.parametrize("script", ["m.ts", "m.js"])
def test_sheet_for_another_program_is_refused(build: Build, packages: Path, script: str) -> None:
    page = f"{HEAD}<link rel=stylesheet href=a.scss><script type=module src={script}></script>"
    error = refusal(build, {"index.html": page, script: "1", "a.scss": "$a: 1px;"})
    assert error.message == '"a.scss" is for Sass, which did not run'
    assert (error.position.line, error.position.column) == (3, 27)


@pitfall(18)
@pytest.mark.parametrize("script", ["m.ts", "m.js"])
def test_tailwind_that_is_not_installed_is_refused(
    build: Build, packages: Path, script: str
) -> None:
    page = f"{HEAD}<link rel=stylesheet href=s.css><script type=module src={script}></script>"
    files = {"index.html": page, script: "1", "s.css": '@import "tailwindcss";'}
    error = refusal(build, files)
    assert '"tailwindcss"' in error.message
    assert error.position.path == "s.css"


@pitfall(20, 21)
def test_no_source_map_is_named_and_notices_stay(show: Show, screen: Screen, log: Log) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": (
            "import { createElement } from 'react';\n/*! (c) me */\nlog.push(typeof createElement)"
            "\n//# sourceMappingURL=m.js.map"
        ),
    }
    html = show(files).html
    assert log() == ["function"]
    assert "sourceMappingURL" not in html
    assert html.count("(c) me") == 1
    assert html.count("Copyright (c) Meta Platforms") == 1


@pitfall(22)
def test_bundle_does_not_depend_on_the_folder_or_the_machine(
    show: Show, log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": (
            "import { createElement } from 'react'; import './s.css';\n"
            "log.push(typeof createElement)"
        ),
        "s.css": "p { color: red }",
    }
    monkeypatch.setenv("GOMAXPROCS", "1")
    first = show(files)
    assert log() == ["function"]
    other = tmp_path / "another place" / "project"
    other.parent.mkdir()
    (tmp_path / "project").rename(other)
    monkeypatch.setenv("GOMAXPROCS", "3")
    assert build_bundle(View("v", other / "index.html", first.uri), root=other).html == first.html
