"""`file.py:object` in the user's interpreter, spoken to over the wire."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mcpapps_cli.config.target import resolve_target
from mcpapps_cli.errors import ServerError
from mcpapps_cli.inventory import take_inventory

HIGH = """
from mcp.server.mcpserver import MCPServer

{name} = MCPServer("high")

@{name}.tool()
def hello() -> str:
    return "hi"
"""
LOW = """
from mcp import types
from mcp.server.lowlevel import Server

async def list_tools(ctx, params):
    tool = types.Tool(name="low", input_schema={"type": "object"})
    return types.ListToolsResult(tools=[tool])

def build():
    return Server("low", on_list_tools=list_tools)
"""


async def tools(tmp_path: Path, source: str, target: str) -> list[str]:
    (tmp_path / "s.py").write_text(source)
    project = resolve_target(target, here=tmp_path, python=sys.executable)
    assert project.server is not None
    return [tool["name"] for tool in (await take_inventory(project.server)).tools]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("source", "target"),
    [
        (HIGH.format(name="mcp"), "s.py"),
        (HIGH.format(name="anything"), "s.py"),
        (HIGH.format(name="mine"), "s.py:mine"),
        (HIGH.format(name="class_") + "\nclass box: inner = class_\n", "s.py:box.inner"),
    ],
)
async def test_a_server_object_is_found_and_served(tmp_path, source, target):
    assert await tools(tmp_path, source, target) == ["hello"]


@pytest.mark.anyio
async def test_a_safe_path_is_the_users(tmp_path, monkeypatch):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "shared.py").write_text("")
    # `python s.py` would not find it either.
    (tmp_path / "secrets.py").write_text("raise SystemExit(7)")
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "lib"))
    source = "import secrets, shared\n" + HIGH.format(name="mcp")
    assert await tools(tmp_path, source, "s.py:mcp") == ["hello"]


@pytest.mark.anyio
async def test_a_factory_of_a_low_level_server_is_called(tmp_path):
    assert await tools(tmp_path, LOW, "s.py:build") == ["low"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("source", "target", "line"),
    [
        ("x = 1\n", "s.py", '"s.py" has no server'),
        ("x = 1\n", "s.py:y", '"s.py" has no "y"'),
        ("x = 1\n", "s.py:x", "int is no MCP server object"),
        (HIGH.format(name="a") + "b = MCPServer('b')\n", "s.py", "several servers: a, b"),
        ("import nothing_like_this\n", "s.py:x", "No module named 'nothing_like_this'"),
    ],
)
async def test_a_file_without_a_usable_server_is_a_users_error(tmp_path, source, target, line):
    with pytest.raises(ServerError) as caught:
        await tools(tmp_path, source, target)
    assert any(line in text for text in caught.value.details)
