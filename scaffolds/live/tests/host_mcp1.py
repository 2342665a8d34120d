"""A host in this process: asks the server, and gives back the JSON that it would send."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp import ClientSession
from mcp.server.fastmcp import FastMCP
from mcp.shared.memory import create_connected_server_and_client_session
from pydantic import AnyUrl, BaseModel

PATIENCE = 30
"""Seconds after which a test gives up."""


class Host:
    def __init__(self, client: ClientSession):
        self._client = client

    async def list_tools(self) -> dict[str, Any]:
        tools = _json(await self._client.list_tools())["tools"]
        return {tool["name"]: tool for tool in tools}

    async def list_resources(self) -> list[dict[str, Any]]:
        return _json(await self._client.list_resources())["resources"]

    async def read_resource(self, uri: str) -> dict[str, Any]:
        [content] = _json(await self._client.read_resource(AnyUrl(uri)))["contents"]
        return content

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return _json(await self._client.call_tool(name, arguments))


@asynccontextmanager
async def connect(server: FastMCP) -> AsyncIterator[Host]:
    with anyio.fail_after(PATIENCE):
        async with create_connected_server_and_client_session(server._mcp_server) as client:
            yield Host(client)


def _json(answer: BaseModel) -> Any:
    return answer.model_dump(mode="json", by_alias=True, exclude_none=True)
