"""From `mcpapps dev` to the first painted View, and how much memory it takes itself."""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import bench_reload

from mcpapps_cli.stage.browser import HEADLESS_FLAGS, find_browser

RUNS = int(os.environ.get("MCPAPPS_BENCH_RUNS", "5"))
SECONDS, MEGABYTES = 2.5, 100


def resident(pid: int) -> float:
    """Return the resident memory of one process in MB, without its children."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return float("nan")
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1000


async def once(project: Path, page) -> tuple[float, float, float]:
    began = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "mcpapps_cli", "dev", "--json-log", "--no-open"),
        *("--python", str(bench_reload.server_python())),
        cwd=project,
        stdout=asyncio.subprocess.PIPE,
        limit=2**26,
    )
    assert process.stdout is not None
    try:
        ready = json.loads(await process.stdout.readline())
        ready_after = time.perf_counter() - began
        args = quote(json.dumps({"place": "Tokyo"}))
        opening = asyncio.create_task(page.goto(f"{ready['url']}&tool=show_daylight&args={args}"))
        while line := await process.stdout.readline():
            event = json.loads(line)
            if event["event"] == "step" and event["step"] == "painted":
                break
        painted_after = time.perf_counter() - began
        await opening
        # The rules have run once by then, which is the most that it holds.
        await asyncio.sleep(3)
        return ready_after, painted_after, resident(process.pid)
    finally:
        process.terminate()
        await process.wait()


def start() -> int:
    """The vanilla template's first paint, and `dev`'s own resident memory."""

    async def run() -> int:
        from playwright.async_api import async_playwright

        browser = find_browser()
        if browser is None:
            print("start: not measured (no Chromium)")
            return 0
        root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        flags = [flag for flag in HEADLESS_FLAGS if flag != "--headless"]
        with tempfile.TemporaryDirectory() as folder:
            project = bench_reload.scaffold(Path(folder))
            async with async_playwright() as playwright:
                chromium = await playwright.chromium.launch(
                    executable_path=str(browser), args=[*flags, *root]
                )
                page = await chromium.new_page()
                await once(project, page)
                found = [await once(project, page) for _ in range(RUNS)]
                await chromium.close()
        print(bench_reload.load())
        ready, painted, memory = (statistics.median(column) for column in zip(*found, strict=True))
        print(f"mcpapps dev to ready              {ready:6.2f} s")
        print(f"mcpapps dev to the first paint    {painted:6.2f} s    (limit {SECONDS})")
        print(f"its own resident memory           {memory:6.0f} MB   (limit {MEGABYTES})")
        return 0 if painted <= SECONDS and not memory > MEGABYTES else 1

    return asyncio.run(run())
