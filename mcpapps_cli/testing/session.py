"""What the tests of one run share: a loop, a browser, and each server once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcpapps_cli.config import read_project
from mcpapps_cli.config.target import resolve_target
from mcpapps_cli.testing.app import McpApp
from mcpapps_cli.testing.browser import Browser
from mcpapps_cli.testing.loop import Held, Loop
from mcpapps_cli.testing.memory import in_memory
from mcpapps_cli.testing.server import Server, open_server


@dataclass(frozen=True, slots=True)
class _Running:
    held: Held[Server]
    hosts: Mapping[str, Any]


class Session:
    """Makes apps until it is closed.

    Args:
        here: The folder whose project is meant unless a server is named.
        timeout: Seconds for a server's start, and for each of its answers.
    """

    def __init__(self, here: Path, *, timeout: float = 15.0):
        self._here = here
        self._timeout = timeout
        self._loop = Loop()
        self._browser = Browser()
        self._shared: dict[object, _Running] = {}
        self._own: list[_Running] = []

    def app(
        self,
        target: object = None,
        *,
        fresh: bool = False,
        profile: str = "spec",
        theme: str | None = None,
        allow: Iterable[str] = (),
    ) -> McpApp:
        """Return an app; its server is started unless it runs already.

        Args:
            target: TARGET, a server object, or None for the project's own server.
            fresh: Whether the server is this app's alone.
            profile: See `McpApp`.
            theme: See `McpApp`.
            allow: See `McpApp`.

        Raises:
            UserError: there is no such server, or it does not start.
        """
        running = self._running(target, fresh)
        return McpApp(
            running.held.value,
            loop=self._loop,
            browser=self._browser,
            profile=profile,
            theme=theme,
            hosts=running.hosts,
            allow=allow,
        )

    def close(self) -> None:
        """End the browser and every server."""
        try:
            self._browser.close()
        finally:
            for running in (*self._own, *self._shared.values()):
                running.held.release()
            self._loop.close()

    def _running(self, target: object, fresh: bool) -> _Running:
        key = id(target) if in_memory(target) else target
        known = self._shared.get(key)
        if fresh or known is None or known.held.value.client.gone_reason is not None:
            known = self._start(target)
            if fresh:
                self._own.append(known)
            else:
                self._shared[key] = known
        return known

    def _start(self, target: object) -> _Running:
        if in_memory(target):
            manager = open_server(target, timeout=self._timeout)
            # The profiles of the project count for an object of its code, too.
            return _Running(Held(self._loop, manager), read_project(self._here).hosts)
        named = None if target is None else str(target)
        project = resolve_target(named, here=self._here)
        assert project.server is not None
        manager = open_server(project.server, timeout=self._timeout)
        return _Running(Held(self._loop, manager), project.hosts)
