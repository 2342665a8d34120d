"""A connected MCP client that gives raw JSON, in either era."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from mcpapps_cli import wire
from mcpapps_cli.errors import RpcError, ServerError
from mcpapps_cli.model import Era, JsonObject
from mcpapps_cli.rpc.handshake import Agreement, request_meta
from mcpapps_cli.rpc.limits import DEFAULT_LIMITS, Limits
from mcpapps_cli.rpc.peer import Peer
from mcpapps_cli.words import cut


@dataclass(frozen=True, slots=True)
class Listing:
    """The entries of every page of one list.

    Attributes:
        entries: Raw entries in the server's order; those that are no objects are left out.
        faults: What is missing and why; empty when the list is whole.
    """

    entries: tuple[JsonObject, ...]
    faults: tuple[str, ...] = ()


class Client:
    """Made by `connect`; every answer is the server's JSON as received.

    Attributes:
        era: Which handshake was used.
        protocol_version: The core revision agreed on; empty if the server named none.
        server_info: `serverInfo` as received.
        capabilities: The server's capabilities as received.
        instructions: The server's instructions for a model, or None.
    """

    def __init__(
        self,
        peer: Peer,
        agreement: Agreement,
        *,
        ui: bool = True,
        timeout: float = 15.0,
        limits: Limits = DEFAULT_LIMITS,
        stderr_tail: Callable[[], Sequence[str]] = tuple,
    ):
        self.era: Era = agreement.era
        self.protocol_version = agreement.protocol_version
        self.server_info = agreement.server_info
        self.capabilities = agreement.capabilities
        self.instructions = agreement.instructions
        self._peer = peer
        self._ui = ui
        self._timeout = timeout
        self._limits = limits
        self._stderr_tail = stderr_tail

    @property
    def noise(self) -> Sequence[str]:
        """The first stdout lines that were no JSON-RPC."""
        return tuple(self._peer.noise)

    @property
    def stderr_tail(self) -> Sequence[str]:
        """The last stderr lines, oldest first; empty over HTTP."""
        return tuple(self._stderr_tail())

    @property
    def gone_reason(self) -> str | None:
        """Why the server is gone, or None while it is there."""
        return self._peer.gone_reason

    async def request(
        self,
        method: str,
        params: JsonObject | None = None,
        *,
        request_id: int | None = None,
        timeout: float | None = None,
        on_progress: Callable[[JsonObject], None] | None = None,
    ) -> JsonObject:
        """Send a request and return its result, `resultType` included.

        Cancelling the awaiting task, and a time-out, tell the server to cancel.

        Args:
            method: The method.
            params: Its params; in the modern era the protocol's `_meta` keys are added.
            request_id: What `reserve_id` gave; None takes the next one.
            timeout: Seconds until it fails; None waits until the server answers or is gone.
            on_progress: Asks for progress; called with the params of each notification.

        Raises:
            RpcError: The server answered with an error.
            ServerError: The server is gone, was silent too long, or sent no proper answer.
        """
        if self.era == "modern":
            given = dict(params or {})
            meta = given.get("_meta")
            given["_meta"] = {**(meta if isinstance(meta, dict) else {}), **request_meta(self._ui)}
            params = given
        return await self._peer.request(
            method, params, request_id=request_id, timeout=timeout, on_progress=on_progress
        )

    async def notify(self, method: str, params: JsonObject | None = None) -> None:
        """Send a notification.

        Raises:
            ServerError: The server is gone.
        """
        await self._peer.notify(method, params)

    async def list_tools(self) -> list[JsonObject]:
        """Return the raw entries of every page of `tools/list`."""
        return await self._entries(wire.TOOLS_LIST, "tools")

    async def list_resources(self) -> list[JsonObject]:
        """Return the raw entries of every page of `resources/list`."""
        return await self._entries(wire.RESOURCES_LIST, "resources")

    async def list_resource_templates(self) -> list[JsonObject]:
        """Return the raw entries of every page of `resources/templates/list`."""
        return await self._entries(wire.RESOURCES_TEMPLATES_LIST, "resourceTemplates")

    async def call_tool(
        self,
        name: str,
        arguments: JsonObject,
        *,
        timeout: float | None = None,
        on_progress: Callable[[JsonObject], None] | None = None,
    ) -> JsonObject:
        """Call a tool and return its raw result; see `request`."""
        params = {"name": name, "arguments": dict(arguments)}
        return await self.request(wire.TOOLS_CALL, params, timeout=timeout, on_progress=on_progress)

    async def read_resource(self, uri: str, *, timeout: float | None = None) -> JsonObject:
        """Read a resource and return the raw result; see `request`."""
        return await self.request(wire.RESOURCES_READ, {"uri": uri}, timeout=timeout)

    async def read_list(self, method: str, key: str, *, timeout: float | None = None) -> Listing:
        """Ask for every page of a list; what comes after a bad page is a fault of the listing.

        Args:
            method: Such as `tools/list`.
            key: The member of the result that holds the entries.
            timeout: Seconds for all pages together; None is the connection's time-out.

        Raises:
            RpcError: The first page was answered with an error.
            ServerError: The first page was not answered.
        """
        timeout = self._timeout if timeout is None else timeout
        deadline = asyncio.get_running_loop().time() + timeout
        entries: list[JsonObject] = []
        faults: list[str] = []
        cursors: set[str] = set()
        params: dict[str, Any] | None = None
        for page in range(1, self._limits.pages + 1):
            left = max(deadline - asyncio.get_running_loop().time(), 0.0)
            try:
                result = await self.request(method, params, timeout=left)
            except (RpcError, ServerError) as error:
                if page == 1:
                    raise
                faults.append(f"page {page} could not be read: {cut(error.message)}")
                break
            _take_entries(result.get(key), f"page {page}", key, entries, faults)
            cursor = result.get("nextCursor")
            if cursor is None or cursor == "":
                break
            if not isinstance(cursor, str):
                faults.append(f"page {page} has a nextCursor that is not a string")
                break
            if cursor in cursors:
                faults.append(f"page {page} has a nextCursor that came before")
                break
            cursors.add(cursor)
            params = {"cursor": cursor}
        else:
            faults.append(f"stopped after {self._limits.pages} pages")
        return Listing(tuple(entries), tuple(faults))

    async def wait_gone(self) -> str:
        """Wait until the server has ended; return why."""
        return await self._peer.wait_gone()

    async def _entries(self, method: str, key: str) -> list[JsonObject]:
        return list((await self.read_list(method, key)).entries)


def _take_entries(
    value: object, page: str, key: str, entries: list[JsonObject], faults: list[str]
) -> None:
    if not isinstance(value, list):
        faults.append(f'{page} has no list "{key}"')
        return
    for index, entry in enumerate(value):
        if isinstance(entry, dict):
            entries.append(entry)
        else:
            faults.append(f"{page} has an entry that is not an object, at index {index}")
