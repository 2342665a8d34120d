"""Authoring MCP Apps servers: plain objects for any SDK, and `Apps` on top of mcp 2.x."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcpapps_cli.metadata import supports_apps
from mcpapps_cli.model import Csp
from mcpapps_cli.server.declare import capability, tool_meta, ui_content, ui_resource
from mcpapps_cli.server.notify import notify_resource_updated, notify_resources_changed
from mcpapps_cli.server.reference import reference_warnings
from mcpapps_cli.server.request import (
    RequestKey,
    client_extension,
    client_supports,
    request_key,
)
from mcpapps_cli.wire import EXTENSION_ID, FLAT_URI_KEY, MIME_TYPE, URI_SCHEME

if TYPE_CHECKING:
    from mcpapps_cli.server.apps import Apps
    from mcpapps_cli.server.page import Page
    from mcpapps_cli.server.summary import with_summary

__all__ = [
    "EXTENSION_ID",
    "FLAT_URI_KEY",
    "MIME_TYPE",
    "URI_SCHEME",
    "Apps",
    "Csp",
    "Page",
    "RequestKey",
    "capability",
    "client_extension",
    "client_supports",
    "notify_resource_updated",
    "notify_resources_changed",
    "reference_warnings",
    "request_key",
    "supports_apps",
    "tool_meta",
    "ui_content",
    "ui_resource",
    "with_summary",
]

_NEEDS_SDK_2 = {"Apps": "apps", "Page": "page", "with_summary": "summary"}


def __getattr__(name: str) -> Any:
    if name not in _NEEDS_SDK_2:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module, metadata

    try:
        import_module("mcp.server.apps")
    except ImportError as error:
        try:
            found = f"mcp {metadata.version('mcp')} is installed"
        except metadata.PackageNotFoundError:
            found = "mcp is not installed"
        raise ImportError(
            f"mcpapps_cli.server.{name} needs mcp 2 or newer, and {found}; with another SDK use "
            "tool_meta, ui_resource and the other functions that return plain objects"
        ) from error
    return getattr(import_module(f"{__name__}.{_NEEDS_SDK_2[name]}"), name)
