"""Tests of an app: its server in memory or started, its Views in a browser or without.

The pytest plugin is `testing.plugin`; everything here works without pytest too.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mcpapps_cli.testing.app import McpApp
    from mcpapps_cli.testing.fault import Fault, ViewFault
    from mcpapps_cli.testing.memory_app import MemoryApp
    from mcpapps_cli.testing.view import AppView
    from mcpapps_cli.testing.witness import Request

__all__ = ["AppView", "Fault", "McpApp", "MemoryApp", "Request", "ViewFault"]
_HOME: Final = {
    "AppView": "view",
    "Fault": "fault",
    "McpApp": "app",
    "MemoryApp": "memory_app",
    "Request": "witness",
    "ViewFault": "fault",
}


def __getattr__(name: str) -> Any:
    # pytest imports this package in every project of an environment that has it.
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
