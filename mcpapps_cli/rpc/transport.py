"""What carries JSON-RPC messages, and who receives them."""

from __future__ import annotations

from typing import Any, Protocol

from mcpapps_cli.errors import McpAppsError


class Receiver(Protocol):
    """The side that a transport reports to; no method blocks or raises."""

    def received(self, message: dict[str, Any]) -> None:
        """Take one message of the server."""

    def failed(self, request_id: int | None, error: McpAppsError) -> None:
        """Take the failure of one request; None means the only one that is open, if any."""

    def unreadable(self, line: str) -> None:
        """Take a line that is no JSON-RPC."""

    def gone(self, reason: str) -> None:
        """Learn that nothing more will come."""


class Transport(Protocol):
    """Carries messages to one server and back."""

    def start(self, receiver: Receiver) -> None:
        """Begin to read; called once, inside a running event loop."""

    async def send(self, message: dict[str, Any]) -> None:
        """Hand one message over, waiting while the server does not read.

        Raises:
            ServerError: The server is gone.
        """

    def abandon(self, request_id: int) -> bool:
        """Stop waiting for a reply; True when that alone tells the server to cancel."""

    async def aclose(self) -> None:
        """End the connection and everything that was started for it."""
