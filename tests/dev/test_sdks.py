"""Servers on each SDK, and one that is no Python, all reload under `mcpapps dev`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.dev.conftest import SERVER
from tests.dev.test_process import Traces, standby_is_there
from tests.devlog import run_dev
from tests.sdks import sdk_env

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="reads /proc"),
]
SDKS = {
    "mcp-1": "from mcp.server.fastmcp import FastMCP as Server",
    "mcp-2": "from mcp.server.mcpserver import MCPServer as Server",
    "fastmcp-4": "from fastmcp import FastMCP as Server",
}
PYTHON = """{line}

server = Server("x")


@server.tool()
def first(place: str) -> str:
    return place


server.run()
"""
NODE = """
const answer = (message, result) =>
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...result }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.method === "initialize") {
    const serverInfo = { name: "node", version: "1" };
    const capabilities = { tools: {} };
    answer(message, { result: { protocolVersion: "2025-11-25", serverInfo, capabilities } });
  } else if (message.method === "tools/list") {
    answer(message, { result: { tools: [{ name: "first", inputSchema: { type: "object" } }] } });
  } else if (message.id !== undefined) {
    answer(message, { error: { code: -32601, message: "Method not found" } });
  }
});
"""


@pytest.fixture
def traces(monkeypatch: pytest.MonkeyPatch) -> Traces:
    return Traces(monkeypatch)


def rename(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize("sdk", SDKS)
async def test_a_server_of_each_sdk_reloads_from_a_standby(sdk, tmp_path, traces):
    python = sdk_env(sdk)
    file = tmp_path / "server.py"
    file.write_text(PYTHON.format(line=SDKS[sdk]))
    async with run_dev("server.py", "--python", str(python), cwd=tmp_path) as dev:
        assert dev.ready["tools"] == ["first"]
        for old, new in (("first", "second"), ("second", "third")):
            await standby_is_there(dev, traces)
            rename(file, f"def {old}", f"def {new}")
            ready = await dev.wait("server-ready")
            assert (ready["tools"], ready["warm"]) == ([new], True)
    assert traces.pids() == []


async def test_a_node_server_reloads(tmp_path, traces):
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node")
    file = tmp_path / "server.js"
    file.write_text(NODE)
    async with run_dev("--command", f"{node} server.js", cwd=tmp_path) as dev:
        assert dev.ready["tools"] == ["first"]
        rename(file, '"first"', '"second"')
        ready = await dev.wait("server-ready")
        assert (ready["tools"], ready["warm"]) == (["second"], False)
    assert traces.pids() == []


async def test_an_installed_editable_package_is_followed(tmp_path, traces):
    """`pip install --editable` in an environment of the project's own."""
    sibling, project = tmp_path / "sibling", tmp_path / "project"
    (sibling / "side").mkdir(parents=True)
    project.mkdir()
    (sibling / "side" / "__init__.py").write_text('NAME = "first"\n')
    (sibling / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
        '[project]\nname = "side"\nversion = "1"\n'
        '[tool.hatch.build.targets.wheel]\ndev-mode-dirs = ["."]\n'
    )
    venv.create(project / ".venv", with_pip=False, symlinks=True)
    python = project / ".venv" / "bin" / "python"
    options = ("--quiet", "--no-build-isolation", "--no-deps", "--no-index")
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "install", *options, "-e", sibling],
        # Its build backend is ours.
        env={**os.environ, "PYTHONPATH": sysconfig.get_path("purelib")},
        check=True,
    )
    server = SERVER.replace('NAME = "first"', "from side import NAME")
    (project / "server.py").write_text(server)
    async with run_dev("server.py", cwd=project) as dev:
        assert dev.ready["tools"] == ["first"]
        rename(sibling / "side" / "__init__.py", "first", "second")
        assert (await dev.wait("server-ready"))["tools"] == ["second"]
        # A file of it that is new counts, too.
        (sibling / "side" / "more.py").write_text('NAME = "third"\n')
        rename(sibling / "side" / "__init__.py", 'NAME = "second"', "from side.more import NAME")
        while (await dev.wait("server-ready"))["tools"] != ["third"]:
            pass
