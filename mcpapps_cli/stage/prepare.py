"""From a tool's name to everything the engine needs, rung by rung."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from mcpapps_cli.errors import McpAppsError
from mcpapps_cli.host.effect import Step
from mcpapps_cli.host.ladder import check_resource, check_server, check_tool
from mcpapps_cli.host.mounting import Mounting
from mcpapps_cli.host.resource import mounting_for
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.model import JsonObject, Resource
from mcpapps_cli.stage.backend import Backend
from mcpapps_cli.stage.channel import Channel
from mcpapps_cli.stage.emulation import Emulation

NOISE: Final = "stdout: "
"""How a line of stdout that is no message begins in the details of a `ServerError`."""


async def prepare(
    channel: Channel,
    backend: Backend,
    name: str,
    *,
    emulation: Emulation,
    context: JsonObject,
    request_id: int,
    probe: bool,
    report: Callable[[Step], None],
) -> Mounting | None:
    """Read the View of the tool `name` and return what mounting it needs.

    The rungs from `server` to `html` are reported. The result is None when one of them is broken,
    and also, with nothing reported, when the tool has no View: that is no fault of a tool that
    somebody calls by hand.
    """
    try:
        inventory = backend.inventory()
    except McpAppsError as exc:
        noise = [line.removeprefix(NOISE) for line in exc.details if line.startswith(NOISE)]
        _report(check_server(exc.message, noise), report)
        return None
    tool = find_tool(emulation.quirks.tools(inventory.tools), name)
    if tool is None:
        _report((*check_server(None), *check_tool(None, name)), report)
        return None
    uri = apps_metadata(tool).resource_uri
    if uri is None:
        return None
    resource, error = await _read(channel, uri)
    limit = emulation.profile.html_bytes
    steps = check_resource(resource, tool, html_bytes=limit, error=error)
    _report(steps, report)
    if resource is None or any(step.state != "ok" for step in steps):
        return None
    mounting = mounting_for(
        tool,
        resource,
        inventory,
        request_id=request_id,
        profile=emulation.profile,
        probe=probe,
        context=context,
    )
    return emulation.mount(mounting)


def find_tool(tools: Sequence[JsonObject], name: str) -> JsonObject | None:
    """Return the first tool of that name, or None."""
    return next((tool for tool in tools if tool.get("name") == name), None)


def is_read_only(tool: JsonObject | None) -> bool:
    """Return whether a tool is annotated as one that changes nothing."""
    hints = tool.get("annotations") if tool is not None else None
    return isinstance(hints, Mapping) and hints.get("readOnlyHint") is True


def _report(steps: Sequence[Step], report: Callable[[Step], None]) -> None:
    for step in steps:
        report(step)


async def _read(channel: Channel, uri: str) -> tuple[Resource | None, str | None]:
    try:
        return await channel.resource(uri), None
    except McpAppsError as exc:
        return None, exc.message
