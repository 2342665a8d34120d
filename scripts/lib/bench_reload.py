"""From save to seen: `mcpapps dev` under edits, with a client that calls without pause."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

from mcpapps_cli.errors import McpAppsError
from mcpapps_cli.model import ServerSpec
from mcpapps_cli.rpc import Client, connect
from mcpapps_cli.stage.browser import HEADLESS_FLAGS, find_browser

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.sdks import CACHE, REQUIREMENTS, kept_env, sdk_env

EDITS = int(os.environ.get("MCPAPPS_BENCH_EDITS", "20"))
GAPS = (0.3, 1.0, 3.0)
BURST = 5
ESBUILD = Path(__file__).resolve().parents[2] / "bridge_assets" / "node_modules" / ".bin"
"""Where the esbuild is that builds the TypeScript View."""
SEEN_WITHIN = 30.0
TEXT = "edit number "


class Figures:
    """Times in milliseconds, and how they compare with what is allowed."""

    def __init__(self) -> None:
        self.failed = False
        self.medians: dict[str, float] = {}

    def show(self, what: str, times: list[float], limit: float | None = None) -> None:
        if not times:
            print(f"{what:<44} nothing was seen", flush=True)
            self.failed = True
            return
        ordered = sorted(times)
        median = self.medians[what] = statistics.median(ordered)
        late = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
        bound = f"   (limit {limit:.0f})" if limit is not None else ""
        print(f"{what:<44} median {median:5.0f} ms   95th {late:5.0f} ms{bound}", flush=True)
        self.failed |= limit is not None and median > limit


class Calls:
    """Calls a tool without pause, and counts those that fail."""

    def __init__(self, client: Client):
        self.done = 0
        self.faults: list[str] = []
        self._client = client
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            try:
                await self._client.call_tool("show_daylight", {"place": "Tokyo"})
                self.done += 1
            except McpAppsError as exc:
                self.faults.append(exc.message)
                await asyncio.sleep(0)

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


@asynccontextmanager
async def dev(project: Path):
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "mcpapps_cli", "dev", "--json-log", "--no-open", "--share-mcp"),
        *("--python", str(server_python())),
        cwd=project,
        env={**os.environ, "PATH": f"{ESBUILD}{os.pathsep}{os.environ['PATH']}"},
        stdout=asyncio.subprocess.PIPE,
        limit=2**26,
    )
    painted: asyncio.Queue[float] = asyncio.Queue()
    assert process.stdout is not None
    ready = json.loads(await process.stdout.readline())

    async def read() -> None:
        while line := await process.stdout.readline():
            event = json.loads(line)
            if event["event"] == "step" and event["step"] == "painted":
                painted.put_nowait(time.perf_counter())

    reading = asyncio.create_task(read())
    try:
        yield ready, painted
    finally:
        process.terminate()
        await process.wait()
        reading.cancel()


def server_python() -> Path:
    """Return an interpreter with mcp 2 and pandas."""
    return kept_env(CACHE / "mcp-2-pandas", REQUIREMENTS["mcp-2"], "pandas")


def scaffold(folder: Path, *, pandas: bool = False) -> Path:
    subprocess.run(
        [sys.executable, "-m", "mcpapps_cli", "new", "hello", "--yes"],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    project = folder / "hello"
    if pandas:
        server = project / "hello" / "server.py"
        server.write_text(server.read_text().replace("import sys\n", "import sys\nimport pandas\n"))
    return project


def in_typescript(project: Path) -> None:
    """Let the View's script be one that only esbuild can read."""
    folder = project / "views" / "daylight"
    script = (folder / "view.js").read_text(encoding="utf-8")
    (folder / "view.js").unlink()
    typed = f"{script}\nconst loaded: number = performance.now();\nvoid loaded;\n"
    (folder / "view.ts").write_text(typed, encoding="utf-8")
    page = folder / "index.html"
    text = page.read_text(encoding="utf-8").replace('src="view.js"', 'src="view.ts"')
    page.write_text(text, encoding="utf-8")


class Edited:
    """A file with a place that says which edit this is."""

    def __init__(self, file: Path, mark: str):
        self._file = file
        self._text = file.read_text(encoding="utf-8")
        assert mark in self._text
        self._mark = mark
        self.number = 0

    def edit(self) -> str:
        self.number += 1
        word = f"{TEXT}{self.number}."
        # As editors do it: a new file takes the old one's place.
        beside = self._file.with_name(self._file.name + ".tmp~")
        beside.write_text(self._text.replace(self._mark, self._mark + word), encoding="utf-8")
        beside.replace(self._file)
        return word


async def measure(
    edited: Edited, seen: Callable[[str], Awaitable[float]], gap: float, edits: int
) -> list[float]:
    """Return the milliseconds of each edit; `seen` returns when its word was seen."""
    times = []
    for _ in range(edits):
        began = time.perf_counter()
        word = edited.edit()
        async with asyncio.timeout(SEEN_WITHIN):
            times.append((await seen(word) - began) * 1000)
        await asyncio.sleep(max(0.0, began + gap - time.perf_counter()))
    return times


async def measure_burst(edited: Edited, seen: Callable[[str], Awaitable[float]]) -> list[float]:
    times = []
    for _ in range(max(EDITS // BURST, 1)):
        for _ in range(BURST):
            began = time.perf_counter()
            word = edited.edit()
            await asyncio.sleep(0.05)
        async with asyncio.timeout(SEEN_WITHIN):
            times.append((await seen(word) - began) * 1000)
        await asyncio.sleep(2.0)
    return times


async def server_edits(figures: Figures, title: str, *, pandas: bool, gaps: tuple[float, ...]):
    with tempfile.TemporaryDirectory() as folder:
        project = scaffold(Path(folder), pandas=pandas)
        edited = Edited(project / "hello" / "server.py", '"""Show how many hours')
        async with dev(project) as (ready, _):
            spec = ServerSpec(url=ready["mcp"])
            async with connect(spec) as client, connect(spec) as caller:

                async def seen(word: str) -> float:
                    while not any(
                        word in tool["description"] for tool in await client.list_tools()
                    ):
                        await asyncio.sleep(0)
                    return time.perf_counter()

                calls = Calls(caller)
                try:
                    await asyncio.sleep(3.0)
                    for gap in gaps:
                        times = await measure(edited, seen, gap, EDITS)
                        limit = 150 if gap == 1.0 else None
                        figures.show(f"{title}, {gap:g} s apart", times, limit)
                    if not pandas:
                        times = await measure_burst(edited, seen)
                        figures.show(f"{title}, bursts of {BURST}", times)
                finally:
                    await calls.stop()
        print(f"{'':<44} {calls.done} calls meanwhile, {len(calls.faults)} failed", flush=True)
        figures.failed |= bool(calls.faults)


async def view_edits(
    figures: Figures,
    title: str,
    gaps: tuple[float, ...],
    limit: float,
    prepare: Callable[[Path], None] = lambda project: None,
) -> None:
    from playwright.async_api import async_playwright

    browser = find_browser()
    if browser is None:
        print(f"{title}: not measured (no Chromium)")
        return
    with tempfile.TemporaryDirectory() as folder:
        project = scaffold(Path(folder))
        prepare(project)
        edited = Edited(project / "views" / "daylight" / "index.html", "<label>Place")
        root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        flags = [flag for flag in HEADLESS_FLAGS if flag != "--headless"]
        async with dev(project) as (ready, painted), async_playwright() as playwright:
            chromium = await playwright.chromium.launch(
                executable_path=str(browser), args=[*flags, *root]
            )
            page = await chromium.new_page()
            args = quote(json.dumps({"place": "Tokyo"}))
            await page.goto(f"{ready['url']}&tool=show_daylight&args={args}")
            await painted.get()
            # Not the frame in reserve, nor one that is going.
            turn = page.frame_locator("view-turn iframe:not(.spare, .leaving)")
            view = turn.frame_locator("iframe").locator(":root")

            async def seen(word: str) -> float:
                while True:
                    at = await painted.get()
                    # Asked for only now: it costs the browser time.
                    if word in await view.inner_text(timeout=5000):
                        return at

            for gap in gaps:
                times = await measure(edited, seen, gap, EDITS)
                figures.show(f"{title}, {gap:g} s apart", times, limit if gap == 1.0 else None)
            await chromium.close()


async def fastmcp_edits(figures: Figures) -> None:
    fastmcp = sdk_env("fastmcp-4").with_name("fastmcp")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "server.py"
        file.write_text(
            "from fastmcp import FastMCP\n\nmcp = FastMCP('x')\n\n\n@mcp.tool\n"
            "def show_daylight(place: str) -> str:\n"
            '    """Show how many hours"""\n    return place\n'
        )
        edited = Edited(file, '"""Show how many hours')
        process = await asyncio.create_subprocess_exec(
            *(str(fastmcp), "run", "server.py", "--transport", "http", "--port", "8765"),
            "--reload",
            cwd=folder,
            # It starts itself again by its name.
            env={**os.environ, "PATH": f"{fastmcp.parent}:{os.environ['PATH']}"},
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        refused = 0

        async def seen(word: str) -> float:
            nonlocal refused
            while True:
                try:
                    spec = ServerSpec(url="http://127.0.0.1:8765/mcp")
                    async with connect(spec, timeout=5) as client:
                        if any(word in tool["description"] for tool in await client.list_tools()):
                            return time.perf_counter()
                except McpAppsError:
                    refused += 1
                await asyncio.sleep(0.01)

        try:
            async with asyncio.timeout(60):
                await seen("Show how many hours")
            refused = 0
            times = await measure(edited, seen, 1.0, max(EDITS // 4, 3))
            figures.show("fastmcp run --reload, server, 1 s apart", times)
            ratio = statistics.median(times) / figures.medians["server, 1 s apart"]
            print(f"{'':<44} {refused} polls refused; {ratio:.0f} times as long", flush=True)
        finally:
            # Its server is in a session of its own, and only it ends that.
            process.send_signal(signal.SIGINT)
            try:
                await asyncio.wait_for(process.wait(), 10)
            except TimeoutError:
                process.kill()


def reload() -> int:
    """Median and 95th percentile from a save to what a client, or the screen, shows."""
    figures = Figures()
    print(load())

    async def run() -> None:
        await server_edits(figures, "server", pandas=False, gaps=GAPS)
        await server_edits(figures, "server with pandas", pandas=True, gaps=(1.0,))
        await view_edits(figures, "plain View", GAPS, 150)
        if (ESBUILD / "esbuild").exists():
            await view_edits(figures, "TypeScript View", (1.0,), 250, in_typescript)
        else:
            print("TypeScript View: not measured; npm ci in bridge_assets brings esbuild")
        await fastmcp_edits(figures)

    asyncio.run(run())
    print(load())
    return 1 if figures.failed else 0


def load() -> str:
    """Return how busy the machine is; figures under load say little."""
    if not hasattr(os, "getloadavg"):
        return "load unknown"
    return f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
