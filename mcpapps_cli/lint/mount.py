"""Mounts each View in a browser without a window and notes what it does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, Final
from urllib.parse import quote

from mcpapps_cli.errors import McpAppsError, RpcError, UserError
from mcpapps_cli.inventory import read_resource
from mcpapps_cli.lint.observed import Blocked, Mounted
from mcpapps_cli.lint.watcher import Watcher
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.model import Inventory, JsonObject, Resource, SampleCall, Skip
from mcpapps_cli.rpc import Client, reserve_id
from mcpapps_cli.wire import TOOLS_CALL
from mcpapps_cli.words import cut, plain

if TYPE_CHECKING:
    from mcpapps_cli.stage import Stage

__all__ = ["Blocked", "mount_views"]

# A browser needs some seconds to start on a busy machine; the ladder itself allows a View three.
_SECONDS: Final = 20.0
_SETTLE: Final = 1.0
# A View that lives answers at once and shows something; a busy machine is given time.
_LIFE: Final = 5.0


async def mount_views(
    client: Client,
    inventory: Inventory,
    calls: Sequence[SampleCall],
    *,
    profile: str = "spec",
    timeout: float = 15.0,
) -> tuple[tuple[Mounted, ...], list[Skip]]:
    """Mount the View of each sample call, and each other View without a call of its tool.

    A tool that nobody asked to call is not called: its View then waits for a result.

    Args:
        client: Connected to the server.
        inventory: What it offers.
        calls: The sample calls.
        profile: The host that the browser plays.
        timeout: Seconds for each answer of the server.

    Raises:
        UserError: There is no browser, or no such profile.
    """
    from mcpapps_cli.stage import find_browser

    if find_browser() is None:
        raise UserError(
            "--run needs a Chrome, Edge or Chromium, and none was found",
            help="install one, or set MCPAPPS_BROWSER to its path",
        )
    mounted: list[Mounted] = []
    skips: list[Skip] = []
    for call, real, uri in _mounts(inventory, calls):
        backend = _Backend(client, inventory, call.tool if real else None, timeout)
        try:
            mounted.append(await _mount(backend, call, uri, profile, real))
        except (McpAppsError, TimeoutError) as error:
            reason = error.message if isinstance(error, McpAppsError) else "the browser hung"
            skips.append(Skip(f"{uri} in a browser", reason))
    return tuple(mounted), skips


def _mounts(
    inventory: Inventory, calls: Sequence[SampleCall]
) -> list[tuple[SampleCall, bool, str]]:
    readable = {resource.uri for resource in inventory.resources if resource.html is not None}
    linked: dict[str, str] = {}
    for tool in inventory.tools:
        uri, name = apps_metadata(tool).resource_uri, tool.get("name")
        if uri in readable and isinstance(name, str):
            linked.setdefault(name, uri)
    found = [(call, True, linked[call.tool]) for call in calls if call.tool in linked]
    seen = {uri for _, _, uri in found}
    for name, uri in linked.items():
        if uri not in seen:
            seen.add(uri)
            found.append((SampleCall(name), False, uri))
    return found


async def _mount(
    backend: _Backend, call: SampleCall, uri: str, profile: str, real: bool
) -> Mounted:
    from mcpapps_cli.stage import Stage

    watcher = Watcher(uri, call.tool, real)
    async with Stage(backend, profile=profile, on_event=watcher.take) as stage:
        arguments = json.dumps(dict(call.args))
        url = f"{stage.url}&tool={quote(call.tool, safe='')}&args={quote(arguments, safe='')}"
        with TemporaryFile() as said:
            await _show(url, watcher, stage, said)
    return watcher.mounted()


async def _show(url: str, watcher: Watcher, stage: Stage, said: IO[bytes]) -> None:
    from mcpapps_cli.stage import headless

    async with headless(url, stderr=said) as browser:
        ended = asyncio.ensure_future(browser.wait())
        await watcher.wait_for_page(ended, _SECONDS)
        if not watcher.is_opened:
            # Then nothing is known of the View.
            how = "ended before it opened" if ended.done() else "did not open"
            raise UserError(f"the browser {how} the host page{_last_words(said)}")
        await watcher.wait(_SECONDS)
        stage.ping()
        # The size, a late error and a blocked request come after the handshake.
        await asyncio.gather(asyncio.sleep(_SETTLE), watcher.wait_for_life(_LIFE))


def _last_words(said: IO[bytes]) -> str:
    said.seek(0)
    lines = said.read().decode("utf-8", "replace").strip().splitlines()
    return f": {plain(cut(lines[-1]))}" if lines else ""


class _Backend:
    """The server of the inventory, of which one tool at most is really called."""

    def __init__(
        self, client: Client, inventory: Inventory, called: str | None, timeout: float
    ) -> None:
        self.name = str(inventory.server_info.get("name") or "server")
        self.label = self.name
        self._client = client
        self._inventory = inventory
        self._called = called
        self._timeout = timeout

    def inventory(self) -> Inventory:
        return self._inventory

    def reserve_id(self, method: str, params: JsonObject) -> int:
        return reserve_id()

    async def request(
        self,
        method: str,
        params: JsonObject,
        *,
        request_id: int | None = None,
        on_progress: Callable[[JsonObject], None] | None = None,
        new_session: bool = False,
    ) -> JsonObject:
        if method == TOOLS_CALL and params.get("name") != self._called:
            # Never answered: what nobody asked to call must have no effect.
            await asyncio.get_running_loop().create_future()
        return await self._client.request(
            method,
            params,
            request_id=request_id,
            timeout=self._timeout,
            on_progress=on_progress,
        )

    async def resource(self, uri: str) -> Resource:
        resource, skip = await read_resource(
            self._client, uri, listing=self._listing(uri), timeout=self._timeout
        )
        if skip is not None and resource.content is None:
            raise RpcError(-32602, skip.reason)
        return resource

    def _listing(self, uri: str) -> Any:
        return next((one.listing for one in self._inventory.resources if one.uri == uri), None)
