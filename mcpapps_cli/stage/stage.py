"""The stage: one server's Views in a browser, on two origins of this machine."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from contextlib import AsyncExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Self

from mcpapps_cli import __version__
from mcpapps_cli.host import event
from mcpapps_cli.host.profiles import Profile, load_profile, profile_names
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.stage import host_message as out
from mcpapps_cli.stage.driver import Driver
from mcpapps_cli.stage.event import NoteEvent, StageEvent
from mcpapps_cli.stage.loopback import IPV4, IPV6, bind, serve
from mcpapps_cli.stage.origins import HostOrigin
from mcpapps_cli.stage.page_message import Call
from mcpapps_cli.stage.sandbox import Sandbox
from mcpapps_cli.stage.socket import Page, profile_entry

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

    from mcpapps_cli.model import JsonObject
    from mcpapps_cli.stage.backend import Backend


class Stage:
    """Serves the host page on `127.0.0.1` and the sandbox on `localhost` while it is entered.

    Args:
        backend: The server whose tools are called.
        port: The host page's port; None looks for a free one, from 5173 upwards.
        sandbox_port: The sandbox's port; None means the next free one after `port`.
        profile: Name of the emulated host.
        probe: Whether Views get the diagnostics probe.
        on_event: Told of every step, violation, message and note, on the event loop.

    Attributes:
        url: The page's address with its token, once entered; `&tool=NAME&args=JSON` after it
            calls a tool at once.
        sandbox_url: The sandbox's origin.

    Raises:
        PortTaken: on entering, an explicit port is in use.
        UserError: there is no profile of that name.
    """

    url: str
    sandbox_url: str

    def __init__(
        self,
        backend: Backend,
        *,
        port: int | None = None,
        sandbox_port: int | None = None,
        profile: str = "spec",
        probe: bool = True,
        on_event: Callable[[StageEvent], None] | None = None,
    ):
        self._backend = backend
        self._ports = (port, sandbox_port)
        self._profile = load_profile(profile)
        self._probe = probe
        self._on_event = on_event or (lambda happened: None)
        self._pages: set[Page] = set()
        self._generation = 1
        self._calls = 0
        self._ids = itertools.count(1)
        self._overlay: JsonObject | None = None
        self._stack = AsyncExitStack()
        self._sandbox: Sandbox

    async def __aenter__(self) -> Self:
        """Bind both ports and begin to serve."""
        async with self._stack:
            port, host_sockets = bind((IPV4,), self._ports[0])
            for sock in host_sockets:
                self._stack.enter_context(sock)
            sandbox_port, sandbox_sockets = bind(
                (IPV4, IPV6), self._ports[1], first=port + 1, option="--sandbox-port"
            )
            for sock in sandbox_sockets:
                self._stack.enter_context(sock)
            host = HostOrigin(port, sandbox_port, on_page=self._serve_page)
            self._sandbox = Sandbox(sandbox_port, host.origin, on_stray=self._report_stray)
            await self._stack.enter_async_context(
                serve((self._sandbox, sandbox_sockets), (host, host_sockets))
            )
            self._stack.push_async_callback(self._close_pages)
            self.url = host.url
            self.sandbox_url = f"http://localhost:{sandbox_port}/"
            self._stack = self._stack.pop_all()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End every View and free both ports."""
        await self._stack.aclose()

    async def remount(self, uri: str | None = None) -> None:
        """Mount open Views anew from a fresh read, replaying input and result.

        Args:
            uri: Only Views of this resource; None means all.
        """
        drivers = [driver for driver in self._drivers() if uri is None or driver.uri == uri]
        await asyncio.gather(*(driver.remount() for driver in drivers))

    async def refresh(self) -> None:
        """Show the backend's new inventory, and mount every open View anew."""
        self._generation += 1
        for page in self._pages:
            page.send(
                out.InventoryChanged(type="inventory", server=self._server(), tools=self._tools())
            )
        await self.remount()

    async def show_error(self, payload: JsonObject | None) -> None:
        """Lay an error over the Views of every page, also of pages that come later.

        Args:
            payload: `message`, optional `help` and `position`; None takes the error away.
        """
        self._overlay = payload
        for page in self._pages:
            page.send(out.Overlay(type="overlay", error=payload))

    def notify(self, method: str, params: JsonObject) -> None:
        """Let every View's engine know of a notification of the server."""
        for driver in self._drivers():
            driver.feed(event.ServerNotification(method, params))

    def server_gone(self, reason: str) -> None:
        """Let every View's engine and every page know that the server has ended."""
        for driver in self._drivers():
            driver.feed(event.ServerGone(reason))
        for page in self._pages:
            page.send(out.Noted(type="note", view=None, level="error", text=reason, detail=None))

    async def _serve_page(self, socket: WebSocket) -> None:
        page = Page(
            socket,
            new_driver=self._new_driver,
            find_profile=load_profile,
            profile=self._profile,
        )
        page.send(
            out.Hello(
                type="hello",
                server=self._server(),
                tools=self._tools(),
                profile=profile_entry(self._profile),
                profiles=list(profile_names()),
                probe=self._probe,
                sandbox=self.sandbox_url,
                version=__version__,
            )
        )
        if self._overlay is not None:
            page.send(out.Overlay(type="overlay", error=self._overlay))
        self._pages.add(page)
        try:
            await page.run()
        finally:
            self._pages.discard(page)

    async def _close_pages(self) -> None:
        for page in tuple(self._pages):
            await page.close()

    def _new_driver(
        self, call: Call, profile: Profile, send: Callable[[out.ToPage], None]
    ) -> Driver:
        self._calls += 1
        return Driver(
            self._calls,
            call,
            backend=self._backend,
            sandbox=self._sandbox,
            profile=profile,
            probe=self._probe,
            ids=self._ids,
            send=send,
            on_event=self._on_event,
        )

    def _drivers(self) -> list[Driver]:
        return [driver for page in self._pages for driver in page.drivers()]

    def _report_stray(self, path: str) -> None:
        text = f'a View asked for "{path}", but a View has no files beside it'
        self._on_event(NoteEvent(None, None, "warning", text))

    def _server(self) -> out.ServerEntry:
        inventory = self._backend.inventory()
        return out.ServerEntry(
            name=self._backend.name,
            label=self._backend.label,
            era=inventory.era,
            protocolVersion=inventory.protocol_version,
            generation=self._generation,
        )

    def _tools(self) -> list[out.ToolEntry]:
        return [
            _tool_entry(tool)
            for tool in self._backend.inventory().tools
            if isinstance(tool.get("name"), str)
        ]


def _tool_entry(tool: JsonObject) -> out.ToolEntry:
    meta = apps_metadata(tool)
    title, description = tool.get("title"), tool.get("description")
    return out.ToolEntry(
        name=tool["name"],
        title=title if isinstance(title, str) else None,
        description=description if isinstance(description, str) else None,
        inputSchema=tool.get("inputSchema"),
        view=meta.resource_uri,
        visibility=list(meta.visibility),
    )
