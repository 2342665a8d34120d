"""A small project on disk whose Views each do one thing, right or wrong."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from tests.stage.views import view

_SIZE = """
  // A frame that is not shown yet may have no layout, so the size is told whenever there is one.
  const size = () => new ResizeObserver(() => {
    const { width, height } = document.documentElement.getBoundingClientRect();
    notify("ui/notifications/size-changed", { width, height });
  }).observe(document.documentElement);
"""
_SIZED = 'on["ui/notifications/tool-input"] = size;'


def page(script: str = "", body: str = "", sized: str = _SIZED) -> str:
    """Return a View that shows its result and, once it has its input, reports its size."""
    return view(_SIZE + sized + script, f'{body}<p id="out">waiting</p>')


VIEWS = {
    "good": page(),
    "blocked": page('fetch("https://api.weather.test/v1").catch(() => {});'),
    "throws": page(
        'on["ui/notifications/tool-result"] = () => { out.textContent = 1; missing(); };'
    ),
    "nosy": page(
        sized='on["ui/notifications/tool-input"] = () => { size();'
        ' request("tools/call", { name: "nowhere", arguments: {} }).catch(() => {}); };'
    ),
    "silent": "<!doctype html><title>x</title><p>text",
    "wide": page(body='<div style="width: 3000px">wide</div>'),
    "unsized": page(body='<div style="height: 900px">high</div>', sized=""),
    "chatty": page(
        """
        const click = (id, act) => document.getElementById(id).addEventListener("click", act);
        const content = (text) => [{ type: "text", text }];
        click("say", () => request("ui/message", { role: "user", content: content("hello") }));
        click("tell", () => request("ui/update-model-context", { content: content("seen") }));
        click("link", () => request("ui/open-link", { url: "https://example.com/a" })
          .catch(() => {}));
        click("call", () => request("tools/call", { name: "save", arguments: { n: 1 } }));
        on["ui/notifications/host-context-changed"] = (params) => {
          document.getElementById("theme").textContent = params.theme;
        };
        console.log("chatty is here");
        """,
        """<button id="say">say</button><button id="tell">tell</button>
        <button id="link">link</button><button id="call">call</button><p id="theme">first</p>""",
    ),
}
SERVER = """
    import asyncio
    from pathlib import Path
    from typing import Annotated

    from mcp.server.apps import Apps
    from mcp.server.mcpserver import MCPServer
    from mcp.types import CallToolResult, TextContent, ToolAnnotations

    READ = ToolAnnotations(read_only_hint=True)
    COUNT = {"n": 0}
    apps = Apps()
    for page in sorted(Path(__file__).parent.glob("pages/*.html")):
        uri = f"ui://shop/{page.stem}"
        apps.add_html_resource(uri, page.read_text(encoding="utf-8"), name=page.stem)

        def show(city: str = "Oslo", uri: str = uri) -> str:
            return f"sunny in {city}"

        apps.tool(resource_uri=uri, name=page.stem, annotations=READ)(show)

    @apps.tool(resource_uri="ui://shop/good", annotations=READ)
    def fails() -> CallToolResult:
        return CallToolResult(content=[TextContent(type="text", text="no")], is_error=True)

    @apps.tool(resource_uri="ui://shop/good")
    async def slow() -> str:
        await asyncio.sleep(60)
        return "late"

    @apps.tool(resource_uri="ui://shop/good")
    def writes(text: str) -> str:
        COUNT["n"] += 1
        return text

    mcp = MCPServer("shop", version="1", extensions=[apps])

    @mcp.tool()
    def save(n: int) -> str:
        return f"saved {n}"

    @mcp.tool()
    def count() -> str:
        COUNT["n"] += 1
        return str(COUNT["n"])

    if __name__ == "__main__":
        mcp.run("stdio")
"""


def write_project(folder: Path, *, views: tuple[str, ...] = tuple(VIEWS), config: str = "") -> Path:
    """Write the server, its pages and a project file; return the folder."""
    (folder / "pages").mkdir(parents=True)
    for name in views:
        (folder / "pages" / f"{name}.html").write_text(VIEWS[name], encoding="utf-8")
    (folder / "server.py").write_text(dedent(SERVER), encoding="utf-8")
    settings = '[tool.mcpapps.server]\ncommand = "python server.py"\n'
    (folder / "pyproject.toml").write_text(settings + dedent(config), encoding="utf-8")
    return folder


@dataclass(frozen=True)
class Outcome:
    """How one test ended: `passed`, `failure`, `error` or `skipped`, and what was written."""

    kind: str
    text: str


def run_pytest(
    folder: Path, tests: str, *options: str, python: Path | None = None, **environ: str
) -> tuple[dict[str, Outcome], str]:
    """Run tests of a project with the installed plugin; return outcomes by test, and the output."""
    (folder / "test_app.py").write_text(dedent(tests), encoding="utf-8")
    report = folder / "junit.xml"
    done = subprocess.run(
        [
            *(
                str(python or sys.executable),
                "-m",
                "pytest",
                "-p",
                "no:cacheprovider",
                "-q",
                "test_app.py",
            ),
            *(f"--junit-xml={report}", f"--rootdir={folder}", "-c", str(folder / "pyproject.toml")),
            *options,
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environ},
    )
    output = done.stdout + done.stderr
    if not report.exists():
        return {}, output
    outcomes = {}
    for case in ET.parse(report).iter("testcase"):
        kinds = [child for child in case if child.tag in ("failure", "error", "skipped")]
        text = "".join(f"{child.get('message', '')}\n{child.text or ''}" for child in kinds)
        outcomes[case.get("name", "")] = Outcome(kinds[0].tag if kinds else "passed", text)
    return outcomes, output
