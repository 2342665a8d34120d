"""Who may see and call a tool (specification, Visibility): by membership, for one server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.model import JsonObject

Refusal = Literal["unlisted", "hidden"]
"""The server does not list the tool, or lists it for others than Views."""


def agent_tools(
    tools: Iterable[JsonObject], *, hides_app_tools: bool = True
) -> tuple[JsonObject, ...]:
    """Return the tools the model is told of: those whose visibility contains `model`.

    Args:
        tools: Raw `tools/list` entries.
        hides_app_tools: `Profile.hides_app_tools`; a host without it tells the model of all.
    """
    return tuple(tool for tool in tools if not hides_app_tools or apps_metadata(tool).model_visible)


def call_refusal(tools: Iterable[JsonObject], name: str) -> Refusal | None:
    """Return why a View may not call the tool `name`, or None when it may.

    Args:
        tools: The raw `tools/list` entries of the View's own server. A tool of another server is
            not among them, so it is refused (specification, Visibility).
        name: As the View wrote it.
    """
    # A faulty server may list anything, also things that are no objects.
    same_name = [tool for tool in tools if isinstance(tool, Mapping) and tool.get("name") == name]
    if not same_name:
        return "unlisted"
    return None if all(apps_metadata(tool).app_visible for tool in same_name) else "hidden"
