"""Every kind of bundle that has a bridge, in the host of the specification."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from mcpapps_cli import embed
from mcpapps_cli.bundle import build_bundle
from mcpapps_cli.model import Building, Bundle, View
from mcpapps_cli.stage import StepEvent, ViolationEvent
from tests.browser.conftest import Open, Scene
from tests.bundle.conftest import HEAD, PEERS, SVG
from tests.bundle.test_prebuilt import SERVERS
from tests.stage.backend import MemoryBackend, text_result, tool

pytestmark = [pytest.mark.anyio, pytest.mark.browser, pytest.mark.node]

URI = "ui://weather/forecast"
VIEWS = PEERS / "views"
SCAFFOLD = PEERS.parents[1] / "scaffolds" / "_view"
RUNGS = [
    *("server", "tool", "resource", "mime", "html", "frame"),
    *("initialize", "initialized", "input", "result", "painted"),
]
OUT = "<p id=out>waiting</p>"
SHOW = (
    "const view = connect({ name: 'forecast', version: '1.0.0' });\n"
    "view.toolResult.then((result) => {\n"
    "  document.getElementById('out').textContent = result.content[0].text;\n});"
)
IMPORT = 'import { connect } from "mcpapps:bridge";\n'
MODULE = IMPORT + SHOW
TYPED = MODULE.replace("document", "const said: string = 'out'; document").replace(
    "('out')", "(said)!"
)
GLOBAL = "<script src=mcpapps:bridge></script>"
ELEMENT = (
    IMPORT
    + "const view = connect({ name: 'forecast', version: '1.0.0' });\n"
    + "const result = await view.toolResult;\n"
    + "const made = <p id='out'>{(result.content as any)[0].text}</p>;\n"
)
# Without an import there is nothing to do for esbuild.
PRAGMA = (
    "/** @jsx make */\nconst make = (name, props, ...text) => "
    "Object.assign(document.createElement(name), props, { textContent: text.join('') });\n"
    f"{SHOW.replace('connect', 'mcpapps.connect')}\n"
    "document.body.append(<p id='out'>waiting</p>);"
)


def script(name: str, *, mark: str = "type=module") -> str:
    return f"<script {mark} src={name}></script>"


def page(*parts: str) -> str:
    return "".join((HEAD, "<title>Forecast</title>", *parts))


KINDS: dict[str, tuple[Mapping[str, str], dict[str, Any]]] = {
    "classic script": (
        {"v.html": page(OUT, GLOBAL, f"<script>const {{ connect }} = mcpapps; {SHOW}</script>")},
        {},
    ),
    "deferred script": (
        {
            "v.html": page(GLOBAL, script("a.js", mark="defer"), OUT),
            "a.js": f"const {{ connect }} = mcpapps; {SHOW}",
        },
        {},
    ),
    "deferred script after a module": (
        {
            "v.html": page(GLOBAL, script("m.js"), script("a.js", mark="defer"), OUT),
            "m.js": "globalThis.connect = mcpapps.connect",
            "a.js": SHOW,
        },
        {},
    ),
    "module": ({"v.html": page(OUT, script("m.js")), "m.js": MODULE}, {}),
    "module in the page": ({"v.html": page(OUT, f"<script type=module>{MODULE}</script>")}, {}),
    "import below its use": (
        {"v.html": page(OUT, script("m.js")), "m.js": f"{SHOW}\n{IMPORT}"},
        {},
    ),
    "namespace": (
        {
            "v.html": page(OUT, script("m.js")),
            "m.js": MODULE.replace("{ connect }", "* as bridge").replace(
                " connect(", " bridge.connect("
            ),
        },
        {},
    ),
    "several modules without an engine": (
        {"v.html": page(OUT, script("n.js"), script("m.js")), "n.js": IMPORT, "m.js": MODULE},
        {},
    ),
    "esbuild-py": (
        {"v.html": page(GLOBAL, script("m.jsx")), "m.jsx": PRAGMA},
        {"engine": "auto"},
    ),
    "TypeScript": ({"v.html": page(OUT, script("m.ts")), "m.ts": TYPED}, {}),
    "TypeScript, and the bridge as a global": (
        {"v.html": page(GLOBAL, OUT, script("m.ts")), "m.ts": TYPED},
        {},
    ),
    "several modules": (
        {
            "v.html": page(
                OUT,
                script("n.ts"),
                "<script>globalThis.classic = true</script>",
                f'<script type=module>import "./n"; {MODULE}</script>',
            ),
            "n.ts": f"{IMPORT}export const made: object = connect;",
        },
        {},
    ),
    "React": (
        {
            "v.html": page("<main id=root></main>", script("m.tsx")),
            "m.tsx": f"import {{ createRoot }} from 'react-dom/client';\n{ELEMENT}"
            "createRoot(document.getElementById('root')!).render(made);",
        },
        {},
    ),
    "Preact": (
        {
            "v.html": page("<main id=root></main>", script("m.tsx")),
            "m.tsx": "/** @jsxImportSource preact */\nimport { render } from 'preact';\n"
            f"{ELEMENT}render(made, document.getElementById('root')!);",
        },
        {},
    ),
    "sheets and modules of CSS": (
        {
            "v.html": page("<link rel=stylesheet href=s.css>", OUT, script("m.ts")),
            "m.ts": f"import './t.css'; import styles from './u.module.css';\n{TYPED}\n"
            "document.body.className = styles.wide!;",
            "s.css": "#out { color: green; & b { color: red } }",
            "t.css": "#out { font-weight: bold }",
            "u.module.css": ".wide { min-width: 9px }",
        },
        {},
    ),
    "policy unsafe-inline": (
        {"v.html": page(OUT, script("m.ts")), "m.ts": TYPED},
        {"policy": "unsafe-inline"},
    ),
    "policy none": ({"v.html": page(OUT, script("m.ts")), "m.ts": TYPED}, {"policy": "none"}),
    "inline handler": (
        {"v.html": page('<b onclick="1"></b>', OUT, script("m.ts")), "m.ts": TYPED},
        {},
    ),
    "split templates": (
        {
            "v.html": page(OUT, script("m.ts")),
            "m.ts": f"{TYPED}\nconsole.log(String.raw`<!-- <script>`, `</script>`);",
        },
        {},
    ),
}
EVAL = {"eval"}
"""Zod, which the official SDK has, tries whether it may make code from text."""
# What the measurements are made of, what is left out of it, and what is blocked.
PEER_VIEWS = [
    ("typescript", (), set()),
    ("react", (), set()),
    ("recharts", (), set()),
    ("ext-apps", (), EVAL),
    ("ext-apps", ("zod-locales",), EVAL),
]


def build(root: Path, entry: str, **building: Any) -> Bundle:
    (root / "node_modules").symlink_to(PEERS / "node_modules", target_is_directory=True)
    view = View("v", root / entry, URI, building=Building(**building))
    return build_bundle(view, root=root)


async def mount(scene: Open, bundle: Bundle, blocked: Set[str] = frozenset()) -> Scene:
    """Call a tool whose View it is, and let the View climb to the last rung."""
    opened = await scene(
        MemoryBackend(
            tools=[tool("forecast", URI)],
            pages={URI: bundle.html},
            results={"forecast": text_result("sunny")},
            meta=dict(bundle.meta),
        ),
        profile="spec",
    )
    await opened.call("forecast", city="Oslo")
    await opened.step("painted")
    steps = [(event.step, event.state) for event in opened.all(StepEvent)]
    assert steps == [(step, "ok") for step in RUNGS]
    assert {event.blocked for event in opened.all(ViolationEvent)} == blocked
    return opened


@pytest.mark.parametrize("kind", KINDS)
async def test_it_shakes_hands_and_shows_its_result(scene: Open, tmp_path: Path, kind: str) -> None:
    files, building = KINDS[kind]
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    bundle = build(tmp_path, "v.html", **building)
    typed = any(name.endswith((".ts", ".tsx")) for name in files)
    assert bundle.engine == ("esbuild 0.28.2" if typed else "none")
    assert bundle.html.count(f"<script {embed.SENTINEL}") == 1
    opened = await mount(scene, bundle)
    await expect(opened.view().locator("#out")).to_have_text("sunny")


@pytest.mark.parametrize(("name", "trim", "blocked"), PEER_VIEWS)
async def test_view_of_the_measurements_shakes_hands(
    scene: Open, tmp_path: Path, name: str, trim: tuple[str, ...], blocked: Set[str]
) -> None:
    root = tmp_path / name
    shutil.copytree(VIEWS / name, root)
    shutil.copy(VIEWS / "tsconfig.json", root)
    await mount(scene, build(root, "index.html", trim=trim), blocked)


@pytest.mark.parametrize("server", SERVERS)
async def test_page_of_the_official_sdk_shakes_hands(
    scene: Open, tmp_path: Path, server: str
) -> None:
    [page] = (PEERS / "node_modules/@modelcontextprotocol" / f"server-{server}").rglob(
        "mcp-app.html"
    )
    (tmp_path / "page.html").write_bytes(page.read_bytes())
    await mount(scene, build(tmp_path, "page.html"), EVAL)


async def test_page_that_vite_built_shakes_hands(scene: Open, tmp_path: Path) -> None:
    root = tmp_path / "view"
    shutil.copytree(VIEWS / "react", root)
    # Of more than 4 kB, which Vite leaves a file beside the script.
    noise = f"<!-- {'x' * 5000} -->"
    (root / "src" / "large.svg").write_text(SVG.replace("</svg>", f"{noise}</svg>"))
    main = root / "src" / "main.tsx"
    picture = "document.body.append(Object.assign(new Image(), { id: 'large', src: large }));"
    main.write_text(f"import large from './large.svg';\n{main.read_text()}{picture}")
    config = 'export default { base: "./", logLevel: "error", build: { modulePreload: false, '
    config += 'rolldownOptions: { external: ["mcpapps:bridge"] } } };'
    (root / "vite.config.mjs").write_text(config)
    (root / "node_modules").symlink_to(PEERS / "node_modules", target_is_directory=True)
    vite = PEERS / "node_modules" / "vite" / "bin" / "vite.js"
    subprocess.run(["node", vite, "build"], cwd=root, check=True, capture_output=True)
    (root / "node_modules").unlink()
    bundle = build(root, "dist/index.html")
    assert (bundle.engine, bundle.external) == ("none", ())
    opened = await mount(scene, bundle)
    picture = opened.view().locator("#large")
    assert await picture.evaluate("i => i.decode().then(() => i.naturalWidth)") == 5


async def test_view_that_is_added_to_a_project_shakes_hands(scene: Open, tmp_path: Path) -> None:
    root = tmp_path / "view"
    shutil.copytree(SCAFFOLD, root)
    opened = await mount(scene, build(root, "index.html"))
    await expect(opened.view().locator("#note")).to_have_text("sunny")
