"""One dev session: build the Views, run the server, show it, and follow the files."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack
from pathlib import Path

from mcpapps_cli.bundle import build_bundle, check_bundle, write_bundle
from mcpapps_cli.dev.event import (
    BuildFailed,
    BundleReady,
    Changed,
    DevEvent,
    Ready,
    ServerFailed,
    error_json,
)
from mcpapps_cli.dev.supervisor import Supervisor
from mcpapps_cli.dev.watch import ChangeKind, classify, watch_project
from mcpapps_cli.errors import UserError
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.model import Bundle, EraChoice, JsonObject, Project, View
from mcpapps_cli.stage import Stage


class Session:
    """A project under development.

    Args:
        resolve: Reads the project and its server; called again when the project file changes.
        on_event: Told everything that happens, in order.
        port: The host page's port; None takes the next free one.
        probe: Whether the diagnostics probe is put into the View's document.
        era: The handshake to use.
        timeout: Seconds that the server gets to answer.
        watch: Yields the changed paths of a project.
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
        watch: Callable[[Project], AsyncIterator[frozenset[Path]]] = watch_project,
    ):
        self._resolve = resolve
        self._on_event = on_event
        self._watch = watch
        self.project = resolve()
        self.supervisor = Supervisor(self.project, on_event=on_event, era=era, timeout=timeout)
        self._stage = Stage(self.supervisor, port=port, probe=probe, on_event=on_event)
        self._inputs: dict[str, frozenset[Path]] = {}
        self._failures: dict[str, JsonObject] = {}

    async def run(self) -> None:
        """Run until cancelled; nothing of it is left afterwards.

        Raises:
            UserError: The server does not start, or an explicit port is taken.
        """
        for view in self.project.views:
            await self._build(view)
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self.supervisor.close)
            await self.supervisor.start()
            await stack.enter_async_context(self._stage)
            await self._show_failures()
            self._on_event(self._ready())
            async for paths in self._watch(self.project):
                await self.follow(paths)

    async def follow(self, paths: Iterable[Path]) -> None:
        """Do what a set of changed paths asks for."""
        kinds = {path: classify(path, self.project, self._inputs) for path in paths}
        changed = tuple(path for path, (kind, _) in kinds.items() if kind is not ChangeKind.IGNORED)
        if not changed:
            return
        self._on_event(Changed(tuple(sorted(self._relative(path) for path in changed))))
        if any(kind is ChangeKind.CONFIG for kind, _ in kinds.values()):
            await self._reconfigure()
            return
        views = {name for _, names in kinds.values() for name in names}
        built = [await self._build(view) for view in self.project.views if view.name in views]
        await self._show_failures()
        if any(kind is ChangeKind.SERVER for kind, _ in kinds.values()):
            await self._restart()
        else:
            await self._remount([bundle for bundle in built if bundle is not None])

    async def reload(self) -> None:
        """Mount every open View anew, with its last input and result."""
        await self._stage.remount()

    async def restart(self) -> None:
        """Start the server anew."""
        await self._restart()

    async def _reconfigure(self) -> None:
        try:
            self.project = self._resolve()
        except UserError as exc:
            payload = error_json(exc)
            self._on_event(ServerFailed(payload))
            await self._stage.show_error(payload)
            return
        self._inputs = {}
        self._failures = {}
        for view in self.project.views:
            await self._build(view)
        await self._show_failures()
        await self._restart()

    async def _restart(self) -> None:
        if await self.supervisor.restart(self.project):
            await self._stage.refresh()

    async def _remount(self, bundles: list[Bundle]) -> None:
        for bundle in bundles:
            served = await self._served(bundle.uri)
            if served is not None and served != bundle.html:
                # This server read its pages once, when it started.
                await self._restart()
                return
        for bundle in bundles:
            await self._stage.remount(bundle.uri)

    async def _served(self, uri: str) -> str | None:
        try:
            return (await self.supervisor.resource(uri)).html
        except UserError:
            return None

    async def _build(self, view: View) -> Bundle | None:
        began = time.monotonic()
        try:
            bundle = await asyncio.to_thread(build_bundle, view, root=self.project.root)
            written = check_bundle(bundle, self.project.out) != "fresh"
            if written:
                await asyncio.to_thread(write_bundle, bundle, self.project.out)
        except UserError as exc:
            self._failures[view.name] = error_json(exc)
            self._on_event(BuildFailed(view.name, self._failures[view.name]))
            return None
        self._failures.pop(view.name, None)
        self._inputs[view.name] = frozenset(bundle.inputs)
        took = round((time.monotonic() - began) * 1000)
        self._on_event(BundleReady(view.name, bundle.uri, bundle.size, took, written))
        return bundle

    async def _show_failures(self) -> None:
        await self._stage.show_error(next(iter(self._failures.values()), None))

    def _ready(self) -> Ready:
        tools = self.supervisor.inventory().tools
        return Ready(
            url=self._stage.url,
            sandbox=self._stage.sandbox_url,
            server=self.supervisor.label,
            tools=tuple(str(tool.get("name", "")) for tool in tools),
            ui_tools=tuple(
                str(tool.get("name", "")) for tool in tools if apps_metadata(tool).resource_uri
            ),
        )

    def _relative(self, path: Path) -> str:
        root = self.project.root
        return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
