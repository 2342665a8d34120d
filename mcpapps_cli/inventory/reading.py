"""Asking a server for everything a host would see."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from mcpapps_cli import wire
from mcpapps_cli.errors import RpcError, ServerError
from mcpapps_cli.inventory.resource import read_resource, reason_of
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.model import EraChoice, Inventory, JsonObject, Resource, ServerSpec, Skip
from mcpapps_cli.rpc import Client, connect

_READS_AT_ONCE = 4


async def take_inventory(
    spec: ServerSpec,
    *,
    era: EraChoice = "auto",
    timeout: float = 15.0,
    on_stderr: Callable[[str], None] | None = None,
    on_noise: Callable[[str], None] | None = None,
) -> Inventory:
    """Start or reach a server, ask for everything, and end it.

    Args:
        spec: What to start, or the URL to reach.
        era: Which handshake to use.
        timeout: Seconds for the handshake, for each list and for each resource.
        on_stderr: Called with each line of the server's stderr.
        on_noise: Called with each line of its stdout that is no JSON-RPC.

    Raises:
        ServerError: The server does not speak MCP, or ended before it listed its tools.
    """
    async with connect(
        spec, era=era, timeout=timeout, on_stderr=on_stderr, on_noise=on_noise
    ) as client:
        return await read_inventory(client, timeout=timeout)


async def read_inventory(client: Client, *, timeout: float = 15.0) -> Inventory:
    """Ask for every tool and every UI resource; what cannot be had becomes a `Skip`.

    UI resources are those that a tool links, in the order of the tools, then those that are
    listed with a `ui://` URI.

    Args:
        client: A connected client.
        timeout: Seconds for each list and for each resource.

    Raises:
        ServerError: The server ended before it listed its tools.
    """
    unread: list[Skip] = []
    tools = await _listed(client, wire.TOOLS_LIST, "tools", timeout, unread)
    if client.gone_reason is not None and unread:
        raise ServerError(
            f"{client.gone_reason} before it listed its tools",
            help="correct what its stderr shows",
            details=tuple(client.stderr_tail),
        )
    listed = await _listed(client, wire.RESOURCES_LIST, "resources", timeout, unread)
    listings: dict[str, JsonObject] = {}
    for entry in listed:
        if isinstance(uri := entry.get("uri"), str):
            listings.setdefault(uri, entry)
    linked = (apps_metadata(tool).resource_uri for tool in tools)
    uris = dict.fromkeys(uri for uri in linked if uri is not None)
    uris.update(dict.fromkeys(uri for uri in listings if uri.startswith(wire.URI_SCHEME)))
    gate = asyncio.Semaphore(_READS_AT_ONCE)

    async def read(uri: str) -> tuple[Resource, Skip | None]:
        async with gate:
            return await read_resource(client, uri, listing=listings.get(uri), timeout=timeout)

    async with asyncio.TaskGroup() as group:
        reads = [group.create_task(read(uri)) for uri in uris]
    results = [task.result() for task in reads]
    unread += [skip for _, skip in results if skip is not None]
    return Inventory(
        era=client.era,
        protocol_version=client.protocol_version,
        server_info=client.server_info,
        capabilities=client.capabilities,
        tools=tools,
        resources=tuple(resource for resource, _ in results),
        unread=tuple(unread),
    )


async def _listed(
    client: Client, method: str, key: str, timeout: float, unread: list[Skip]
) -> tuple[JsonObject, ...]:
    try:
        listing = await client.read_list(method, key, timeout=timeout)
    except RpcError as error:
        # A server without tools or resources need not know the method.
        if error.code != wire.METHOD_NOT_FOUND:
            unread.append(Skip(method, reason_of(error), True))
        return ()
    except ServerError as error:
        unread.append(Skip(method, error.message))
        return ()
    unread += [Skip(method, fault, True) for fault in listing.faults]
    return listing.entries
