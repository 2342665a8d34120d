"""The stage: servers' Views in a browser, on two origins of this machine."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from mcpapps_cli import __version__
from mcpapps_cli.errors import McpAppsError, UserError
from mcpapps_cli.host import event
from mcpapps_cli.host.faults import FAULTS
from mcpapps_cli.host.quirks import load_quirk, quirk_names
from mcpapps_cli.host.record import Header
from mcpapps_cli.stage import host_message as out
from mcpapps_cli.stage.address import LOOPBACK, Addresses
from mcpapps_cli.stage.driver import Driver
from mcpapps_cli.stage.emulation import Emulation, OriginKind, Setting
from mcpapps_cli.stage.event import NoteEvent, StageEvent
from mcpapps_cli.stage.loopback import IPV4, IPV6, bind, serve
from mcpapps_cli.stage.origins import HostOrigin
from mcpapps_cli.stage.page_message import Call
from mcpapps_cli.stage.question import Answerer
from mcpapps_cli.stage.recorder import Recorder
from mcpapps_cli.stage.sandbox import Sandbox
from mcpapps_cli.stage.servers import Servers
from mcpapps_cli.stage.socket import Page, host_entry

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

    from mcpapps_cli.model import Inventory, JsonObject
    from mcpapps_cli.stage.backend import Backend


LOST_MAX = 4
"""Pages that are waited for; the one that was lost first is given up for another one."""


class Stage:
    """Serves the host page on `127.0.0.1` and the sandbox on `localhost` while it is entered.

    Args:
        backend: The server whose tools are called.
        others: More servers, for a conversation with several; names must differ.
        port: The host page's port; None looks for a free one, from 5173 upwards.
        sandbox_port: The sandbox's port; None means the next free one after `port`.
        addresses: How the two are reached from elsewhere, such as through a forwarded port.
        profile: Name of the emulated host.
        quirks: Names of the quirks switched on.
        faults: Names of the faults switched on.
        origin: Whether Views have an opaque origin or their own; by default as the host has it.
        hosts: The project's own profiles, as `[tool.mcpapps.hosts]` has them.
        probe: Whether Views get the diagnostics probe.
        ui: Whether the servers were told that this host shows Views; without that it shows none,
            whichever host is emulated.
        record: A file that gets every frame of both channels; None for none.
        secrets: Texts masked in it, such as values of headers and of the server's environment.
        reloads: Whether Views will be mounted anew often, which is then made quick.
        answer: Answers what a user would be asked; None leaves every question to the page.
        on_event: Told of every step, violation, message and note, on the event loop.

    Attributes:
        url: The page's address with its token, once entered; `&tool=NAME&args=JSON` after it
            calls a tool at once.
        sandbox_url: The sandbox's origin.

    Raises:
        PortTaken: on entering, an explicit port is in use.
        UserError: a name is unknown, two servers have one name, or an address is none; on
            entering, the recording cannot be written.
    """

    url: str
    sandbox_url: str

    def __init__(
        self,
        backend: Backend,
        *,
        others: Sequence[Backend] = (),
        port: int | None = None,
        sandbox_port: int | None = None,
        addresses: Addresses = LOOPBACK,
        profile: str = "spec",
        quirks: Iterable[str] = (),
        faults: Iterable[str] = (),
        origin: OriginKind = "profile",
        hosts: Mapping[str, Any] | None = None,
        probe: bool = True,
        ui: bool = True,
        record: Path | None = None,
        secrets: Iterable[str] = (),
        reloads: bool = False,
        answer: Answerer | None = None,
        on_event: Callable[[StageEvent], None] | None = None,
    ):
        self._backends = (backend, *others)
        self._servers = Servers(self._backends)
        self._ports = (port, sandbox_port)
        self._addresses = addresses
        self._hosts = hosts or {}
        self._ui = ui
        self._setting = Setting(profile, tuple(quirks), tuple(faults), origin)
        self._emulate(self._setting)
        self._probe = probe
        self._record = record
        self._secrets = tuple(secrets)
        self._reloads = reloads
        self._answer = answer
        self._on_event = on_event or (lambda happened: None)
        self._recorder: Recorder | None = None
        # Whose inventory the recording tells.
        self._recorded: Backend | None = None
        self._pages: set[Page] = set()
        # Pages whose connection was lost, by name; they may come back.
        self._lost: dict[str, Page] = {}
        self._closing = False
        self._generation = 1
        self._calls = 0
        self._ids = itertools.count(1)
        self._overlay: JsonObject | None = None
        self._stack = AsyncExitStack()
        self._sandbox: Sandbox

    async def __aenter__(self) -> Self:
        """Bind both ports and begin to serve."""
        async with self._stack:
            if self._record is not None:
                self._recorder = Recorder(self._record, secrets=self._secrets)
                self._stack.callback(self._recorder.close)
                self._servers = Servers(self._backends, recorder=self._recorder)
            port, host_sockets = bind((IPV4,), self._ports[0])
            for sock in host_sockets:
                self._stack.enter_context(sock)
            sandbox_port, sandbox_sockets = bind(
                (IPV4, IPV6), self._ports[1], first=port + 1, option="--sandbox-port"
            )
            for sock in sandbox_sockets:
                self._stack.enter_context(sock)
            host = HostOrigin(
                port, sandbox_port, on_page=self._serve_page, addresses=self._addresses
            )
            self._sandbox = Sandbox(
                sandbox_port,
                host.origin,
                on_stray=self._report_stray,
                addresses=self._addresses,
            )
            await self._stack.enter_async_context(
                serve((self._sandbox, sandbox_sockets), (host, host_sockets))
            )
            self._stack.push_async_callback(self._close_pages)
            self.url = host.url
            self.sandbox_url = f"{self._sandbox.origin}/"
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

    async def refresh(self, server: str | None = None) -> None:
        """Show what the servers offer now, and mount open Views anew.

        Args:
            server: Only the Views of this server, which is another one now; None means all.
        """
        self._generation += 1
        offered = _known(self._recorded) if self._recorded is not None else None
        if self._recorder is not None and offered is not None:
            self._recorder.offer(offered)
        self._list()
        await asyncio.gather(*(driver.refresh() for driver in self._drivers(server)))

    def relist(self, server: str) -> None:
        """Show what the servers offer now; one of them listed its tools anew."""
        self._list()
        for driver in self._drivers(server):
            driver.relist()

    def _list(self) -> None:
        for page in self._pages:
            self._list_for(page)

    async def show_error(self, payload: JsonObject | None) -> None:
        """Lay an error over the Views of every page, also of pages that come later.

        Args:
            payload: `message`, optional `help` and `position`; None takes the error away.
        """
        self._overlay = payload
        for page in self._pages:
            page.send(out.Overlay(type="overlay", error=payload))

    def set_hosts(self, hosts: Mapping[str, Any]) -> None:
        """Take the project's own profiles as they are now; Views are mounted anew under them.

        Raises:
            UserError: one that is emulated now has faults, or is gone; nothing is changed then.
        """
        before, self._hosts = self._hosts, hosts
        if hosts == before:
            return
        try:
            self._emulate(self._setting)
            for page in self._pages:
                self._emulate(page.emulation.setting)
        except UserError:
            self._hosts = before
            raise
        for page in self._pages:
            page.set_host(page.emulation.setting)

    def ping(self) -> None:
        """Ask every View that has shaken hands whether it lives."""
        for driver in self._drivers():
            driver.feed(event.PingRequested())

    def notify(self, method: str, params: JsonObject, *, server: str | None = None) -> None:
        """Let the engine of every View of a server know of a notification.

        Args:
            method: The notification's.
            params: The notification's.
            server: Name of the server it came from; None for the only one, or for all.
        """
        for driver in self._drivers(server):
            driver.feed(event.ServerNotification(method, params))

    def server_gone(self, reason: str, *, server: str | None = None) -> None:
        """Let every page, and the engine of every View of a server, know that it has ended."""
        for driver in self._drivers(server):
            driver.feed(event.ServerGone(reason))
        for page in self._pages:
            page.send(out.Noted(type="note", view=None, level="error", text=reason, detail=None))

    async def _serve_page(self, socket: WebSocket) -> None:
        name = socket.query_params.get("page", "")
        for known in self._pages:
            if known.name == name:
                # We have not noticed yet that its old connection is dead.
                await known.leave()
                break
        page = self._lost.pop(name, None)
        back = page is not None
        page = page or Page(
            new_driver=self._new_driver,
            find_server=lambda call: self._servers.find(call.tool, call.server),
            emulate=self._emulate,
            list_tools=lambda emulation, views: self._servers.entries(emulation, views),
            setting=self._setting,
        )
        page.arrive()
        page.send(
            out.Hello(
                type="hello",
                page=page.name,
                resumed=back,
                server=self._server(),
                tools=self._servers.entries(page.emulation, page.views()),
                host=host_entry(page.emulation),
                profiles=list(page.emulation.names),
                quirks=[_choice(name, load_quirk(name).title) for name in quirk_names()],
                faults=[_choice(name, title) for name, title in FAULTS.items()],
                probe=self._probe,
                ui=self._ui,
                sandbox=self.sandbox_url,
                version=__version__,
            )
        )
        page.tell_reduced()
        if self._overlay is not None:
            page.send(out.Overlay(type="overlay", error=self._overlay))
        self._pages.add(page)
        if back:
            page.restore()
        lost = False
        try:
            lost = await page.run(socket)
        finally:
            self._pages.discard(page)
            if lost and not self._closing:
                self._lost[page.name] = page
            else:
                await page.end()
        while len(self._lost) > LOST_MAX:
            await self._lost.pop(next(iter(self._lost))).end()

    async def _close_pages(self) -> None:
        self._closing = True
        for page in tuple(self._pages):
            await page.close()
        for page in self._lost.values():
            await page.end()
        self._lost.clear()

    def _emulate(self, setting: Setting) -> Emulation:
        own_origins = self._addresses.sandbox_origin is None
        return Emulation(setting, self._hosts, ui=self._ui, own_origins=own_origins)

    def _new_driver(
        self,
        call: Call,
        backend: Backend,
        emulation: Emulation,
        send: Callable[[out.ToPage], None],
    ) -> Driver:
        self._calls += 1
        if self._recorder is not None:
            profile, quirks = emulation.setting.profile, emulation.setting.quirks
            header = Header(call.tool, call.arguments, profile, quirks)
            self._recorder.begin(header, _known(backend))
            self._recorded = self._recorded or backend
        self._servers.open_view(f"v{self._calls}", backend.name)
        return Driver(
            self._calls,
            call,
            backend=backend,
            sandbox=self._sandbox,
            emulation=emulation,
            probe=self._probe,
            ids=self._ids,
            send=send,
            on_event=self._on_event,
            on_tools=self._take_tools,
            recorder=self._recorder,
            answer=self._answer,
            reloads=self._reloads,
        )

    def driver(self, view: str) -> Driver | None:
        """Return what runs the open View of that name, such as `v1`; None when it is not open."""
        return next((driver for driver in self._drivers() if driver.view == view), None)

    def _drivers(self, server: str | None = None) -> list[Driver]:
        return [
            driver
            for page in self._pages
            for driver in page.drivers()
            if server in (None, driver.backend.name)
        ]

    def _take_tools(self, view: str, tools: tuple[JsonObject, ...] | None) -> None:
        """Take the tools that a View provides; None when it is gone."""
        if tools is None:
            self._servers.close_view(view)
            return
        collisions = self._servers.provide(view, tools)
        for page in [one for one in self._pages if one.shows(view)]:
            self._list_for(page)
            for driver in [one for one in page.drivers() if one.view == view]:
                for collision in collisions:
                    addresses = ", ".join(f'"{tool.address}"' for tool in collision.tools)
                    driver.note(f'"{collision.name}" is the name of several tools now: {addresses}')

    def _list_for(self, page: Page) -> None:
        tools = self._servers.entries(page.emulation, page.views())
        page.send(out.InventoryChanged(type="inventory", server=self._server(), tools=tools))

    def _report_stray(self, path: str) -> None:
        text = f'a View asked for "{path}", but a View has no files beside it'
        self._on_event(NoteEvent(None, None, "warning", text))

    def _server(self) -> out.ServerEntry:
        return self._servers.first(self._generation)


def _known(backend: Backend) -> Inventory | None:
    try:
        return backend.inventory()
    except McpAppsError:
        return None


def _choice(name: str, title: str) -> out.Choice:
    return out.Choice(name=name, title=title)
