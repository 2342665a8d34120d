"""Server objects of this process, of every SDK, spoken to without a process or a socket."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from mcp.server.lowlevel import Server as LowLevelServer
from mcp.server.mcpserver import MCPServer

from mcpapps_cli.errors import UserError
from mcpapps_cli.model import EraChoice
from mcpapps_cli.testing.loop import Held, Loop
from mcpapps_cli.testing.memory import connect_in_memory
from mcpapps_cli.testing.server import open_server
from tests.sdks import sdk_env

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import asyncio, sys
{make}

@mcp.tool()
def add(a: int, b: int) -> int:
    return a + b

async def main():
    from mcpapps_cli.testing.memory import connect_in_memory
    async with connect_in_memory(mcp) as client:
        result = await client.call_tool("add", {{"a": 1, "b": 2}})
        print([tool["name"] for tool in await client.list_tools()], result["content"][0]["text"])

asyncio.run(main())
"""
MAKES = {
    "mcp-1": 'from mcp.server.fastmcp import FastMCP; mcp = FastMCP("one")',
    "mcp-2": 'from mcp.server.mcpserver import MCPServer; mcp = MCPServer("two")',
    "fastmcp-4": 'from fastmcp import FastMCP; mcp = FastMCP("four")',
}


@pytest.mark.parametrize("sdk", MAKES)
def test_k113_a_server_of_each_sdk_is_spoken_to_in_memory(sdk: str) -> None:
    done = subprocess.run(
        [sdk_env(sdk), "-c", SCRIPT.format(make=MAKES[sdk])],
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "['add'] 3\n", done.stderr


@pytest.mark.anyio
@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_both_eras_are_spoken(era: EraChoice) -> None:
    async with connect_in_memory(MCPServer("two"), era=era) as client:
        assert (client.era, client.server_info["name"]) == (era, "two")


@pytest.mark.anyio
async def test_a_function_that_makes_a_server_and_a_low_level_one_will_do() -> None:
    async with connect_in_memory(lambda: MCPServer("made")) as client:
        assert client.server_info["name"] == "made"
    async with connect_in_memory(LowLevelServer("low")) as client:
        assert client.server_info["name"] == "low"


@pytest.mark.anyio
async def test_something_else_is_refused_with_its_type() -> None:
    with pytest.raises(UserError, match='"int" is no MCP server object'):
        async with connect_in_memory(3):
            pass


def test_a_session_of_its_own_is_another_one() -> None:
    seen: list[int] = []
    mcp = MCPServer("two")

    @mcp.tool()
    def look() -> str:
        seen.append(1)
        return "seen"

    loop = Loop()
    held = Held(loop, open_server(mcp))
    params = {"name": "look", "arguments": {}}
    result = loop.run(held.value.request("tools/call", params, new_session=True))
    held.release()
    loop.close()
    assert result["content"][0]["text"] == "seen"
    assert seen == [1]


def test_what_entering_raises_is_raised_where_it_is_held() -> None:
    loop = Loop()
    with pytest.raises(UserError):
        Held(loop, open_server(object()))
    loop.close()
