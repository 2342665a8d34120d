"""A host in this process: asks the server, and gives back the JSON that it would send."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp import Client
from mcp.server.mcpserver import MCPServer
from pydantic import BaseModel

PATIENCE = 30
"""Seconds after which a test gives up."""


class Host:
    def __init__(self, client: Client):
        self._client = client

    async def list_tools(self) -> dict[str, Any]:
        tools = _json(await self._client.list_tools())["tools"]
        return {tool["name"]: tool for tool in tools}

    async def list_resources(self) -> list[dict[str, Any]]:
        return _json(await self._client.list_resources())["resources"]

    async def read_resource(self, uri: str) -> dict[str, Any]:
        [content] = _json(await self._client.read_resource(uri))["contents"]
        return content

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return _json(await self._client.call_tool(name, arguments))


@asynccontextmanager
async def connect(server: MCPServer) -> AsyncIterator[Host]:
    with anyio.fail_after(PATIENCE):
        async with Client(server) as client:
            yield Host(client)


def _json(answer: BaseModel) -> Any:
    return answer.model_dump(mode="json", by_alias=True, exclude_none=True)
