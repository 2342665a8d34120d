"""The server under test: its connection, what it offers, and what a stage needs of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from difflib import get_close_matches
from typing import Any

from mcpapps_cli.errors import RpcError, UserError
from mcpapps_cli.inventory import read_inventory, read_resource
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.model import EraChoice, Inventory, JsonObject, Resource, ServerSpec
from mcpapps_cli.rpc import Client, connect, reserve_id
from mcpapps_cli.testing.memory import connect_in_memory
from mcpapps_cli.wire import TOOLS_CALL


class Server:
    """A connected server; a `stage.Backend`.

    Args:
        client: The connection.
        inventory: What it offers.
        label: How it is shown.
        timeout: Seconds for each answer, except of a tool, which may take as long as it likes.
        connect: Connects once more, to a session of its own.
    """

    def __init__(
        self,
        client: Client,
        inventory: Inventory,
        *,
        label: str,
        timeout: float,
        connect: Callable[[], AbstractAsyncContextManager[Client]],
    ):
        self.name = str(inventory.server_info.get("name") or "server")
        self.label = label
        self.client = client
        self._inventory = inventory
        self._timeout = timeout
        self._connect = connect

    def inventory(self) -> Inventory:
        """Return what the server offered when it was connected."""
        return self._inventory

    def reserve_id(self, method: str, params: JsonObject) -> int:
        """Return the id that a request to come will have; see `Backend`."""
        return reserve_id()

    async def request(
        self,
        method: str,
        params: JsonObject,
        *,
        request_id: int | None = None,
        on_progress: Callable[[JsonObject], None] | None = None,
        new_session: bool = False,
    ) -> JsonObject:
        """Return the result of one request; see `Backend`."""
        timeout = None if method == TOOLS_CALL else self._timeout
        if new_session:
            async with self._connect() as client:
                return await client.request(
                    method,
                    params,
                    request_id=request_id,
                    timeout=timeout,
                    on_progress=on_progress,
                )
        return await self.client.request(
            method, params, request_id=request_id, timeout=timeout, on_progress=on_progress
        )

    async def resource(self, uri: str) -> Resource:
        """Read a UI resource afresh; see `Backend`."""
        found = self._inventory.resources
        listing = next((one.listing for one in found if one.uri == uri), None)
        resource, skip = await read_resource(
            self.client, uri, listing=listing, timeout=self._timeout
        )
        if skip is not None and resource.content is None:
            raise RpcError(-32602, skip.reason)
        return resource

    def tool(self, name: str) -> JsonObject:
        """Return the raw `tools/list` entry of that name.

        Raises:
            UserError: there is none; `help` names the closest one.
        """
        tools = {str(tool.get("name")): tool for tool in self._inventory.tools}
        if name not in tools:
            close = get_close_matches(name, tools, 1)
            known = ", ".join(tools) or "none"
            raise UserError(
                f'the server has no tool "{name}"',
                help=f'did you mean "{close[0]}"?' if close else f"its tools: {known}",
            )
        return tools[name]

    def view_of(self, name: str) -> str:
        """Return the URI of a tool's View.

        Raises:
            UserError: there is no such tool, or it has no View.
        """
        uri = apps_metadata(self.tool(name)).resource_uri
        if uri is None:
            with_view = [
                str(tool.get("name"))
                for tool in self._inventory.tools
                if apps_metadata(tool).resource_uri is not None
            ]
            raise UserError(
                f'the tool "{name}" has no View',
                help=f"tools with one: {', '.join(with_view) or 'none'}",
            )
        return uri


@asynccontextmanager
async def open_server(
    what: ServerSpec | Any,
    *,
    era: EraChoice = "auto",
    timeout: float = 15.0,
    on_stderr: Callable[[str], None] | None = None,
) -> AsyncIterator[Server]:
    """Start or reach a server and ask what it offers; leaving the block ends it.

    Args:
        what: A resolved server, or a server object of this process.
        era: Which handshake to use.
        timeout: Seconds for the start, each list, each resource and each answer but a tool's.
        on_stderr: Called with each line of a started server's stderr.

    Raises:
        ServerError: it did not start, answer or speak MCP; `details` has its last stderr lines.
        UserError: `what` is no server.
    """

    def connection() -> AbstractAsyncContextManager[Client]:
        if isinstance(what, ServerSpec):
            return connect(what, era=era, timeout=timeout, on_stderr=on_stderr)
        return connect_in_memory(what, era=era, timeout=timeout)

    started = isinstance(what, ServerSpec)
    label = what.label if started else f"{type(what).__name__} in memory"
    async with connection() as client:
        inventory = await read_inventory(client, timeout=timeout)
        yield Server(client, inventory, label=label, timeout=timeout, connect=connection)
