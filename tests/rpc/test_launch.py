"""A server that is started and then reached over HTTP."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent

import pytest

from mcpapps_cli.errors import ServerError
from mcpapps_cli.model import ServerSpec
from mcpapps_cli.rpc import connect

pytestmark = pytest.mark.anyio
SERVER = """
    import os
    from mcp.server.mcpserver import MCPServer

    mcp = MCPServer("there")
    print("stdout of a server over HTTP is no protocol", flush=True)
    mcp.run("streamable-http", host="127.0.0.1", port=int(os.environ["PORT"]))
"""


def spec(folder: Path, program: str) -> ServerSpec:
    (folder / "server.py").write_text(dedent(program), encoding="utf-8")
    return ServerSpec(
        command=(sys.executable, "server.py"),
        cwd=folder,
        url="http://127.0.0.1:{port}/mcp",
        label="python server.py",
    )


async def test_it_is_started_and_reached_at_its_port(tmp_path: Path) -> None:
    async with connect(spec(tmp_path, SERVER), timeout=60) as client:
        assert client.server_info["name"] == "there"


async def test_one_that_ends_is_told_with_its_stderr(tmp_path: Path) -> None:
    with pytest.raises(ServerError) as caught:
        async with connect(spec(tmp_path, "raise SystemExit('no key')"), timeout=60):
            pass
    assert "ended with exit code 1 before it answered" in caught.value.message
    assert "no key" in caught.value.details
