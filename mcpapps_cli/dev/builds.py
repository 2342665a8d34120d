"""The Views of a project as they were last built: their bundles, inputs and faults."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection
from pathlib import Path

from mcpapps_cli.bundle import Rebuilds, check_bundle, write_bundle
from mcpapps_cli.dev.event import BuildFailed, BundleReady, DevEvent, error_json
from mcpapps_cli.errors import UserError
from mcpapps_cli.model import Bundle, JsonObject, Project, View


class Builds:
    """Builds Views and keeps what came of it, and the engines for the next build.

    Args:
        on_event: Told each build.

    Attributes:
        inputs: The files that each View's last good build read, by the View's name.
        failures: What is wrong with those that cannot be built, by the View's name.
    """

    def __init__(self, on_event: Callable[[DevEvent], None]):
        self.inputs: dict[str, frozenset[Path]] = {}
        self.failures: dict[str, JsonObject] = {}
        self._on_event = on_event
        self._rebuilds = Rebuilds()

    async def build(self, project: Project, names: Collection[str] | None = None) -> list[Bundle]:
        """Build and write Views; return the bundles of those that could be.

        Args:
            project: Whose Views.
            names: Which of them; None means all.
        """
        views = [view for view in project.views if names is None or view.name in names]
        built = [await self._build(project, view) for view in views]
        return [bundle for bundle in built if bundle is not None]

    async def rebuild(self, project: Project) -> list[Bundle]:
        """Build every View of a project that has changed, and forget the others."""
        self.inputs.clear()
        self.failures.clear()
        return await self.build(project)

    async def close(self) -> None:
        """End the engines that were kept for the next build."""
        await asyncio.to_thread(self._rebuilds.close)

    async def _build(self, project: Project, view: View) -> Bundle | None:
        began = time.monotonic()
        try:
            bundle = await asyncio.to_thread(self._rebuilds.rebuild, view, root=project.root)
            written = check_bundle(bundle, project.out) != "fresh"
            if written:
                await asyncio.to_thread(write_bundle, bundle, project.out)
        except (UserError, OSError) as exc:
            self.failures[view.name] = _error(exc)
            self._on_event(BuildFailed(view.name, self.failures[view.name]))
            return None
        self.failures.pop(view.name, None)
        self.inputs[view.name] = frozenset(bundle.inputs)
        took = round((time.monotonic() - began) * 1000)
        self._on_event(BundleReady(view.name, bundle.uri, bundle.size, took, written))
        return bundle


def _error(exc: UserError | OSError) -> JsonObject:
    if isinstance(exc, UserError):
        return error_json(exc)
    return {"message": f"the bundle could not be written: {exc.strerror or exc}"}
