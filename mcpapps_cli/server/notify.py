"""Telling clients of either era that Views have changed."""

from __future__ import annotations

from typing import Any

from mcpapps_cli.server.request import belongs_to_modern_era


async def notify_resources_changed(ctx: Any) -> None:
    """Send `notifications/resources/list_changed`; does nothing outside of a request.

    On 2026-07-28 it reaches those who listen for it; before, the client of this connection
    (core MCP, Resources, List Changed Notification).

    Args:
        ctx: The `Context` of a handler.
    """
    modern = belongs_to_modern_era(ctx)
    if modern is True and hasattr(ctx, "notify_resources_changed"):
        await ctx.notify_resources_changed()
    elif modern is False:
        await ctx.session.send_resource_list_changed()


async def notify_resource_updated(ctx: Any, uri: str) -> None:
    """Send `notifications/resources/updated` to those who listen for `uri`.

    The SDK takes no subscriptions before 2026-07-28, so nothing is sent there (core MCP,
    Resources, Subscriptions).

    Args:
        ctx: The `Context` of a handler.
        uri: The View's URI, exactly as the listeners name it.
    """
    if belongs_to_modern_era(ctx) and hasattr(ctx, "notify_resource_updated"):
        await ctx.notify_resource_updated(uri)
