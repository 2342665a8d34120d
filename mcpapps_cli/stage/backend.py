"""The server side of a stage, as the stage needs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from mcpapps_cli.model import Inventory, JsonObject, Resource


def server_name(name: str) -> str:
    """Return a name under which a server can be addressed: a slash would end it there."""
    return name.replace("/", "-") or "server"


class Backend(Protocol):
    """One server, which may be replaced by a newer generation behind this interface.

    Attributes:
        name: The project's or server's name.
        label: How the server is shown, such as `python server.py`.
    """

    name: str
    label: str

    def inventory(self) -> Inventory:
        """Return what the current generation of the server offers.

        Raises:
            ServerError: the server has not answered yet; noise on its stdout is in `details`.
        """
        ...

    def reserve_id(self, method: str, params: JsonObject) -> int:
        """Return the JSON-RPC id that a request to come will have, so that a View can be told.

        No other request has it, whatever server or generation of it gets them.
        """
        ...

    async def request(
        self,
        method: str,
        params: JsonObject,
        *,
        request_id: int | None = None,
        on_progress: Callable[[JsonObject], None] | None = None,
        new_session: bool = False,
    ) -> JsonObject:
        """Return the result of one request; a cancelled caller cancels it on the wire.

        Args:
            method: The request's.
            params: The request's.
            request_id: What `reserve_id` gave; None takes the next one.
            on_progress: Asks for progress; called with the params of each notification.
            new_session: Whether it gets a session of its own, which ends with it: what the server
                keeps in memory for one is not there in another.

        Raises:
            RpcError: the server answered with an error.
            ServerError: the server is gone or did not answer in time.
        """
        ...

    async def resource(self, uri: str) -> Resource:
        """Read a UI resource afresh.

        Raises:
            RpcError: the server answered with an error.
            ServerError: the server is gone or did not answer in time.
        """
        ...
