"""One dev session: build the Views, run the server, show it, and follow the files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import AsyncExitStack, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from mcpapps_cli import wire
from mcpapps_cli.dev.builds import Builds
from mcpapps_cli.dev.companion import Companion
from mcpapps_cli.dev.event import (
    Changed,
    DevEvent,
    Ready,
    ServerFailed,
    ServerReady,
    error_json,
)
from mcpapps_cli.dev.fault import with_place
from mcpapps_cli.dev.findings import Linter
from mcpapps_cli.dev.guard import Guard
from mcpapps_cli.dev.keeper import Keeper
from mcpapps_cli.dev.share import Share
from mcpapps_cli.dev.standby import Reserve
from mcpapps_cli.dev.supervisor import Supervisor
from mcpapps_cli.dev.trace import own_files
from mcpapps_cli.dev.typings import keep_types
from mcpapps_cli.dev.watch import ChangeKind, Graph, Watcher, classify, read_graph
from mcpapps_cli.errors import McpAppsError, UserError
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.model import Bundle, EraChoice, JsonObject, Project, ServerSpec
from mcpapps_cli.stage.event import NoteEvent
from mcpapps_cli.tasks import Tasks, all_of

if TYPE_CHECKING:
    from mcpapps_cli.stage import Stage

LINT_AFTER = 0.5
"""Seconds from a reload to the rules, which must not take time from what is being shown."""
_LISTS = (wire.TOOLS_LIST_CHANGED, wire.RESOURCES_LIST_CHANGED)


class Session:
    """A project under development.

    Args:
        resolve: Reads the project and its server; called again when the project file changes.
        on_event: Told everything that happens, in order.
        port: The host page's port; None takes the next free one.
        probe: Whether the diagnostics probe is put into the View's document.
        era: The handshake to use.
        timeout: Seconds that the server gets to answer.
        standby: Whether interpreters wait for the next start of a Python server.
        share: Whether other MCP clients may reach the current server.
        servers: Servers that run beside the project's own, by name.
        ui: Whether servers are told that their client shows Views; else they show what they
            give to hosts without MCP Apps.
        watch: Makes what yields the changed paths of a project, and tells what hinders it.
        make_stage: Makes the stage, given what it shows; called while the servers start.
    """

    def __init__(
        self,
        resolve: Callable[[], Project],
        *,
        on_event: Callable[[DevEvent], None],
        port: int | None = None,
        probe: bool = True,
        era: EraChoice = "auto",
        timeout: float = 15.0,
        standby: bool = True,
        share: bool = False,
        servers: Mapping[str, ServerSpec] | None = None,
        ui: bool = True,
        watch: Callable[..., Watcher] = Watcher,
        make_stage: Callable[..., Stage],
    ):
        self._resolve = resolve
        self._on_event = on_event
        self.project = resolve()
        assert self.project.server is not None
        self._guard = Guard()

        def note(text: str) -> None:
            on_event(NoteEvent(None, None, "info", text))

        self._reserve = Reserve(
            self._guard,
            exclude=self.project.server.standby_exclude,
            enabled=standby,
            on_note=note,
        )
        self.supervisor = Supervisor(
            self.project,
            reserve=self._reserve,
            on_event=self._hear_server,
            on_gone=lambda pause: self._keeper.ask(pause),
            on_lost=lambda reason: self._tell_end(self.supervisor, reason),
            on_notification=self._pass_on,
            era=era,
            timeout=timeout,
            ui=ui,
        )
        self._keeper = Keeper(
            lambda: self.supervisor.restart(self.project),
            on_swapped=self._show_server,
            is_elsewhere=self._is_elsewhere,
        )
        self._companions = tuple(
            Companion(
                name,
                spec,
                project=self.project,
                guard=self._guard,
                on_event=self._hear_server,
                on_swapped=self._show_companion,
                on_lost=lambda one, reason: self._tell_end(one.supervisor, reason),
                on_notification=lambda one, method, params: self._pass_on(
                    method, params, one.supervisor
                ),
                era=era,
                timeout=timeout,
                ui=ui,
                standby=standby,
            )
            for name, spec in (servers or {}).items()
        )
        self._ui = ui
        self._make_stage = partial(make_stage, port=port, probe=probe, ui=ui, on_event=on_event)
        self._staged: Stage | None = None
        self._share = Share(self.supervisor) if share or self._is_shared() else None
        self._watcher = watch(self.project, on_note=note)
        self._linter = Linter(on_event)
        self._graph = Graph()
        self._first: list[Bundle] = []
        self._builds = Builds(on_event)
        # By the server's name; None is the project's own.
        self._server_failures: dict[str | None, JsonObject] = {}
        self._tasks = Tasks(
            on_fault=lambda fault: on_event(
                NoteEvent(None, None, "error", f"mcpapps failed here: {fault!r}")
            )
        )

    async def run(self) -> None:
        """Run until cancelled; nothing of it is left afterwards.

        Raises:
            UserError: A server's command does not exist, an explicit port is taken, or the
                project's folder is deleted.
        """
        with self._guard:
            async with AsyncExitStack() as stack:
                stack.push_async_callback(self._reserve.close)
                stack.push_async_callback(self._builds.close)
                stack.push_async_callback(self.supervisor.close)
                for companion in self._companions:
                    stack.push_async_callback(companion.close)
                # First, so that no save is missed: what changes meanwhile is followed afterwards.
                stack.push_async_callback(self._watcher.close)
                await self._watcher.begin()
                # The servers first: they take longest, and most of it is not our time.
                await all_of(
                    self.supervisor.start(),
                    *(one.supervisor.start() for one in self._companions),
                    self._set_stage(),
                    self._build_first(),
                )
                await stack.enter_async_context(self._stage)
                if self._share is not None:
                    await stack.enter_async_context(self._share)
                stack.push_async_callback(self._tasks.end)
                if not self.supervisor.failed and await self._is_behind(self._first):
                    await self.supervisor.restart()
                await self._show_failures()
                await self._learn()
                self._on_event(self._ready())
                for keeper in (self._keeper, *(one.keeper for one in self._companions)):
                    self._tasks.start(keeper.run())
                if self.supervisor.failed and self._is_elsewhere():
                    self._keeper.ask()
                async for paths in self._watcher.changes():
                    await self.follow(paths)
        raise UserError(
            f'"{self.project.root}" does not exist any more', help="start mcpapps dev elsewhere"
        )

    @property
    def _stage(self) -> Stage:
        assert self._staged is not None
        return self._staged

    async def _set_stage(self) -> None:
        await asyncio.to_thread(import_module, "mcpapps_cli.stage.stage")
        assert self.project.server is not None
        described = (self.project.server, *(one.spec for one in self._companions))
        self._staged = self._make_stage(
            self.supervisor,
            others=[one.supervisor for one in self._companions],
            hosts=self.project.hosts,
            # What must not stand in a recording.
            secrets=[
                str(text)
                for spec in described
                for text in (*spec.env.values(), *spec.headers.values())
            ],
            reloads=True,
        )

    async def _build_first(self) -> None:
        self._first = await self._builds.build(self.project)

    async def follow(self, paths: Iterable[Path]) -> None:
        """Do what a set of changed paths asks for."""
        paths = tuple(paths)
        for supervisor in (self.supervisor, *(one.supervisor for one in self._companions)):
            supervisor.note_changed(paths)
        concerned = [one for one in self._companions if one.is_concerned(paths)]
        self._graph = read_graph(self._builds.inputs, self.supervisor.trace())
        failed = self.supervisor.failed
        kinds = {path: classify(path, self.project, self._graph, failed=failed) for path in paths}
        sources = [path for path, (kind, _) in kinds.items() if kind is ChangeKind.SERVER]
        for path in self.supervisor.own_writes(sources):
            del kinds[path]
        idle = (ChangeKind.IGNORED, ChangeKind.TEST)
        changed = [path for path, (kind, _) in kinds.items() if kind not in idle]
        if changed or concerned:
            shown = changed or paths
            self._on_event(Changed(tuple(sorted(self._relative(path) for path in shown))))
        for companion in concerned:
            companion.keeper.ask()
        if not changed:
            return
        if any(kind is ChangeKind.CONFIG for kind, _ in kinds.values()):
            await self._reconfigure()
            return
        views = {name for _, names in kinds.values() for name in names}
        built = await self._builds.build(self.project, views)
        await self._show_failures()
        if any(kind is ChangeKind.SERVER for kind, _ in kinds.values()):
            self.restart()
        else:
            self._tasks.start(self._remount(built))

    def reload(self) -> None:
        """Mount every open View anew, with its last input and result."""
        self._tasks.start(self._stage.remount())

    def restart(self) -> None:
        """Start the server anew; a start that is under way is given up for it."""
        self._keeper.ask()

    def lint(self) -> None:
        """Check what the server offers now, and report every finding."""
        self._tasks.start(self._linter.check(self.supervisor, self.project, everything=True))

    @property
    def url(self) -> str:
        """The host page's address with its token, once it can be opened."""
        return self._stage.url

    def _hear_server(self, event: DevEvent) -> None:
        self._on_event(event)
        if isinstance(event, ServerFailed):
            self._server_failures[event.server] = with_place(event.error, self.project.root)
            self._tasks.start(self._show_failures())
        elif isinstance(event, ServerReady):
            self._server_failures.pop(event.server, None)

    async def _show_server(self) -> None:
        await self._learn()
        if self._share is not None:
            self._share.announce()
        await self._show_failures()
        await self._stage.refresh()

    async def _show_companion(self, companion: Companion) -> None:
        await self._learn()
        await self._show_failures()
        await self._stage.refresh(companion.name)

    def _is_elsewhere(self) -> bool:
        # Nobody saves a file of a server that runs elsewhere.
        return self.project.server is not None and not self.project.server.command

    async def _learn(self) -> None:
        """Look at what the server has become: its files, and what the rules find."""
        traced = self.supervisor.trace()
        files = {
            *(own_files(*traced) if traced is not None else ()),
            *(file for one in self._companions for file in one.files()),
        }
        with suppress(OSError):
            await self._watcher.follow(self.project, files)
        self._tasks.start(self._lint_later())
        self._tasks.start(keep_types(self.supervisor, self.project.root, self._on_event))

    async def _lint_later(self) -> None:
        await asyncio.sleep(LINT_AFTER)
        # The next start matters more than what the rules say of this one.
        await self._reserve.ready()
        if self._ui:
            await self._linter.check(self.supervisor, self.project)

    async def _reconfigure(self) -> None:
        try:
            project = self._resolve()
            self._stage.set_hosts(project.hosts)
            self.project = project
        except UserError as exc:
            payload = error_json(exc)
            self._on_event(ServerFailed(payload))
            await self._stage.show_error(payload)
            return
        await self._builds.rebuild(self.project)
        await self._show_failures()
        self.restart()

    async def _remount(self, bundles: list[Bundle]) -> None:
        if await self._is_behind(bundles):
            self.restart()
            return
        for bundle in bundles:
            await self._stage.remount(bundle.uri)
        if bundles:
            await self._lint_later()

    async def _is_behind(self, bundles: list[Bundle]) -> bool:
        """Whether the server read its pages once, when it started, and that was before these."""
        for bundle in bundles:
            served = await self._served(bundle.uri)
            if served is not None and served != bundle.html:
                return True
        return False

    async def _served(self, uri: str) -> str | None:
        try:
            return (await self.supervisor.resource(uri)).html
        except UserError:
            return None

    async def _show_failures(self) -> None:
        if self._staged is None:
            return
        failures = [*self._builds.failures.values(), *self._server_failures.values()]
        await self._stage.show_error(failures[0] if failures else None)

    def _ready(self) -> Ready:
        tools = () if self.supervisor.failed else self.supervisor.inventory().tools
        return Ready(
            url=self._stage.url,
            sandbox=self._stage.sandbox_url,
            server=self.supervisor.label,
            tools=tuple(str(tool.get("name", "")) for tool in tools),
            ui_tools=tuple(
                str(tool.get("name", "")) for tool in tools if apps_metadata(tool).resource_uri
            ),
            mcp=self._share.url if self._share is not None else None,
        )

    def _is_shared(self) -> bool:
        # A server over HTTP that we start has a port of its own each time; ours stays.
        server = self.project.server
        return server is not None and bool(server.command) and server.url is not None

    def _pass_on(
        self, method: str, params: JsonObject, supervisor: Supervisor | None = None
    ) -> None:
        if self._staged is not None:
            self._tasks.start(self._tell_views(supervisor or self.supervisor, method, params))
        if self._share is not None and supervisor is None:
            self._share.notify(method, params)

    def _tell_end(self, supervisor: Supervisor, reason: str) -> None:
        if self._staged is not None:
            self._staged.server_gone(reason, server=supervisor.name)

    async def _tell_views(self, supervisor: Supervisor, method: str, params: JsonObject) -> None:
        if method in _LISTS:
            # A View that is told looks at once, so the host has to know before.
            with suppress(McpAppsError):
                await supervisor.relist()
            self._stage.relist(supervisor.name)
        self._stage.notify(method, params, server=supervisor.name)

    def _relative(self, path: Path) -> str:
        root = self.project.root
        return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
