"""Official example servers from npm under the strict default: nobody here wrote them."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from mcpapps_cli.stage.browser import headless
from tests.devlog import run_dev

PEERS = Path(__file__).resolve().parent / "node_modules" / "@modelcontextprotocol"
SERVERS = {
    "server-basic-vanillajs": "get-time",
    "server-basic-react": "get-time",
    "server-budget-allocator": "get-budget-data",
    "server-system-monitor": "get-system-info",
    "server-cohort-heatmap": "get-cohort-data",
}
LADDER = (
    *("server", "tool", "resource", "mime", "html", "frame"),
    *("initialize", "initialized", "input", "result", "painted"),
)


@pytest.mark.anyio
@pytest.mark.browser
@pytest.mark.node
@pytest.mark.parametrize("origin", ["opaque", "own"])
@pytest.mark.parametrize(("server", "tool"), SERVERS.items())
async def test_the_whole_ladder_is_climbed(server, tool, origin, tmp_path, chromium):
    command = shlex.join(["node", str(PEERS / server / "dist" / "index.js"), "--stdio"])
    async with run_dev("--command", command, cwd=tmp_path) as dev:
        assert tool in dev.ready["ui_tools"]
        async with headless(dev.url(tool, origin=origin), browser=chromium):
            await dev.wait("step", tool=tool, step="painted")
    steps = [(event["step"], event["state"]) for event in dev.events if event["event"] == "step"]
    assert steps == [(step, "ok") for step in LADDER]
