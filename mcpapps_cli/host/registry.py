"""Several servers and the Views of each: whose tool a name means, and what a View may see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from mcpapps_cli.errors import UserError
from mcpapps_cli.host.visibility import agent_tools
from mcpapps_cli.model import JsonObject

ToolSource = Literal["app", "server"]
"""Who provides a tool: a View that is open, or its server."""


@dataclass(frozen=True, slots=True)
class RegisteredTool:
    """A tool and where it comes from; names are never changed.

    Attributes:
        tool: The raw entry.
        server: The server's name in the registry.
        source: Who provides it.
        view: The View that provides it; None for a server's tool.
    """

    tool: JsonObject
    server: str
    source: ToolSource
    view: str | None = None

    @property
    def name(self) -> str:
        """Its name as listed; the empty string for an entry without one."""
        name = self.tool.get("name")
        return name if isinstance(name, str) else ""

    @property
    def address(self) -> str:
        """A name that no other tool of the registry has: `server/name` or `server/view/name`."""
        return "/".join(filter(None, (self.server, self.view, self.name)))


@dataclass(frozen=True, slots=True)
class Collision:
    """A name that has come to mean more than one tool."""

    name: str
    tools: tuple[RegisteredTool, ...]


class UnknownTool(UserError):
    """No server and no View has a tool of that name."""


class AmbiguousTool(UserError):
    """Several tools have that name; `candidates` are they."""

    def __init__(self, name: str, candidates: tuple[RegisteredTool, ...]):
        addresses = ", ".join(f'"{tool.address}"' for tool in candidates)
        super().__init__(
            f'"{name}" is the name of {len(candidates)} tools: {addresses}',
            help="name the server too",
        )
        self.candidates = candidates


Resolver = Callable[[str, tuple[RegisteredTool, ...]], RegisteredTool]
"""Chooses one of several tools of one name; must return one of those given."""


@dataclass(slots=True)
class _Server:
    tools: tuple[JsonObject, ...]
    failure: str | None


@dataclass(slots=True)
class _View:
    server: str
    tools: tuple[JsonObject, ...] = ()


class Registry:
    """The tools of every server and of every open View, looked up as they are now.

    The methods that change something return the names that have become ambiguous by it.

    Args:
        resolve: Chooses among tools of one name; without it such a name is an error.
    """

    def __init__(self, *, resolve: Resolver | None = None):
        self._resolve = resolve
        self._servers: dict[str, _Server] = {}
        self._views: dict[str, _View] = {}
        self._closed = False

    # --- servers

    @property
    def servers(self) -> tuple[str, ...]:
        """The names of all servers, sorted."""
        return tuple(sorted(self._servers))

    @property
    def failures(self) -> Mapping[str, str]:
        """Why the tools of a server could not be listed, by server."""
        return {
            name: server.failure
            for name, server in self._servers.items()
            if server.failure is not None
        }

    def add(
        self, server: str, tools: Iterable[JsonObject] = (), *, failure: str | None = None
    ) -> tuple[Collision, ...]:
        """Add a server.

        Args:
            server: A name of its own.
            tools: Its raw `tools/list` entries.
            failure: Why they could not be listed.

        Raises:
            UserError: the name is taken or empty, or the registry is closed.
        """
        if self._closed:
            raise UserError(f'the server "{server}" came after the registry was closed')
        if not server or "/" in server:
            raise UserError(f'"{server}" is no name for a server', help='use a name without "/"')
        if server in self._servers:
            raise UserError(
                f'there are two servers named "{server}"', help="give each server its own name"
            )
        before = self._ambiguous()
        self._servers[server] = _Server(_objects(tools), failure)
        return self._new(before)

    def list_tools(
        self, server: str, tools: Iterable[JsonObject], *, failure: str | None = None
    ) -> tuple[Collision, ...]:
        """Take a server's tools as they were listed again.

        Raises:
            UserError: there is no such server.
        """
        known = self._server(server)
        before = self._ambiguous()
        known.tools, known.failure = _objects(tools), failure
        return self._new(before)

    def remove(self, server: str) -> tuple[str, ...]:
        """Remove a server; return its Views, which have to be closed, in order of opening.

        Raises:
            UserError: there is no such server.
        """
        self._server(server)
        views = self.views_of(server)
        for view in views:
            del self._views[view]
        del self._servers[server]
        return views

    def close(self) -> tuple[str, ...]:
        """Remove every server; return their Views. Nothing can be added any more."""
        views = tuple(self._views)
        self._views.clear()
        self._servers.clear()
        self._closed = True
        return views

    # --- Views

    def open_view(self, view: str, server: str) -> None:
        """Take a View of a server, which provides no tools yet.

        Raises:
            UserError: there is no such server, or a View of that name is open.
        """
        self._server(server)
        if view in self._views:
            raise UserError(f'the View "{view}" is open already')
        self._views[view] = _View(server)

    def close_view(self, view: str) -> None:
        """Forget a View and its tools; nothing happens when it is not open."""
        self._views.pop(view, None)

    def provide(self, view: str, tools: Iterable[JsonObject]) -> tuple[Collision, ...]:
        """Take the tools that a View provides: the effect `AppTools`.

        Raises:
            UserError: the View is not open.
        """
        known = self._view(view)
        before = self._ambiguous()
        known.tools = _objects(tools)
        return self._new(before)

    def views_of(self, server: str) -> tuple[str, ...]:
        """Return the open Views of a server, in the order of opening."""
        return tuple(name for name, view in self._views.items() if view.server == server)

    def tools_for(self, view: str) -> tuple[JsonObject, ...]:
        """Return what a View may know of: every raw entry of its own server, and no other.

        That is `Mounting.tools` and the event `ToolsListed`; whether the View may call one of
        them is decided by its visibility.

        Raises:
            UserError: the View is not open.
        """
        return self._server(self._view(view).server).tools

    # --- tools

    def tools(self) -> tuple[RegisteredTool, ...]:
        """Return every tool, by server, then those of Views before the server's, then by name."""
        found = [
            RegisteredTool(tool, name, "server")
            for name, server in self._servers.items()
            for tool in server.tools
        ]
        found.extend(
            RegisteredTool(tool, view.server, "app", name)
            for name, view in self._views.items()
            for tool in view.tools
        )
        return tuple(
            sorted(found, key=lambda tool: (tool.server, tool.source, tool.name, tool.view or ""))
        )

    def model_tools(self, *, hides_app_tools: bool = True) -> tuple[RegisteredTool, ...]:
        """Return the tools that the model is told of, in the same order.

        Args:
            hides_app_tools: `Profile.hides_app_tools`.
        """
        return tuple(
            tool
            for tool in self.tools()
            if agent_tools((tool.tool,), hides_app_tools=hides_app_tools)
        )

    def route(self, name: str) -> RegisteredTool:
        """Return the tool that a name means.

        Raises:
            UnknownTool: there is none.
            AmbiguousTool: there are several, and nobody chooses.
            UserError: the resolver failed, or chose none of them.
        """
        candidates = tuple(tool for tool in self.tools() if tool.name == name)
        if not candidates:
            raise UnknownTool(f'no server has a tool "{name}"')
        if len(candidates) == 1:
            return candidates[0]
        if self._resolve is None:
            raise AmbiguousTool(name, candidates)
        try:
            chosen = self._resolve(name, candidates)
        except UserError:
            raise
        except Exception as exc:
            raise UserError(f'the resolver failed for "{name}": {exc}') from exc
        if chosen not in candidates:
            raise UserError(f'the resolver chose no tool named "{name}"')
        return chosen

    def route_on(self, server: str, name: str, *, view: str | None = None) -> RegisteredTool:
        """Return a tool of one server; one that a View provides comes before the server's own.

        Args:
            server: The server.
            name: The tool's name.
            view: Only what this View provides.

        Raises:
            UserError: there is no such server.
            UnknownTool: it has no such tool.
            AmbiguousTool: several of its Views provide it.
        """
        self._server(server)
        candidates = tuple(
            tool
            for tool in self.tools()
            if tool.server == server and tool.name == name and view in (None, tool.view)
        )
        if not candidates:
            where = f'the server "{server}"' if view is None else f'the View "{view}"'
            raise UnknownTool(f'{where} has no tool "{name}"')
        provided = tuple(tool for tool in candidates if tool.source == "app")
        if len(provided) > 1:
            raise AmbiguousTool(name, provided)
        return (provided or candidates)[0]

    def _ambiguous(self) -> dict[str, tuple[RegisteredTool, ...]]:
        by_name: dict[str, list[RegisteredTool]] = {}
        for tool in self.tools():
            by_name.setdefault(tool.name, []).append(tool)
        return {name: tuple(tools) for name, tools in by_name.items() if len(tools) > 1}

    def _new(self, before: Mapping[str, object]) -> tuple[Collision, ...]:
        return tuple(
            Collision(name, tools)
            for name, tools in self._ambiguous().items()
            if name not in before
        )

    def _server(self, name: str) -> _Server:
        if name not in self._servers:
            raise UserError(f'there is no server "{name}"')
        return self._servers[name]

    def _view(self, name: str) -> _View:
        if name not in self._views:
            raise UserError(f'there is no View "{name}"')
        return self._views[name]


def _objects(tools: Iterable[JsonObject]) -> tuple[JsonObject, ...]:
    # A faulty server may list anything, also things that are no objects.
    return tuple(tool for tool in tools if isinstance(tool, Mapping))
