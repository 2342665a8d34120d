"""How long `lint` takes, and how much memory, on a server with many tools and large Views."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mcpapps_cli.embed import bridge_element, bridge_script

VIEW_BYTES = 200_000
CSS_BYTES = 30_000
IMAGE_BYTES = 20_000
# An installed package has its byte code; so must the checkout that is measured.
ENVIRON = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
LIMIT_S, LIMIT_MB, LIMIT_RATIO, LIMIT_START_MS = 10.0, 500.0, 2.3, 400.0
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>View {number}</title>
<style>{css}</style></head>
<body><main>Waiting<img alt="" src="{image}"></main>
{bridge}<script type="module">{code}</script></body></html>
"""


def inventory(tools: int, views: int) -> dict[str, object]:
    """Return an inventory whose Views are the real bridge beside code as dense as a build's."""
    names = [f"ui://bench/view-{number}.html" for number in range(views)]
    return {
        "version": 1,
        "era": "modern",
        "protocolVersion": "2026-07-28",
        "serverInfo": {"name": "bench", "version": "1"},
        "capabilities": {"extensions": {"io.modelcontextprotocol/ui": {}}},
        "tools": [_tool(number, names[number % views]) for number in range(tools)],
        "resources": [_resource(uri, _view(number)) for number, uri in enumerate(names)],
        "unread": [],
    }


def _tool(number: int, uri: str) -> dict[str, object]:
    return {
        "name": f"tool_{number}",
        "title": f"Tool {number}",
        "description": "Draws the chart of one city and one day.",
        "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}},
        "annotations": {"readOnlyHint": True, "destructiveHint": False},
        "_meta": {"ui": {"resourceUri": uri}},
    }


def _resource(uri: str, html: str) -> dict[str, object]:
    empty: list[str] = []
    csp = {f"{name}Domains": empty for name in ("connect", "resource", "frame", "baseUri")}
    meta = {"ui": {"csp": csp, "prefersBorder": True}}
    mime = "text/html;profile=mcp-app"
    return {
        "uri": uri,
        "listing": {"uri": uri, "name": uri, "mimeType": mime, "_meta": meta},
        "contents": [{"uri": uri, "mimeType": mime, "text": html, "_meta": meta}],
        "readMeta": None,
    }


def _view(number: int) -> str:
    """A View as `bundle` writes it: styles, an inlined picture, the bridge, and dense code."""
    bridge = bridge_element()
    rules = (
        f".c{n}{{color:var(--color-text-primary,#222);margin:{n % 9}px;display:flex}}"
        for n in range(CSS_BYTES // 64)
    )
    css = "".join(rules)
    image = "data:image/png;base64," + f"{number:04}AAAA" * (IMAGE_BYTES // 8)
    parts = ["mcpapps.connect({name: 'bench', version: '1'});"]
    size = len(bridge) + len(css) + len(image)
    while size < VIEW_BYTES:
        part = _block(number, len(parts))
        parts.append(part)
        size += len(part)
    code = "".join(parts)
    return _PAGE.format(number=number, css=css, image=image, bridge=bridge, code=code)


# As dense as the output of a minifier; N is replaced, so that no two blocks are alike.
_CODE = """\
function fN(e,t){const r=[];for(let i=0;i<e.length;i++){const o=e[i];if(o&&o.kind==="kN"||
t.has(o.id)){r.push({...o,label:`${o.id}:${t.get(o.id)??"-"}`,at:Date.now()-1})}else switch(o.type){
case"a":r.unshift(o.a?.b?.c);break;default:r.sort((a,b)=>a.n-b.n||/^x[\\w-]+\\/N$/.test(a.id)?1:-1)}}
return r.map(g=>g.run.apply(null,r)).filter(Boolean)}class CN extends Map{#s=null;get s(){return
this.#s}set(k,v){try{return super.set(k,fN(v,this))}catch(e){console.error(`CN`,e);throw e}}}
"""


def _block(number: int, block: int) -> str:
    return _CODE.replace("\n", " ").replace("N", f"{number}_{block}") + "\n"


def measure(saved: Path) -> tuple[float, float, float]:
    """Return seconds, seconds of CPU and the largest resident size of a process, in MB."""
    began, used = time.perf_counter(), _cpu_s()
    command = [sys.executable, "-m", "mcpapps_cli", "lint", "--inventory", str(saved)]
    subprocess.run(
        [*command, "--format", "json"], stdout=subprocess.DEVNULL, check=True, env=ENVIRON
    )
    return time.perf_counter() - began, _cpu_s() - used, _peak_mb()


def _cpu_s() -> float:
    """Return the CPU time of all processes that have ended, which no other program adds to."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def _peak_mb() -> float:
    # Of the largest process that has ended; kB on Linux, bytes on macOS.
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


_SMALL = """\
import json, sys
page = open("page.html", encoding="utf-8").read()
uri, mime = "ui://bench/view.html", "text/html;profile=mcp-app"
listing = {"uri": uri, "name": "view", "mimeType": mime}
tool = {"name": "t", "inputSchema": {"type": "object"}, "_meta": {"ui": {"resourceUri": uri}}}
answers = {
    "initialize": {"protocolVersion": "2025-11-25", "serverInfo": {"name": "b", "version": "1"},
                   "capabilities": {"tools": {}, "resources": {}}},
    "tools/list": {"tools": [tool]},
    "resources/list": {"resources": [listing]},
    "resources/read": {"contents": [{**listing, "text": page}]},
}
for line in sys.stdin:
    ask = json.loads(line)
    if "id" in ask and ask["method"] in answers:
        print(json.dumps({"jsonrpc": "2.0", "id": ask["id"], "result": answers[ask["method"]]}))
    elif "id" in ask:
        error = {"code": -32601, "message": "Method not found"}
        print(json.dumps({"jsonrpc": "2.0", "id": ask["id"], "error": error}))
    sys.stdout.flush()
"""


def _beyond_the_start(runs: int = 9) -> float:
    """Return ms that `lint` takes on a small server more than that server takes to start."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "server.py").write_text(_SMALL, encoding="utf-8")
        (folder / "page.html").write_text(
            _PAGE.format(number=1, css="", image="data:,", bridge="", code=bridge_script())
        )
        times: dict[str, list[float]] = {"start": [], "lint": []}
        ours = [sys.executable, "-m", "mcpapps_cli", "lint", "server.py"]
        for _ in range(runs):
            for key, command in (("start", [sys.executable, "server.py"]), ("lint", ours)):
                began = time.perf_counter()
                subprocess.run(
                    command,
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    check=False,
                    env=ENVIRON,
                )
                times[key].append((time.perf_counter() - began) * 1000)
    return statistics.median(times["lint"]) - statistics.median(times["start"])


def lint() -> int:
    """`mcpapps lint` on 1,000 tools with 200 Views of 200 kB; at most 10 s and 500 MB."""
    with tempfile.TemporaryDirectory() as folder:
        saved = {}
        for tools in (1000, 2000):
            saved[tools] = Path(folder) / f"{tools}.json"
            saved[tools].write_text(json.dumps(inventory(tools, tools // 5)), encoding="utf-8")
        one, used, megabytes = measure(saved[1000])
        two, twice, _ = measure(saved[2000])
    alone = _beyond_the_start()
    print(f"1000 tools, 200 Views   {one:6.1f} s    limit {LIMIT_S:.0f}, {used:.1f} s of CPU")
    print(f"largest process         {megabytes:6.0f} MB   limit {LIMIT_MB:.0f}")
    print(f"2000 tools, 400 Views   {two:6.1f} s    {twice:.1f} s of CPU")
    print(f"2000 against 1000       {two / one:6.2f}      limit {LIMIT_RATIO}")
    print(f"  the same, of CPU      {twice / used:6.2f}")
    print(f"one small server       {alone:7.0f} ms   beyond its start (limit {LIMIT_START_MS:.0f})")
    held = (
        alone <= LIMIT_START_MS
        and one <= LIMIT_S
        and megabytes <= LIMIT_MB
        and two / one <= LIMIT_RATIO
    )
    return 0 if held else 1
