"""`mcpapps dev --json-log` as a child process whose events a test waits for; each one is valid."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jsonschema import Draft202012Validator

DEADLINE = 60.0
SCHEMA = json.loads(
    (Path(__file__).parents[1] / "docs" / "dev-events.schema.json").read_text(encoding="utf-8")
)
_VALIDATOR = Draft202012Validator(SCHEMA)


class DevLog:
    """The events that a running `dev` has printed, and a way to wait for the next one."""

    def __init__(self, process: asyncio.subprocess.Process):
        self.process = process
        self.events: list[dict[str, Any]] = []
        self.ready: dict[str, Any] = {}

    async def wait(self, event: str, **wanted: Any) -> dict[str, Any]:
        """Return the next event with these members; fail with all that came instead."""
        assert self.process.stdout is not None
        try:
            async with asyncio.timeout(DEADLINE):
                while line := await self.process.stdout.readline():
                    found = json.loads(line)
                    self.events.append(found)
                    _VALIDATOR.validate(found)
                    if found["event"] == event and wanted.items() <= found.items():
                        return found
        except TimeoutError:
            pass
        seen = "\n".join(str(item)[:200] for item in self.events)
        raise AssertionError(f"no {event} {wanted} in:\n{seen}")

    def url(self, tool: str, args: Any = None, **more: str) -> str:
        """Return the address that calls a tool and shows its View."""
        query = {"tool": tool, "args": json.dumps(args or {}), **more}
        tail = "".join(f"&{key}={quote(value)}" for key, value in query.items())
        return str(self.ready["url"]) + tail


@asynccontextmanager
async def run_dev(
    *args: str,
    cwd: Path,
    python: Path = Path(sys.executable),
    env: Mapping[str, str] = os.environ,
) -> AsyncIterator[DevLog]:
    """Start `mcpapps dev` in `cwd`, wait until it is ready, end it with the block."""
    process = await asyncio.create_subprocess_exec(
        *(python, "-m", "mcpapps_cli", "dev", "--json-log", "--no-open", *args),
        cwd=cwd,
        env=env,
        stdout=asyncio.subprocess.PIPE,
        limit=2**26,
    )
    log = DevLog(process)
    try:
        log.ready = await log.wait("ready")
        yield log
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
        # Python 3.11 leaves the pipe to the collector, which pytest turns into an error.
        process._transport.close()  # type: ignore[attr-defined]
