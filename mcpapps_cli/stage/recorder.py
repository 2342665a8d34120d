"""Writing a recording: every frame of both channels, one JSON object a line."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from mcpapps_cli import wire
from mcpapps_cli.errors import RpcError, ServerError, UserError
from mcpapps_cli.host.record import Frame, Header, Party, frame_line, header_line
from mcpapps_cli.inventory import inventory_json
from mcpapps_cli.model import Inventory, JsonObject, Resource
from mcpapps_cli.stage.backend import Backend


class Recorder:
    """A file that grows by one line with every message.

    Args:
        path: The file; it is replaced, and its folder is made.
        secrets: Texts that are masked wherever they stand, such as values of headers and of the
            server's environment.
        clock: Seconds that never go back.

    Raises:
        UserError: the file cannot be written.
    """

    def __init__(
        self,
        path: Path,
        *,
        secrets: Iterable[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ):
        self._secrets = tuple(secrets)
        self._clock = clock
        self._began = clock()
        self._header: Header | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[str] = path.open("w", encoding="utf-8", newline="\n")
        except OSError as exc:
            raise UserError(f'"{path}" cannot be written: {exc.strerror}') from exc

    def begin(self, header: Header, inventory: Inventory | None) -> None:
        """Write the first line; later calls of a session do not change it.

        Args:
            header: What is called, under which host.
            inventory: What the server offers; None when it has not answered yet.
        """
        if self._header is not None:
            return
        self._header = header
        if inventory is None:
            self._write(header_line(header, secrets=self._secrets))
        else:
            self.offer(inventory)

    def offer(self, inventory: Inventory) -> None:
        """Write what the server offers from now on, where that is new and there is a header."""
        if self._header is None:
            return
        offered = inventory_json(inventory)
        if offered != self._header.inventory:
            self._header = replace(self._header, server=inventory.server_info, inventory=offered)
            self._write(header_line(self._header, secrets=self._secrets))

    def frame(self, sender: Party, receiver: Party, message: Any, view: str | None = None) -> None:
        """Write one message; what comes before the first call of a tool is left out."""
        if self._header is not None:
            at = self._clock() - self._began
            frame = Frame(at, sender, receiver, message, view)
            self._write(frame_line(frame, secrets=self._secrets))

    def close(self) -> None:
        """End the file."""
        self._file.close()

    def _write(self, line: str) -> None:
        self._file.write(line + "\n")
        # Somebody may read it while it grows, and an interrupted session leaves whole lines.
        self._file.flush()


class RecordedBackend:
    """A backend whose requests and answers are written down.

    Args:
        backend: Where they go.
        recorder: Where they are written.
    """

    def __init__(self, backend: Backend, recorder: Recorder):
        self.name = backend.name
        self.label = backend.label
        self._backend = backend
        self._recorder = recorder

    def inventory(self) -> Inventory:
        """Return what the server offers."""
        return self._backend.inventory()

    def reserve_id(self, method: str, params: JsonObject) -> int:
        """Return the id that a request to come will have; see `Backend`."""
        return self._backend.reserve_id(method, params)

    async def request(
        self,
        method: str,
        params: JsonObject,
        *,
        request_id: int | None = None,
        on_progress: Callable[[JsonObject], None] | None = None,
        new_session: bool = False,
    ) -> JsonObject:
        """Return the result of one request; see `Backend`."""
        number = self.reserve_id(method, params) if request_id is None else request_id
        self._ask(number, method, params)

        def pass_on(update: JsonObject) -> None:
            shown = {**update, "progressToken": number}
            self._tell({"jsonrpc": "2.0", "method": wire.PROGRESS, "params": shown})
            if on_progress is not None:
                on_progress(update)

        try:
            result = await self._backend.request(
                method,
                params,
                request_id=number,
                on_progress=pass_on,
                new_session=new_session,
            )
        except (RpcError, ServerError) as exc:
            self._refuse(number, exc)
            raise
        self._tell({"jsonrpc": "2.0", "id": number, "result": result})
        return result

    async def resource(self, uri: str) -> Resource:
        """Read a UI resource afresh; see `Backend`."""
        params = {"uri": uri}
        number = self.reserve_id(wire.RESOURCES_READ, params)
        self._ask(number, wire.RESOURCES_READ, params)
        try:
            resource = await self._backend.resource(uri)
        except (RpcError, ServerError) as exc:
            self._refuse(number, exc)
            raise
        meta = {} if resource.read_meta is None else {"_meta": resource.read_meta}
        result = {"contents": list(resource.contents), **meta}
        self._tell({"jsonrpc": "2.0", "id": number, "result": result})
        return resource

    def _ask(self, number: int, method: str, params: JsonObject) -> None:
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self._recorder.frame("host", "server", request)

    def _refuse(self, number: int, exc: RpcError | ServerError) -> None:
        code = exc.code if isinstance(exc, RpcError) else wire.IMPLEMENTATION_ERROR
        data = exc.data if isinstance(exc, RpcError) else None
        error = {"code": code, "message": exc.message}
        error |= {} if data is None else {"data": data}
        self._tell({"jsonrpc": "2.0", "id": number, "error": error})

    def _tell(self, message: JsonObject) -> None:
        self._recorder.frame("server", "host", message)
