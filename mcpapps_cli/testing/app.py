"""The app under test: its server's tools and resources, and its Views in a browser or without."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, Final, Literal
from urllib.parse import urlencode

from mcpapps_cli.errors import McpAppsError, UserError
from mcpapps_cli.host.override import load_host
from mcpapps_cli.model import JsonObject, Resource
from mcpapps_cli.stage import Stage
from mcpapps_cli.testing.browser import Browser
from mcpapps_cli.testing.fault import Allowance
from mcpapps_cli.testing.loop import Held, Loop
from mcpapps_cli.testing.memory_app import MemoryApp, mount_in_memory
from mcpapps_cli.testing.server import Server
from mcpapps_cli.testing.view import AppView
from mcpapps_cli.testing.witness import Witness
from mcpapps_cli.wire import DISPLAY_MODES, THEMES

Mode = Literal["inline", "fullscreen", "pip"]
Until = Literal["initialized", "input", "result", "painted"]
_PANELS: Final = 264 + 372
"""Width of what stands beside the Views on the host page."""
_ROOM: Final = 960
_HEIGHT: Final = 1000


class McpApp:
    """A server and its Views, for code that is not asynchronous.

    Args:
        server: Connected.
        loop: Where it lives.
        browser: For Views.
        profile: The host that Views get unless a call says otherwise.
        theme: The theme that Views get unless a call says otherwise; None is the host's own.
        hosts: The project's own profiles.
        allow: What may be wrong with every View; see `fault.Allowance`.

    Raises:
        UserError: `allow` names no kind of fault.

    Attributes:
        views: The Views that are open, in the order of their mounting.
    """

    def __init__(
        self,
        server: Server,
        *,
        loop: Loop,
        browser: Browser,
        profile: str = "spec",
        theme: str | None = None,
        hosts: Mapping[str, Any] | None = None,
        allow: Iterable[str] = (),
    ):
        self.views: list[AppView] = []
        self.server = server
        self._loop = loop
        self._browser = browser
        self._profile = profile
        self._theme = theme
        self._hosts = hosts or {}
        self._allow = Allowance(allow)

    @property
    def tools(self) -> dict[str, JsonObject]:
        """The server's raw `tools/list` entries by name, as it lists them now."""
        listed = self._loop.run(self.server.client.list_tools())
        return {str(tool.get("name")): tool for tool in listed}

    def call(self, tool: str, args: JsonObject | None = None) -> JsonObject:
        """Call a tool; return the raw `CallToolResult`.

        Args:
            tool: Its name.
            args: Its arguments; default: none.

        Raises:
            UserError: the server has no such tool; `help` names the closest one.
            RpcError: the server answered with an error.
            ServerError: the server is gone.
        """
        self.server.tool(tool)
        return self._loop.run(self.server.client.call_tool(tool, args or {}))

    def read(self, uri: str) -> Resource:
        """Read a resource; `html` is its text, `content` the raw item with its metadata.

        Raises:
            RpcError: the server answered with an error.
            ServerError: the server is gone.
        """
        return self._loop.run(self.server.resource(uri))

    def render(
        self,
        tool: str,
        args: JsonObject | None = None,
        *,
        profile: str | None = None,
        theme: Literal["light", "dark"] | None = None,
        mode: Mode = "inline",
        size: int | tuple[int, int] | None = None,
        quirks: Iterable[str] = (),
        faults: Iterable[str] = (),
        answer: Callable[[str, JsonObject], bool] | bool = True,
        allow: Iterable[str] = (),
        until: Until = "painted",
        timeout: float = 30.0,
    ) -> AppView:
        """Call a tool and mount its View in a headless Chromium.

        Args:
            tool: Its name.
            args: Its arguments.
            profile: The host to emulate, such as `claude`.
            theme: `light` or `dark`.
            mode: The display mode to begin with.
            size: Width of the conversation in CSS pixels, and the most height a View may get.
            quirks: What the host does wrong.
            faults: What goes wrong on demand.
            answer: What a user says to whatever the View asks: always the same, or a function of
                the question's kind (`link`, `message`, `download`, `sampling`) and params.
            allow: What may be wrong with this View; see `fault.Allowance`.
            until: The rung to wait for.
            timeout: Seconds until that.

        Raises:
            UserError: there is no such tool, View, profile, theme or mode; or no browser.
            ViewFault: the View did not come that far; it says at which rung it broke and why.
        """
        name = profile or self._profile
        host = load_host(name, self._hosts)
        chosen = theme or self._theme
        if chosen is None:
            chosen = "dark" if host.context.get("theme") == "dark" else "light"
        _check(chosen, "theme", THEMES)
        _check(mode, "display mode", DISPLAY_MODES)
        if mode not in host.display_modes:
            raise UserError(
                f'the host "{name}" has no display mode "{mode}"',
                help=f"it has {', '.join(host.display_modes)}",
            )
        self.server.view_of(tool)
        allowed = self._allow + Allowance(allow)
        width, height = size if isinstance(size, tuple) else (size, None)
        context = self._browser.new_context(size=_window(width, height, mode), theme=chosen)
        seen = Witness()
        try:
            page = context.new_page()
            stage: Held[Stage] = Held(
                self._loop,
                Stage(
                    self.server,
                    port=0,
                    sandbox_port=0,
                    profile=name,
                    hosts=self._hosts,
                    quirks=tuple(quirks),
                    faults=tuple(faults),
                    answer=answer if callable(answer) else lambda kind, detail: bool(answer),
                    on_event=seen.take,
                ),
            )
        except BaseException:
            context.close()
            raise
        view = AppView(
            tool,
            args or {},
            profile=name,
            theme=chosen,
            page=page,
            loop=self._loop,
            stage=stage,
            seen=seen,
            allow=allowed,
        )
        self.views.append(view)
        query = {
            "tool": tool,
            "args": json.dumps(dict(args or {})),
            "theme": chosen,
            **({"mode": mode} if mode != "inline" else {}),
            **({"width": str(width)} if width else {}),
            **({"height": str(height)} if height else {}),
        }
        view.page.goto(f"{stage.value.url}&{urlencode(query)}")
        view.await_step(until, timeout)
        return view

    def render_in_memory(
        self, tool: str, args: JsonObject | None = None, *, profile: str | None = None
    ) -> MemoryApp:
        """Call a tool and mount a View of ours in the place of its own, without a browser.

        It greets as the official SDK does and keeps what it is told: for tests of what a server
        says to its Views, and of what it answers to them.

        Args:
            tool: The name of a tool with a View.
            args: Its arguments; default: none.
            profile: The host that is played; default: that of the test.

        Raises:
            UserError: there is no such tool, View or profile.
            ViewFault: the resource could not be mounted.
        """
        self.server.view_of(tool)
        host = load_host(profile or self._profile, self._hosts)
        return self._loop.run(mount_in_memory(self.server, tool, args or {}, host, self._loop))

    def drop(self, view: AppView) -> None:
        """Close a View and forget it."""
        self.views.remove(view)
        view.close()

    def close(self) -> None:
        """Close every View, and let other event loops run in this thread."""
        try:
            for view in self.views:
                # A browser that has gone must not keep the next View open.
                with suppress(Exception):
                    view.close()
        finally:
            self.views.clear()
            self._browser.park()


def _check(value: str, what: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise UserError(f'"{value}" is no {what}', help=f"use one of {', '.join(known)}")


def _window(width: int | None, height: int | None, mode: Mode) -> tuple[int, int]:
    room = max(width or 0, _ROOM) if mode == "inline" else width or _ROOM
    margin = 64 if mode == "inline" else 0
    return room + _PANELS + margin, max(_HEIGHT, (height or 0) + 240)


def explained(error: McpAppsError) -> str:
    """Return an error with its details and its help as text."""
    lines = [error.message, *(f"  {line}" for line in error.details)]
    return "\n".join([*lines, f"help: {error.help}"] if error.help else lines)
