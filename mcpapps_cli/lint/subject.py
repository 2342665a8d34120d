"""What a check reads: a server's inventory with the page of every View parsed once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mcpapps_cli.lint.observed import NOTHING, Mounted, Observed
from mcpapps_cli.lint.place import Place, as_object, json_place
from mcpapps_cli.lint.served import Served
from mcpapps_cli.markup.page import Page, is_html, read_page
from mcpapps_cli.metadata import AppsMetadata, apps_metadata
from mcpapps_cli.model import Csp, Inventory, JsonObject, Project, Resource, Uri
from mcpapps_cli.wire import FLAT_URI_KEY


@dataclass(frozen=True)
class Tool:
    """One entry of `tools/list`."""

    index: int
    raw: JsonObject

    @cached_property
    def name(self) -> str:
        """The tool's name, or its 0-based index in brackets when it has none."""
        name = self.raw.get("name")
        return name if isinstance(name, str) and name else f"[{self.index}]"

    @property
    def label(self) -> str:
        """The tool as a message names it."""
        return f'tool "{self.name}"'

    @cached_property
    def meta(self) -> JsonObject:
        """`_meta` as received; empty when it is no object."""
        return as_object(self.raw.get("_meta"))

    @cached_property
    def ui(self) -> JsonObject:
        """`_meta.ui` as received; empty when it is no object."""
        return as_object(self.meta.get("ui"))

    @cached_property
    def apps(self) -> AppsMetadata:
        """The metadata as a tolerant host reads it."""
        return apps_metadata(self.raw)

    @cached_property
    def uri_path(self) -> tuple[str, ...] | None:
        """Path of the key that links the View: the nested one first, then the flat one."""
        if "resourceUri" in self.ui:
            return ("_meta", "ui", "resourceUri")
        return ("_meta", FLAT_URI_KEY) if FLAT_URI_KEY in self.meta else None

    @cached_property
    def uri(self) -> object:
        """The value of that key, of whatever type; None when there is no key."""
        if self.uri_path is None:
            return None
        return self.ui["resourceUri"] if len(self.uri_path) == 3 else self.meta[FLAT_URI_KEY]

    def at(self, *path: str | int) -> Place:
        """Return the place of `path` inside this entry."""
        return json_place(self.label, f"tools/{self.name}", self.raw, path)


@dataclass(frozen=True)
class UiResource:
    """One UI resource: what lists it, what it serves and which tools link it."""

    raw: Resource
    tools: tuple[Tool, ...]
    _pages: dict[str, Page] = field(repr=False, compare=False)

    @property
    def uri(self) -> Uri:
        """The URI by which a tool or the listing names it."""
        return self.raw.uri

    @cached_property
    def listing_ui(self) -> JsonObject:
        """`_meta.ui` of the listing entry; empty when there is none."""
        return as_object(as_object((self.raw.listing or {}).get("_meta")).get("ui"))

    @cached_property
    def content_ui(self) -> JsonObject:
        """`_meta.ui` of the content item; empty when there is none."""
        return as_object(as_object((self.raw.content or {}).get("_meta")).get("ui"))

    @cached_property
    def apps(self) -> AppsMetadata:
        """The metadata a host uses: the whole object of the content item, else the listing's."""
        return apps_metadata(self.raw.content or {}, listing=self.raw.listing)

    @property
    def ui(self) -> JsonObject:
        """The `_meta.ui` object that a host uses; empty when there is none."""
        return self.apps.raw or {}

    def in_ui(self, *path: str | int) -> Place:
        """Return the place of `path` inside that object."""
        at = self.in_listing if self.apps.placement == "listing" else self.in_content
        return at("_meta", "ui", *path)

    @property
    def csp(self) -> Csp | None:
        """The declared origins; None when `csp` is absent."""
        return self.apps.csp

    @cached_property
    def page(self) -> Served | None:
        """The parsed page; None when the body is missing or not an HTML document."""
        html = self.raw.html
        if html is None or not is_html(html):
            return None
        if html not in self._pages:
            self._pages[html] = read_page(html)
        return Served(self.uri, self._pages[html])

    def in_listing(self, *path: str | int) -> Place:
        """Return the place of `path` inside the `resources/list` entry."""
        return json_place(self.uri, f"resources/list/{self.uri}", self.raw.listing, path)

    def in_read(self, *path: str | int) -> Place:
        """Return the place of `path` inside the whole `resources/read` answer."""
        answer: dict[str, Any] = {"contents": list(self.raw.contents)}
        if self.raw.read_meta is not None:
            answer["_meta"] = self.raw.read_meta
        return json_place(self.uri, f"resources/read/{self.uri}", answer, path)

    def in_content(self, *path: str | int) -> Place:
        """Return the place of `path` inside the content item that hosts take."""
        index = next((i for i, c in enumerate(self.raw.contents) if c is self.raw.content), 0)
        return self.in_read("contents", index, *path)


@dataclass(frozen=True)
class Subject:
    """Everything a check may look at.

    Attributes:
        inventory: What the server sent.
        project: The project, when the server belongs to one.
        observed: What was seen beside the inventory.
        profiles: Names of the hosts that the server is checked for, beside the specification.
        focus: The one View to look at; None for all of them.
        whole: The subject of which this is a part, which has the tools read already.
    """

    inventory: Inventory
    project: Project | None = None
    observed: Observed = NOTHING
    profiles: frozenset[str] = frozenset()
    focus: UiResource | None = None
    whole: Subject | None = field(default=None, repr=False)

    def alone(self, view: UiResource) -> Subject:
        """Return the part of this subject that is one View with all tools.

        Its page is forgotten with it.
        """
        fresh = UiResource(view.raw, view.tools, {})
        return Subject(self.inventory, self.project, self.observed, self.profiles, fresh, self)

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """Every tool whose entry is an object, in the order of the list."""
        if self.whole is not None:
            return self.whole.tools
        return tuple(
            Tool(index, raw)
            for index, raw in enumerate(self.inventory.tools)
            if isinstance(raw, Mapping)
        )

    @cached_property
    def tool_names(self) -> Mapping[str, Tool]:
        """The tools by name; the first of those that share one."""
        if self.whole is not None:
            return self.whole.tool_names
        return {tool.name: tool for tool in reversed(self.tools)}

    @cached_property
    def ui_tools(self) -> tuple[Tool, ...]:
        """The tools that carry a link to a View, whatever its value."""
        if self.whole is not None:
            return self.whole.ui_tools
        return tuple(tool for tool in self.tools if tool.uri_path is not None)

    @cached_property
    def resources(self) -> tuple[UiResource, ...]:
        """Every UI resource, in the order of the inventory, or the one in focus."""
        if self.focus is not None:
            return (self.focus,)
        linked: dict[Uri, list[Tool]] = {}
        for tool in self.ui_tools:
            if isinstance(tool.uri, str):
                linked.setdefault(tool.uri, []).append(tool)
        pages: dict[str, Page] = {}
        return tuple(
            UiResource(raw, tuple(linked.get(raw.uri, ())), pages)
            for raw in self.inventory.resources
        )

    @cached_property
    def mounted(self) -> tuple[Mounted, ...]:
        """What the Views of this subject did in a browser."""
        uris = {view.uri for view in self.resources}
        return tuple(one for one in self.observed.mounted if one.uri in uris)

    def refusal(self, uri: Uri) -> str | None:
        """Return why the server answered that it has no such resource, or with nothing usable.

        None when it was read, and also when it was asked and gave no answer: that says nothing
        about the resource.
        """
        return next(
            (
                skip.reason
                for skip in self.inventory.unread
                if skip.subject == uri and skip.answered
            ),
            None,
        )

    @cached_property
    def pages(self) -> tuple[tuple[UiResource, Served], ...]:
        """Every UI resource whose body is an HTML document, with its page."""
        return tuple(
            (resource, resource.page) for resource in self.resources if resource.page is not None
        )
