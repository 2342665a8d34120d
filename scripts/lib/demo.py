"""The tour behind scripts/demo: new, bundle, lint, dev; `--check` drives the View and exits."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from mcpapps_cli.stage.browser import find_browser, headless
from mcpapps_cli.words import count

MCPAPPS = (sys.executable, "-m", "mcpapps_cli")
DEADLINE = 60.0
"""Seconds from the start of dev to the painted View."""


def run(*args: str, cwd: Path) -> None:
    print(f"\n$ mcpapps {' '.join(args)}", flush=True)
    status = subprocess.run([*MCPAPPS, *args], cwd=cwd, check=False).returncode
    if status:
        raise SystemExit(f"mcpapps {args[0]} ended with {status}")


async def check(project: Path) -> int:
    browser = find_browser()
    print("\n$ mcpapps dev --json-log", flush=True)
    dev = await asyncio.create_subprocess_exec(
        *MCPAPPS, "dev", "--json-log", "--no-open", cwd=project, stdout=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(DEADLINE):
            return await watch(dev, browser)
    except TimeoutError:
        print(f"no painted View within {DEADLINE:.0f} s")
        return 1
    finally:
        if dev.returncode is None:
            dev.terminate()
        await dev.wait()


async def watch(dev: asyncio.subprocess.Process, browser: Path | None) -> int:
    ready = await next_event(dev, "ready")
    if ready is None:
        return 1
    tools = count(len(ready["tools"]), "tool")
    print(f"ready: {tools} at {ready['url'].split('?')[0]}", flush=True)
    if browser is None:
        print("painted: not checked (no Chromium)")
        return 0
    tool = ready["ui_tools"][0]
    async with headless(f"{ready['url']}&tool={quote(tool)}&args={quote('{}')}", browser=browser):
        while (step := await next_event(dev, "step")) is not None:
            cause = f" ({step['cause']})" if step.get("cause") else ""
            print(f"{step['step']}: {step['state']}{cause}", flush=True)
            if step["state"] == "broken":
                return 1
            if step["step"] == "painted":
                return 0 if step["state"] == "ok" else 1
    return 1


async def next_event(dev: asyncio.subprocess.Process, name: str) -> dict | None:
    assert dev.stdout is not None
    while line := await dev.stdout.readline():
        event = json.loads(line)
        if event["event"] == name:
            return event
    return None


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        with tempfile.TemporaryDirectory() as folder:
            project = scaffold(Path(folder))
            return asyncio.run(check(project))
    if sys.argv[1:]:
        print("usage: scripts/demo [--check]", file=sys.stderr)
        return 2
    root = Path(__file__).resolve().parent.parent.parent / "demo"
    project = root / "hello" if (root / "hello").is_dir() else scaffold(root)
    print("\n$ mcpapps dev     (Ctrl-C ends it)", flush=True)
    return subprocess.run([*MCPAPPS, "dev"], cwd=project, check=False).returncode


def scaffold(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    run("new", "hello", "--yes", cwd=folder)
    run("bundle", cwd=folder / "hello")
    run("lint", cwd=folder / "hello")
    return folder / "hello"


if __name__ == "__main__":
    sys.exit(main())
