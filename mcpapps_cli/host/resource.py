"""From a tool and its UI resource to what the engine mounts."""

from __future__ import annotations

from mcpapps_cli.host.mounting import Mounting
from mcpapps_cli.host.profiles import Profile
from mcpapps_cli.markup.page import is_html as is_html
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.model import Inventory, JsonObject, Resource


def mounting_for(
    tool: JsonObject,
    resource: Resource,
    inventory: Inventory,
    *,
    request_id: int | str,
    profile: Profile,
    probe: bool,
    context: JsonObject | None = None,
) -> Mounting:
    """Return the mounting of a tool's View.

    The metadata is the content item's whole `_meta.ui`, else the listing's (specification draft,
    Metadata Location).

    Args:
        tool: The raw `tools/list` entry.
        resource: Its UI resource; `ladder.check_resource` must have found nothing broken.
        inventory: What the tool's own server offers.
        request_id: JSON-RPC id of the `tools/call`.
        profile: The host to be.
        probe: Whether the driver puts the diagnostics probe into the document.
        context: Host context of this mount, over the profile's.

    Raises:
        ValueError: the resource has no text.
    """
    if resource.html is None:
        raise ValueError(f'"{resource.uri}" has no text to mount')
    metadata = apps_metadata(resource.content, listing=resource.listing)
    return Mounting(
        tool=tool,
        uri=resource.uri,
        html=resource.html,
        csp=metadata.csp,
        permissions=metadata.permissions,
        prefers_border=metadata.prefers_border,
        tools=inventory.tools,
        request_id=request_id,
        context=context or {},
        profile=profile,
        probe=probe,
    )
