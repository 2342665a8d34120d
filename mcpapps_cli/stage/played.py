"""A recording in the place of a server."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

from mcpapps_cli import wire
from mcpapps_cli.errors import ConfigError, UserError
from mcpapps_cli.host.record import Recording, read_recording
from mcpapps_cli.host.replay import ReplayServer
from mcpapps_cli.inventory import inventory_from_json
from mcpapps_cli.inventory.resource import resource_from
from mcpapps_cli.model import Inventory, JsonObject, Resource
from mcpapps_cli.stage.backend import server_name


class PlayedBackend:
    """Answers as the recorded server did; no server runs.

    Args:
        recording: What `Recorder` wrote.
        label: How it is shown.

    Raises:
        ConfigError: its inventory cannot be read.
    """

    def __init__(self, recording: Recording, *, label: str = "recording"):
        self.label = label
        self.name = server_name(str(recording.header.server.get("name") or "recording"))
        self._inventory = inventory_from_json(recording.header.inventory)
        self._server = ReplayServer(recording)
        # Of calls that were never recorded; negative, so that none is an id of the recording.
        self._ids = itertools.count(-1, -1)

    def inventory(self) -> Inventory:
        """Return what the server offered then."""
        return self._inventory

    def reserve_id(self, method: str, params: JsonObject) -> int:
        """Return the id that the request had then, for the View handed it to its server."""
        recorded = self._server.recorded_id(method, params)
        return recorded if isinstance(recorded, int) else next(self._ids)

    async def request(
        self,
        method: str,
        params: JsonObject,
        *,
        request_id: int | None = None,
        on_progress: Callable[[JsonObject], None] | None = None,
        new_session: bool = False,
    ) -> JsonObject:
        """Return the recorded result; see `Backend`."""
        answer = await self._server(method, params, on_progress or (lambda update: None))
        assert answer is not None
        return answer

    async def resource(self, uri: str) -> Resource:
        """Return the document as it was read then; see `Backend`."""
        known = next((one for one in self._inventory.resources if one.uri == uri), None)
        answer = self._server.answer(wire.RESOURCES_READ, {"uri": uri})
        if answer is None and known is not None:
            return known
        result = await self.request(wire.RESOURCES_READ, {"uri": uri})
        listing = known.listing if known is not None else None
        return resource_from(uri, listing, result)[0]


def open_recording(path: Path) -> Recording:
    """Read a recording.

    Raises:
        UserError: the file cannot be read.
        ConfigError: it is no recording; the faults are in `details`.
    """
    try:
        if not (text := path.read_text(encoding="utf-8")):
            raise UserError(
                f'"{path}" is empty: no tool was called while it was recorded',
                help="record again with `mcpapps dev --record FILE`, and call a tool",
            )
        return read_recording(text)
    except (OSError, UnicodeDecodeError) as exc:
        why = exc.strerror if isinstance(exc, OSError) else "it is not UTF-8"
        raise UserError(f'"{path}" cannot be read: {why}') from exc
    except ConfigError as exc:
        raise ConfigError(f'"{path}" is no recording', help=exc.help, details=exc.details) from exc
