"""Speaking MCP: JSON-RPC over stdio pipes and streamable HTTP, both eras, raw JSON."""

from __future__ import annotations

from mcpapps_cli.rpc.client import Client, Listing
from mcpapps_cli.rpc.connection import connect, converse
from mcpapps_cli.rpc.limits import Limits
from mcpapps_cli.rpc.peer import reserve_id
from mcpapps_cli.rpc.process import ServerProcess, start_process

__all__ = [
    "Client",
    "Limits",
    "Listing",
    "ServerProcess",
    "connect",
    "converse",
    "reserve_id",
    "start_process",
]
