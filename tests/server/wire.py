"""A server of this process on a real port, and our raw client on the other end."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn

from mcpapps_cli.model import Era, ServerSpec
from mcpapps_cli.rpc import Client, connect

both_eras = pytest.mark.parametrize("era", ["legacy", "modern"])


@asynccontextmanager
async def listening(mcp: Any) -> AsyncIterator[str]:
    """Serve streamable HTTP; yields the URL."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        config = uvicorn.Config(mcp.streamable_http_app(), log_level="critical", ws="none")
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        finally:
            server.should_exit = True
            await task


@asynccontextmanager
async def talking(mcp: Any, era: Era = "modern", *, ui: bool = True) -> AsyncIterator[Client]:
    """Serve, and connect as a host does, or without `ui` as one that shows no Views."""
    async with listening(mcp) as url, connect(ServerSpec(url=url), era=era, ui=ui) as client:
        yield client


async def one(client: Client, name: str) -> dict[str, Any]:
    """Return the `tools/list` entry of that name."""
    (tool,) = [tool for tool in await client.list_tools() if tool["name"] == name]
    return dict(tool)


async def content(client: Client, uri: str) -> dict[str, Any]:
    """Return the only content item of a `resources/read` result."""
    (item,) = (await client.read_resource(uri))["contents"]
    return dict(item)


async def text(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool and return the text of its only block."""
    (block,) = (await client.call_tool(tool, arguments))["content"]
    assert block["type"] == "text"
    return str(block["text"])
