"""Asks a server for all that rules look at: its inventory, sample calls, a browser's view of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mcpapps_cli.errors import McpAppsError, RpcError, ServerError
from mcpapps_cli.inventory import read_inventory
from mcpapps_cli.lint.observed import Called, Observed
from mcpapps_cli.model import EraChoice, Inventory, JsonObject, SampleCall, ServerSpec, Skip
from mcpapps_cli.rpc import Client, connect
from mcpapps_cli.words import cut

_NOISE: Final = 20


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to look at beside the inventory.

    Attributes:
        calls: The tools to call; no other is called.
        run: Whether to mount the Views in a browser, and to look at the server as a client
            without MCP Apps sees it.
        profile: The host that the browser plays.
    """

    calls: tuple[SampleCall, ...] = ()
    run: bool = False
    profile: str = "spec"


async def collect(
    spec: ServerSpec,
    *,
    wanted: Wanted = Wanted(),
    era: EraChoice = "auto",
    timeout: float = 15.0,
    on_stderr: Callable[[str], None] | None = None,
) -> tuple[Inventory, Observed]:
    """Start or reach a server, look at everything wanted, and end it.

    Args:
        spec: What to start, or the URL to reach.
        wanted: What to look at.
        era: Which handshake to use.
        timeout: Seconds for the start, each list, each resource and each call.
        on_stderr: Called with each line of the server's stderr.

    Raises:
        ServerError: The server does not speak MCP, or ended before it listed its tools.
        UserError: A View is to be mounted and there is no browser.
    """
    async with connect(spec, era=era, timeout=timeout, on_stderr=on_stderr) as client:
        inventory = await read_inventory(client, timeout=timeout)
        calls, unread = await _call(client, inventory, wanted.calls, timeout)
        observed = Observed(calls=calls, noise=tuple(client.noise)[:_NOISE])
        if wanted.run:
            from mcpapps_cli.lint.mount import mount_views

            mounted, unmounted = await mount_views(
                client, inventory, wanted.calls, profile=wanted.profile, timeout=timeout
            )
            observed = replace(observed, mounted=mounted)
            unread += unmounted
    if wanted.run and inventory.tools:
        plain, skipped = await _plain_tools(spec, era, timeout)
        observed = replace(observed, plain_tools=plain)
        unread += skipped
    return replace(inventory, unread=(*inventory.unread, *unread)), observed


async def _call(
    client: Client, inventory: Inventory, calls: Sequence[SampleCall], timeout: float
) -> tuple[tuple[Called, ...], list[Skip]]:
    made: list[Called] = []
    unread: list[Skip] = []
    names = {tool.get("name") for tool in inventory.tools}
    for call in calls:
        subject = f'sample call of "{call.tool}"'
        if call.tool not in names:
            unread.append(Skip(subject, "the server lists no tool of that name"))
            continue
        try:
            result = await client.call_tool(call.tool, call.args, timeout=timeout)
        except RpcError as error:
            reason = f"the server answered with error {error.code}: {cut(error.message)}"
            unread.append(Skip(subject, reason, True))
        except ServerError as error:
            unread.append(Skip(subject, error.message))
        else:
            made.append(Called(call.tool, call.args, result))
            if result.get("isError") is True:
                reason = f"the tool answered with an error: {_first_text(result)}"
                unread.append(Skip(subject, reason, answered=True))
    return tuple(made), unread


def _first_text(result: JsonObject) -> str:
    blocks = result.get("content")
    for block in blocks if isinstance(blocks, list) else ():
        if isinstance(block, Mapping) and isinstance(block.get("text"), str):
            return cut(" ".join(str(block["text"]).split()))
    return "it has no text"


async def _plain_tools(
    spec: ServerSpec, era: EraChoice, timeout: float
) -> tuple[frozenset[str] | None, list[Skip]]:
    try:
        async with connect(spec, era=era, timeout=timeout, ui=False) as client:
            listing = await client.read_list("tools/list", "tools", timeout=timeout)
    except McpAppsError as error:
        return None, [Skip("tools/list without MCP Apps", error.message)]
    names = (entry.get("name") for entry in listing.entries)
    return frozenset(name for name in names if isinstance(name, str)), []
