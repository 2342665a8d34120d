"""What goes wrong when a page becomes one file: each shown in a browser, or refused by name."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path

import pytest

from mcpapps_cli.bundle.esbuild.locate import member_name, platform_name
from mcpapps_cli.errors import SourceError, UserError
from mcpapps_cli.model import Bundle, Csp
from tests.bundle.conftest import HEAD, LOOSE, PEERS, PROBE, SPEC, Build, Screen

pytestmark = [pytest.mark.browser, pytest.mark.node]

DOT = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="5"><rect width="5" height="5"/></svg>'
MODULE = f"{HEAD}{PROBE}<script type=module src=m.ts></script><p id=p>x"
# The module `add(a, b)`, by the WebAssembly specification's binary format.
WASM = bytes.fromhex(
    "0061736d0100000001070160027f7f017f030201000707010361646400000a09010700200020016a0b"
)
Show = Callable[..., Bundle]


@pytest.fixture
def show(build: Build, packages: Path, screen: Screen) -> Show:
    """Bundle files with esbuild at hand, load the result, and return it."""

    def show_files(
        files: Mapping[str, str | bytes], policy: str = SPEC, **declared: object
    ) -> Bundle:
        bundle = build(files, **declared)
        screen.show(bundle.html, policy)
        assert screen.requests == []
        return bundle

    return show_files


@pytest.fixture
def log(screen: Screen) -> Callable[[], list[object]]:
    return lambda: screen.evaluate("log")


Log = Callable[[], list[object]]


def refusal(build: Build, files: Mapping[str, str | bytes], **declared: object) -> UserError:
    with pytest.raises(UserError) as caught:
        build(files, **declared)
    return caught.value


def messages(bundle: Bundle) -> list[str]:
    return [notice.message for notice in bundle.notices]


# 1, 2, 3: scripts that hold markup.
STRINGS = (
    "log.push('</script>', `</SCRIPT x>`, /<\\/script>/.source, '<!-- <script>', `<!--${1}-->`, "
    "/^(?<!--)a[<!--b]$/.test('ab'), '\u2028\u2029'.length, 'é')"
)
VALUES = ["</script>", "</SCRIPT x>", "<\\/script>", "<!-- <script>", "<!--1-->", True, 2, "é"]


@pytest.mark.parametrize(
    ("tag", "name"),
    [("<script src=a.js>", "a.js"), ("<script type=module src=a.js>", "a.js")],
)
def test_markup_in_a_plain_script_keeps_its_value(
    show: Show, log: Log, tag: str, name: str
) -> None:
    show({"index.html": f"{HEAD}{PROBE}{tag}</script>", name: STRINGS})
    assert log() == VALUES


def test_markup_in_a_built_script_keeps_its_value(show: Show, log: Log) -> None:
    tagged = "log.push(String.raw`<!--</script>`, ((a: any) => a.raw[0])`<!--`)"
    bundle = show({"index.html": MODULE, "m.ts": f"{STRINGS};\n{tagged}"})
    assert log() == [*VALUES, "<!--</script>", "<!--"]
    assert bundle.engine == "esbuild 0.28.2"


def test_comment_mark_that_is_code_means_the_same(show: Show, log: Log) -> None:
    show(
        {
            "index.html": f"{HEAD}{PROBE}<script src=c.js></script>"
            "<script type=module src=m.js></script>",
            "c.js": "let a = 1, b = 1;\nlog.push(a) <!-- log.push('1')\n<!-- log.push('2')\n",
            "m.js": "let a = 1, b = 1;\nlog.push(a<!--b, b);",
        }
    )
    assert log() == [1, False, 0]


def test_template_with_a_tag_that_cannot_be_kept_is_refused(build: Build) -> None:
    page = f"{HEAD}<script src=a.js></script>"
    error = refusal(build, {"index.html": page, "a.js": "f(String.raw`\n<!--`)"})
    assert error.message == 'a template with a tag holds "<!--", which cannot stand in a page'
    assert isinstance(error, SourceError)
    assert (error.position.path, error.position.line) == ("a.js", 2)


# 4
def test_json_block_holds_what_its_file_held(show: Show, screen: Screen) -> None:
    text = '{"a": "</script><!--<script>"}'
    page = f"{HEAD}<script id=d type=application/json src=d.json></script><p id=p>"
    bundle = show({"index.html": page, "d.json": text})
    assert "<!--" not in bundle.html
    assert screen.evaluate("JSON.parse(d.textContent).a") == "</script><!--<script>"
    assert screen.evaluate("!!document.getElementById('p')") is True


# 5, 6, 7, 8: order and scope.
def test_deferred_script_runs_after_the_module_before_it(show: Show, log: Log) -> None:
    page = (
        f"{HEAD}{PROBE}<script defer src=first.js></script><script type=module src=m.ts></script>"
        "<script defer src=last.js id=last data-x=1></script><p>"
    )
    show(
        {
            "index.html": page,
            "first.js": "log.push('first')",
            "m.ts": "log.push('module' as string)",
            "last.js": "log.push(`last ${document.currentScript.dataset.x}</script>`)",
        }
    )
    assert log() == ["first", "module", "last 1</script>"]


def test_modules_share_what_they_import_and_keep_their_order(show: Show, log: Log) -> None:
    page = (
        f"{HEAD}{PROBE}<script type=module src=a.ts></script>"
        "<script type=module>import { next } from './n'; const t = 2; log.push(t, next())</script>"
        "<script>log.push('classic')</script><script type=module src=b.ts></script>"
    )
    files = {
        "index.html": page,
        "n.ts": "let count: number = 0; export const next = () => ++count;",
        "a.ts": "import { next } from './n'; const t = 1; log.push(t, next())",
        "b.ts": "import { next } from './n'; const t = 3; log.push(t, next())",
    }
    show(files)
    assert log() == ["classic", 1, 1, 2, 2, 3, 3]


def test_await_works_at_the_top_level(show: Show, screen: Screen, log: Log) -> None:
    show({"index.html": MODULE, "m.ts": "log.push(await Promise.resolve<number>(7))"})
    screen.until("log.length > 0")
    assert log() == [7]


def test_entry_of_a_package_without_side_effects_runs(show: Show, log: Log) -> None:
    show(
        {
            "index.html": MODULE,
            "m.ts": "log.push('ran' as string)",
            "package.json": '{"sideEffects": false}',
        }
    )
    assert log() == ["ran"]


# 9
def test_inline_handler_runs_and_is_told(show: Show, screen: Screen, log: Log) -> None:
    page = f"{HEAD}{PROBE}<script>function save() {{ log.push('saved') }}</script>"
    page += '<button id=b onclick="save()">x</button>'
    bundle = show({"index.html": page})
    screen.evaluate("b.click()")
    assert log() == ["saved"]
    assert messages(bundle) == [
        "scripts are allowed by 'unsafe-inline', for this runs without a hash"
    ]


def test_handler_that_calls_into_a_module_is_told(build: Build, packages: Path) -> None:
    page = f'{HEAD}<script type=module src=m.ts></script><button onclick="save()">x</button>'
    bundle = build({"index.html": page, "m.ts": "function save(): void {}\nsave()"})
    assert '"save" is known in its module only, so this handler fails' in messages(bundle)


# 10
def test_address_beside_the_module_is_refused(build: Build, packages: Path) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": "let a: string;\nlog.push(new URL('./x.png', import.meta.url).href)",
        "x.png": DOT,
    }
    error = refusal(build, files)
    assert isinstance(error, SourceError)
    assert error.message.startswith('"./x.png" is sought beside the host\'s page')
    assert (error.position.path, error.position.line, error.position.column) == ("m.ts", 2, 19)


# 11
def test_dynamic_import_of_a_file_becomes_part_of_the_script(
    show: Show, screen: Screen, log: Log
) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": "import('./late').then((found) => log.push(found.value))",
        "late.ts": "export const value: number = 5",
    }
    show(files)
    screen.until("log.length > 0")
    assert log() == [5]


def test_computed_import_is_told(build: Build, packages: Path) -> None:
    bundle = build({"index.html": MODULE, "m.ts": "const f = (a: string) => import(a); f('x')"})
    assert "what a computed import names cannot be bundled" in messages(bundle)


# 12
def test_worker_becomes_part_of_the_script(show: Show, screen: Screen, log: Log) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": (
            "const w = new Worker(new URL('./w.ts', import.meta.url), { type: 'module' });\n"
            "w.onmessage = (event: MessageEvent) => log.push(event.data);"
        ),
        "w.ts": "import { twice } from './t'; postMessage(twice(4))",
        "t.ts": "export const twice = (a: number) => 2 * a",
    }
    bundle = show(files, LOOSE)
    screen.until("log.length > 0")
    assert log() == [8]
    assert "the policy of the specification blocks workers" in messages(bundle)


def test_worker_is_blocked_by_the_specifications_policy(
    show: Show, screen: Screen, log: Log
) -> None:
    show(
        {
            "index.html": MODULE,
            "m.ts": "new Worker(new URL('./w.ts', import.meta.url))",
            "w.ts": "postMessage(1)",
        }
    )
    screen.until("log.length > 0")
    assert log()[0] == "blocked worker-src"


# 13
def test_wasm_becomes_bytes(show: Show, screen: Screen, log: Log) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": (
            "import bytes from './add.wasm';\n"
            "WebAssembly.instantiate(bytes).then((made: any) => "
            "log.push(made.instance.exports.add(2, 3)), (error: Error) => log.push(error.name));"
        ),
        "add.wasm": WASM,
    }
    bundle = show(files, LOOSE.replace("'unsafe-eval'", "'wasm-unsafe-eval'"))
    screen.until("log.length > 0")
    assert log() == [5]
    assert "the policy of the specification blocks WebAssembly" in messages(bundle)


# 14
def test_code_made_from_text_is_told_and_blocked(show: Show, log: Log) -> None:
    code = "try { log.push(new Function('return 1')()) } catch (error) { log.push(error.name) }"
    bundle = show({"index.html": f"{HEAD}{PROBE}<script src=a.js></script>", "a.js": code})
    assert set(log()) == {"EvalError", "blocked script-src"}
    assert "the policy of the specification blocks code made from text" in messages(bundle)


# 15
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


# 16
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


# 17
def test_queries_of_vite_work(show: Show, screen: Screen, log: Log) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": (
            "import text from './d.svg?raw'; import address from './d.svg?url';\n"
            "import css from './s.css?inline'; import data from './d.json';\n"
            "log.push(text, address.slice(0, 19), css, data.a);"
        ),
        "d.svg": SVG,
        "s.css": "p{top:1px}",
        "d.json": '{"a": 1}',
    }
    show(files)
    assert log() == [SVG, "data:image/svg+xml,", "p{top:1px}", 1]


@pytest.mark.parametrize(
    ("script", "message", "advice"),
    [
        ("log.push(import.meta.glob('./*.ts'))", "import.meta.glob is Vite's alone", "vite"),
        ("import App from './App.vue'; log.push(App)", "no loader is configured", "its own tool"),
        ("import fs from 'node:fs'; log.push(fs)", 'a browser has no "node:fs"', "tool instead"),
        (
            "import x from 'no-such-package'; log.push(x)",
            'could not resolve "no-such-package"',
            'run "npm install no-such-package"',
        ),
        ("import x from './mm'; log.push(x)", 'could not resolve "./mm"', 'did you mean "./m'),
        ("let a: number = ;", "unexpected", None),
        ("import './s.css'", "", "Tailwind"),
    ],
)
def test_what_cannot_be_built_is_refused_at_its_place(
    build: Build, packages: Path, script: str, message: str, advice: str | None
) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": f"// a comment\n{script}",
        "App.vue": "<template></template>",
        "s.css": "\np { @apply flex; }",
    }
    error = refusal(build, files)
    assert isinstance(error, SourceError)
    assert error.message.startswith(message)
    assert error.position.line == 2
    assert error.position.source
    assert advice is None or (error.help and advice in f"{error.help} {error.message}")


# 20, 21
def test_no_source_map_is_named_and_notices_stay(build: Build, packages: Path) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": "import { createElement } from 'react';\n/*! (c) me */\nlog.push(createElement)",
    }
    html = build(files).html
    assert "sourceMappingURL" not in html
    assert html.count("(c) me") == 1
    assert html.count("Copyright (c) Meta Platforms") == 1


# 22
def test_bundle_does_not_depend_on_the_folder(build: Build, packages: Path, tmp_path: Path) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": "import { createElement } from 'react'; import './s.css'; log.push(createElement)",
        "s.css": "p { color: red }",
    }
    first = build(files)
    (tmp_path / "project").rename(tmp_path / "other")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "node_modules").symlink_to(
        (tmp_path / "other" / "node_modules").readlink(), target_is_directory=True
    )
    assert build(files).sha256 == first.sha256


# 23, 24, 25, 30
@pytest.mark.parametrize("engine", ["none", "esbuild"])
def test_pictures_of_a_sheet_are_shown(show: Show, screen: Screen, engine: str) -> None:
    script = "m.ts" if engine == "esbuild" else "m.js"
    files = {
        "index.html": f"{HEAD}<link rel=stylesheet href=css/s.css><script type=module src={script}>"
        "</script><i id=a></i><i id=b></i><i id=c></i><i id=d></i>",
        script: "1",
        "css/s.css": (
            '#a { background-image: url("../d.png?v=1") } #b { background: url(/d.png) } '
            '#c { background-image: image-set("../d.png" 1x, "../d.png" 2x) } '
            "#d { background: url(../v.svg#part); fill: url(#grad) }"
        ),
        "d.png": DOT,
        "v.svg": SVG,
    }
    show(files)
    for name in "abc":
        image = screen.evaluate(f"getComputedStyle({name}).backgroundImage")
        assert "data:image/png;base64," in image
        assert "d.png" not in image
    assert re.search(r"#part\"\)$", screen.evaluate("getComputedStyle(d).backgroundImage"))


def test_pictures_of_a_page_are_shown(show: Show, screen: Screen) -> None:
    page = (
        f"{HEAD}<link rel=icon href=d.png><img id=a src=d.png>"
        "<img id=b srcset='d.png 1x, d.png 2x'>"
        "<picture><source srcset=d.png><img id=c></picture><video id=d poster=d.png></video>"
        "<input id=e type=image src=d.png>"
    )
    show({"index.html": page, "d.png": DOT})
    for name in "abc":
        assert screen.evaluate(f"{name}.decode().then(() => {name}.complete)") is True
    assert screen.evaluate("d.poster.slice(0, 15) + e.src.slice(0, 15)") == "data:image/png;" * 2


# 26
def test_imported_sheets_keep_layers_in_a_built_sheet(show: Show, screen: Screen) -> None:
    files = {
        "index.html": f"{HEAD}<script type=module src=m.ts></script><p id=p>x",
        "m.ts": "import './s.css'; let a: number",
        "s.css": '@import "a.css" layer(low); @import "b.css" print; p { top: 1px }',
        "a.css": "p { color: rgb(1, 1, 1); top: 9px }",
        "b.css": "p { color: rgb(2, 2, 2) }",
    }
    show(files)
    style = "getComputedStyle(p)"
    assert screen.evaluate(f"[{style}.color, {style}.top]") == ["rgb(1, 1, 1)", "1px"]


# 27, 28, 29
@pytest.mark.parametrize("script", ["m.js", "m.ts"])
def test_sheet_with_an_end_tag_and_a_mark_is_whole(show: Show, screen: Screen, script: str) -> None:
    files = {
        "index.html": f"{HEAD}<link rel=stylesheet href=s.css><script type=module src={script}>"
        "</script><p id=p>x",
        script: "1",
        "s.css": "\ufeffp { color: rgb(1, 2, 3); &::after { content: '</style>' } }",
    }
    bundle = show(files)
    assert screen.evaluate("getComputedStyle(p).color") == "rgb(1, 2, 3)"
    assert screen.evaluate("getComputedStyle(p, '::after').content") == '"</style>"'
    # Older browsers know no nesting; what is built is written plainly.
    assert ("&::after" in bundle.html) == (script == "m.js")


# 31
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


# 32
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


# 33
@pytest.mark.parametrize("address", ["/app/", "https://x.example/"])
def test_base_address_is_refused(build: Build, address: str) -> None:
    error = refusal(build, {"index.html": f"{HEAD}<base href='{address}'>"})
    assert error.message == "a View has no base address"


# 34
def test_every_undeclared_origin_is_named_with_its_list(build: Build, packages: Path) -> None:
    files = {
        "index.html": f'{HEAD}<img src="https://i.example/a.png"><iframe src="https://f.example">'
        "</iframe><script type=module src=m.ts></script>",
        "m.ts": (
            "fetch('https://api.example/v1' as string); new WebSocket('wss://s.example');\n"
            "// fetch('https://comment.example')\n"
            "log.push('https://text.example', 'http://www.w3.org/2000/svg')"
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


def test_declared_origin_that_is_not_used_is_told(build: Build) -> None:
    csp = Csp(connect=("https://api.example", "https://other.example"))
    files = {
        "index.html": f"{HEAD}<script>fetch('https://api.example/x')</script>",
        "pyproject.toml": 'csp = { connectDomains = ["https://other.example"] }\n',
    }
    bundle = build(files, csp=csp)
    [notice] = bundle.notices
    assert notice.message == '"https://other.example" is declared in connectDomains and not used'
    assert (notice.position.path, notice.position.column) == ("pyproject.toml", 28)


# 35, 36, 37, 38, 39
def test_policy_is_early_and_holds_nothing_that_a_page_cannot_say(
    build: Build, packages: Path
) -> None:
    files = {"index.html": MODULE, "m.ts": "import { createElement } from 'react'; createElement"}
    html = build(files).html
    assert html.index("<meta charset") < html.index("Content-Security-Policy") < 1024
    assert html.index("Content-Security-Policy") < html.index("<script")
    [policy] = re.findall(r'content="(default-src[^"]*)"', html)
    named = {directive.split()[0] for directive in policy.split("; ")}
    assert named <= {"default-src", "script-src", "style-src", "img-src", "media-src", "base-uri"}


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
    screen.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), "
        "{ textContent: 'log.push(1)' }))"
    )
    assert log() == ["crlf", "file", "blocked script-src-elem"]


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
    assert sorted(log()) == log_of


# 40
def test_storage_is_told_and_throws_in_an_opaque_origin(show: Show, log: Log) -> None:
    code = "try { localStorage.setItem('a', 'b') } catch (error) { log.push(error.name) }"
    bundle = show({"index.html": f"{HEAD}{PROBE}<script src=a.js></script>", "a.js": code})
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


def test_router_with_addresses_is_told(build: Build, packages: Path) -> None:
    code = "const App = () => <BrowserRouter><p/></BrowserRouter>; log.push(App as object)"
    code = f"declare const BrowserRouter: any, log: any; {code}"
    bundle = build({"index.html": MODULE.replace("m.ts", "m.tsx"), "m.tsx": code})
    assert messages(bundle) == ["a View has no address of its own, so its history cannot change"]


# 25, with an esbuild that only the command line can speak to.
def test_fragment_of_a_picture_needs_the_esbuild_that_is_known(
    build: Build, tmp_path: Path
) -> None:
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
