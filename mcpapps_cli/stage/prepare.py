"""From a tool's name to everything the engine needs, rung by rung."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from mcpapps_cli.errors import McpAppsError
from mcpapps_cli.host.effect import Step
from mcpapps_cli.host.ladder import check_resource
from mcpapps_cli.host.mounting import Mounting
from mcpapps_cli.host.profiles import Profile
from mcpapps_cli.host.resource import mounting_for
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.model import JsonObject, Resource
from mcpapps_cli.stage.backend import Backend


async def prepare(
    backend: Backend,
    name: str,
    *,
    profile: Profile,
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
    inventory = backend.inventory()
    tool = find_tool(inventory.tools, name)
    if tool is None:
        report(Step("server", "ok"))
        report(Step("tool", "broken", "no-such-tool", detail={"tool": name}))
        return None
    uri = apps_metadata(tool).resource_uri
    if uri is None:
        return None
    resource, error = await _read(backend, uri)
    steps = check_resource(resource, tool)
    for step in steps:
        unread = error is not None and step.state == "broken"
        report(replace(step, detail={"uri": uri, "error": error}) if unread else step)
    if resource is None or any(step.state != "ok" for step in steps):
        return None
    return mounting_for(
        tool,
        resource,
        inventory,
        request_id=request_id,
        profile=profile,
        probe=probe,
        context=context,
    )


def find_tool(tools: Sequence[JsonObject], name: str) -> JsonObject | None:
    """Return the first tool of that name, or None."""
    return next((tool for tool in tools if tool.get("name") == name), None)


async def _read(backend: Backend, uri: str) -> tuple[Resource | None, str | None]:
    try:
        return await backend.resource(uri), None
    except McpAppsError as exc:
        return None, exc.message
