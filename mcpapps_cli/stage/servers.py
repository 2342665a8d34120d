"""The servers and Views of a stage: which server a tool's name means, and what a page lists."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from mcpapps_cli.errors import McpAppsError, UserError
from mcpapps_cli.host.registry import Collision, RegisteredTool, Registry
from mcpapps_cli.host.visibility import agent_tools
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.model import JsonObject
from mcpapps_cli.stage import host_message as out
from mcpapps_cli.stage.backend import server_name
from mcpapps_cli.stage.emulation import Emulation
from mcpapps_cli.stage.recorder import RecordedBackend, Recorder

if TYPE_CHECKING:
    from mcpapps_cli.stage.backend import Backend


class Servers:
    """Looks tools up as the servers offer them now.

    Args:
        backends: The servers; the first one is the project's own.
        recorder: Where requests and answers are written; None for nowhere.

    Raises:
        UserError: two have one name.
    """

    def __init__(self, backends: Sequence[Backend], *, recorder: Recorder | None = None):
        names = [server_name(backend.name) for backend in backends]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise UserError(
                f'there are two servers named "{twice}"', help="give each server its own name"
            )
        self._first = backends[0]
        self._backends: dict[str, Backend] = {
            name: backend if recorder is None else RecordedBackend(backend, recorder)
            for name, backend in zip(names, backends, strict=True)
        }
        self._registry = Registry(resolve=self._prefer_first)
        for name in self._backends:
            self._registry.add(name)

    def find(self, tool: str, server: str | None) -> Backend:
        """Return the server of a call.

        Args:
            tool: The tool's name.
            server: The server's name; None means the first one that has a tool of that name.

        Raises:
            UserError: there is no such server, or none has a tool of that name.
        """
        if server is None and len(self._backends) == 1:
            return next(iter(self._backends.values()))
        if server is not None and server not in self._backends:
            raise UserError(
                f'there is no server "{server}"', help=f"there is {', '.join(self._backends)}"
            )
        self._look()
        chosen = None if server is not None else self._registry.route(tool)
        if chosen is not None and chosen.source == "app":
            raise UserError(
                f'"{tool}" is a tool of a View: "{chosen.address}"', help="pick it in the list"
            )
        return self._backends[chosen.server if chosen is not None else str(server)]

    def entries(self, emulation: Emulation, views: Collection[str] = ()) -> list[out.ToolEntry]:
        """Return every tool as an emulated host sees it, server by server.

        Args:
            emulation: The host.
            views: Views whose own tools are listed too, under `server/view`.
        """
        self._look()
        provided = [tool for tool in self._registry.tools() if tool.view in views and tool.name]
        hides = emulation.quirks.profile(emulation.profile).hides_app_tools
        return [
            *(
                _entry(tool, name, hides_app_tools=hides)
                for name, backend in self._backends.items()
                for tool in emulation.quirks.tools(_tools(backend))
                if isinstance(tool.get("name"), str)
            ),
            *(
                _entry(tool.tool, f"{tool.server}/{tool.view}", hides_app_tools=hides)
                for tool in provided
            ),
        ]

    def open_view(self, view: str, server: str) -> None:
        """Take a View, which provides no tools yet."""
        self._registry.open_view(view, server_name(server))

    def close_view(self, view: str) -> None:
        """Forget a View and its tools."""
        self._registry.close_view(view)

    def provide(self, view: str, tools: tuple[JsonObject, ...]) -> tuple[Collision, ...]:
        """Take the tools that a View provides now; return the names that became ambiguous."""
        self._look()
        return self._registry.provide(view, tools)

    def first(self, generation: int) -> out.ServerEntry:
        """Return the project's own server as the page shows it."""
        era, version = "", "not connected"
        try:
            inventory = self._first.inventory()
            era, version = inventory.era, inventory.protocol_version
        except McpAppsError:
            # It never answered; a call shows why.
            pass
        return out.ServerEntry(
            name=server_name(self._first.name),
            label=self._first.label,
            era=era,
            protocolVersion=version,
            generation=generation,
        )

    def _prefer_first(self, name: str, candidates: tuple[RegisteredTool, ...]) -> RegisteredTool:
        """Choose among tools of one name: the project's own server comes before the others.

        What a server lists comes before what a View provides.
        """
        order = list(self._backends)
        return min(candidates, key=lambda tool: (tool.source == "app", order.index(tool.server)))

    def _look(self) -> None:
        """Take the servers' tools as they are now."""
        for name, backend in self._backends.items():
            self._registry.list_tools(name, _tools(backend))


def _tools(backend: Backend) -> tuple[JsonObject, ...]:
    try:
        return backend.inventory().tools
    except McpAppsError:
        return ()


def _entry(tool: JsonObject, server: str, *, hides_app_tools: bool) -> out.ToolEntry:
    meta = apps_metadata(tool)
    told = bool(agent_tools((tool,), hides_app_tools=hides_app_tools))
    title, description = tool.get("title"), tool.get("description")
    return out.ToolEntry(
        name=tool["name"],
        server=server,
        title=title if isinstance(title, str) else None,
        description=description if isinstance(description, str) else None,
        inputSchema=tool.get("inputSchema"),
        view=meta.resource_uri,
        visibility=[*(["model"] if told else []), *(["app"] if meta.app_visible else [])],
    )
