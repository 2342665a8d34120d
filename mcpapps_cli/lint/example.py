"""Small builders for the examples of rules: a whole server from the one part that matters.

They keep what they are given and make the rest when it is asked for: every lint imports every
rule, and only `explain`, the docs and the tests look at examples.
"""

from __future__ import annotations

import base64
import json
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from mcpapps_cli.lint.observed import NOTHING, Called, Mounted, Observed
from mcpapps_cli.model import Era, Inventory, JsonObject, Project, Resource, Skip, Uri, View
from mcpapps_cli.wire import APPS_VERSION, CORE_LEGACY, CORE_MODERN, EXTENSION_ID, MIME_TYPE

_T = TypeVar("_T")
_SHOWN: Final = 60
URI: Final = "ui://app/chart.html"
UNSET: Final[Any] = object()
"""Stands for a value that an example leaves out, where None would be a JSON null."""
META: Final[Mapping[str, Any]] = {
    "csp": {
        "connectDomains": [],
        "resourceDomains": [],
        "frameDomains": [],
        "baseUriDomains": [],
    },
    "prefersBorder": True,
}
HANDSHAKE: Final = """\
    const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
    addEventListener("message", ({ source, data }) => {
      if (source !== parent) return;
      if (data.id === 1 && data.result) {
        send({ method: "ui/notifications/initialized" });
        send({ method: "ui/notifications/size-changed", params: { height: 120 } });
      } else if (data.method === "ui/notifications/tool-result") {
        document.querySelector("main").textContent = data.params.content[0].text;
      } else if (data.method === "ui/notifications/tool-cancelled") {
        document.querySelector("main").textContent = "Cancelled";
      } else if (data.id !== undefined && data.method) send({ id: data.id, result: {} });
    });
    send({
      id: 1,
      method: "ui/initialize",
      params: {
        protocolVersion: "2026-01-26",
        appInfo: { name: "chart", version: "1.0.0" },
        appCapabilities: { availableDisplayModes: ["inline"] },
      },
    });
"""
"""A script that does all a View must do, so that an example is clean but for its fault."""


@dataclass(frozen=True)
class _Made(Generic[_T]):
    """A value and the text of what matters in it, made when one of them is asked for."""

    make: Callable[[], tuple[_T, str]] = field(repr=False)

    @cached_property
    def _made(self) -> tuple[_T, str]:
        return self.make()

    @property
    def value(self) -> _T:
        """The value."""
        return self._made[0]

    @property
    def shown(self) -> str:
        """What `explain` shows of it."""
        return self._made[1]


@dataclass(frozen=True)
class Example(_Made[Inventory]):
    """An input for a rule and what `explain` shows of it."""

    project: Project | None = None
    observed: Observed = NOTHING
    profiles: tuple[str, ...] = ()

    @property
    def inventory(self) -> Inventory:
        """What the server sends."""
        return self.value


class ToolPart(_Made[JsonObject]):
    """A tool of an example."""


class ResourcePart(_Made[Resource]):
    """A resource of an example."""


@dataclass(frozen=True)
class PagePart(_Made[str]):
    """The document of the example's View."""

    meta: JsonObject = field(default_factory=dict)

    @property
    def html(self) -> str:
        """The document."""
        return self.value


def tool(
    name: str = "chart",
    uri: object = URI,
    *,
    meta: object = UNSET,
    also: JsonObject | None = None,
    **ui: object,
) -> ToolPart:
    """Return a tool that links `uri`.

    Args:
        name: Its name.
        uri: The linked View.
        meta: Replaces all of `_meta`; None leaves it out.
        also: More members of the entry.
        ui: More members of `_meta.ui`.
    """
    shown: dict[str, Any] = {"name": name, **(also or {})}
    if meta is not None:
        shown["_meta"] = {"ui": {"resourceUri": uri, **ui}} if meta is UNSET else meta
    return ToolPart(partial(_entry, shown))


def _entry(own: JsonObject) -> tuple[JsonObject, str]:
    entry = {
        "title": "Chart",
        "description": "Draws a chart.",
        "inputSchema": {"type": "object", "properties": {}},
        "annotations": {"readOnlyHint": True, "destructiveHint": False},
        **own,
    }
    return entry, _dump(own)


def resource(
    uri: Uri = URI,
    *,
    html: str | None = None,
    mime: object = MIME_TYPE,
    listing_mime: object = MIME_TYPE,
    meta: object = META,
    listing_meta: object = META,
    listed: bool = True,
    content: JsonObject | None = None,
    contents: tuple[JsonObject, ...] | None = None,
    read_meta: JsonObject | None = None,
) -> ResourcePart:
    """Return a resource; `meta` and `listing_meta` are the two `_meta.ui`, `UNSET` leaves one out.

    Args:
        uri: Its URI.
        html: The document; None gives a clean one.
        mime: MIME type of the content item.
        listing_mime: MIME type of the listing entry.
        meta: `_meta.ui` of the content item.
        listing_meta: `_meta.ui` of the listing entry.
        listed: Whether `resources/list` names it.
        content: Members that replace those of the content item; `UNSET` removes one.
        contents: The whole list, in place of the one content item.
        read_meta: `_meta` beside `contents`.
    """
    return ResourcePart(
        partial(
            _resource,
            uri,
            html,
            mime,
            listing_mime,
            meta,
            listing_meta,
            listed,
            content,
            contents,
            read_meta,
        )
    )


def _resource(
    uri: Uri,
    html: str | None,
    mime: object,
    listing_mime: object,
    meta: object,
    listing_meta: object,
    listed: bool,
    content: JsonObject | None,
    contents: tuple[JsonObject, ...] | None,
    read_meta: JsonObject | None,
) -> tuple[Resource, str]:
    text = page().html if html is None else html
    entry = _present(uri=uri, name="chart", mimeType=listing_mime, _meta=_ui(listing_meta))
    item = _present(
        **{"uri": uri, "mimeType": mime, "text": text, "_meta": _ui(meta), **(content or {})}
    )
    items = (item,) if contents is None else contents
    chosen = next(iter(items), None)
    value = Resource(
        uri=uri,
        listing=entry if listed else None,
        contents=items,
        content=chosen,
        html=_body(chosen or {}),
        read_meta=read_meta,
    )
    answer = {"contents": [_short(one) for one in items]}
    shown = [f"resources/read  {_dump(answer | _present(_meta=read_meta or UNSET))}"]
    if contents == ():
        shown = []
    if listed:
        shown.insert(0, f"resources/list  {_dump(_short(entry))}")
    return value, "\n".join(shown)


def page(
    body: str = "",
    *,
    more: str = "",
    script: str = HANDSHAKE,
    head: str = "",
    html: str | None = None,
    meta: JsonObject = META,
) -> PagePart:
    """Return a View's document.

    Args:
        body: Markup after the `main` element.
        more: A line of code after the handshake.
        script: Text of the inline script; "" leaves the element out.
        head: Markup at the end of the head.
        html: The whole document, in place of all that.
        meta: `_meta.ui` of the resource, in listing and content.
    """
    return PagePart(partial(_document, body, more, script, head, html, meta), meta)


def _document(
    body: str, more: str, script: str, head: str, html: str | None, meta: JsonObject
) -> tuple[str, str]:
    code = script + (f"    {more}\n" if more else "")
    own = "" if code == HANDSHAKE or not code else more or textwrap.dedent(code).strip()
    shown = [head.rstrip(), body.rstrip(), own and f"<script>\n{own}\n</script>"]
    if meta != META:
        shown.insert(0, f'"_meta": {_dump({"ui": meta})}')
    if html is not None:
        shown.append(html.replace(HANDSHAKE, "    …\n").rstrip())
    else:
        element = f"  <script>\n{code}  </script>\n" if code else ""
        html = (
            '<!doctype html>\n<html lang="en">\n<head>\n  <meta charset="utf-8">\n'
            f"  <title>Chart</title>\n{head}</head>\n<body>\n  <main>No data yet</main>\n"
            f"{body}{element}</body>\n</html>\n"
        )
    return html, "\n".join(filter(None, shown)) or html.rstrip()


def server(
    *parts: ToolPart | ResourcePart | PagePart,
    capabilities: JsonObject | None = None,
    era: Era = "legacy",
    unread: tuple[Skip, ...] = (),
    project: Project | None = None,
    observed: Observed = NOTHING,
    profiles: tuple[str, ...] = (),
    shown: str = "",
) -> Example:
    """Return a server made of `parts`, and of a clean tool and View where `parts` has none.

    Args:
        parts: Tools, resources and pages.
        capabilities: The server's; None declares the extension.
        era: Which handshake was used.
        unread: What could not be had.
        project: The project that the server belongs to.
        observed: What was seen beside the inventory.
        profiles: Hosts that the server is checked for.
        shown: What `explain` shows, where the parts do not show the fault.
    """
    make = partial(_server, parts, capabilities, era, unread, project, observed, shown)
    return Example(make, project, observed, profiles)


def _server(
    parts: tuple[ToolPart | ResourcePart | PagePart, ...],
    capabilities: JsonObject | None,
    era: Era,
    unread: tuple[Skip, ...],
    project: Project | None,
    observed: Observed,
    shown: str,
) -> tuple[Inventory, str]:
    tools = [part.value for part in parts if isinstance(part, ToolPart)]
    resources = [part.value for part in parts if isinstance(part, ResourcePart)]
    resources += [
        resource(html=part.html, meta=part.meta, listing_meta=part.meta).value
        for part in parts
        if isinstance(part, PagePart)
    ]
    declared = {"extensions": {EXTENSION_ID: {}}} if capabilities is None else capabilities
    inventory = Inventory(
        era=era,
        protocol_version=CORE_LEGACY if era == "legacy" else CORE_MODERN,
        server_info={"name": "example", "version": "1.0.0"},
        capabilities=declared,
        tools=tuple(tools or [tool().value]),
        resources=tuple(resources or [resource().value]),
        unread=unread,
    )
    lines = [part.shown for part in parts if part.shown]
    lines += [f"resources/read  {skip.reason}" for skip in unread]
    if capabilities is not None:
        lines.insert(0, f'"capabilities": {_dump(capabilities)}')
    for view in project.views if project is not None else ():
        lines += [f"[tool.mcpapps.views.{view.name}]", f'uri = "{view.uri}"']
    lines += [f"{one.tool} -> {_dump(one.result)}" for one in observed.calls]
    return inventory, shown or "\n".join(lines)


def example_project(uri: Uri = URI) -> Project:
    """Return a project with one View, whose URI is `uri`."""
    root = Path("/project")
    view = View(name="chart", entry=root / "views" / "chart.html", uri=uri)
    return Project(root=root, name="project", out=root / "built", views=(view,))


def called(
    *content: object, tool: str = "chart", structured: object = UNSET, **members: object
) -> Observed:
    """Return one sample call with its result.

    Args:
        content: The blocks; a string is a text block.
        tool: The tool called.
        structured: `structuredContent`.
        members: More members of the result.
    """
    blocks = [{"type": "text", "text": one} if isinstance(one, str) else one for one in content]
    result = _present(content=blocks, structuredContent=structured, **members)
    return Observed(calls=(Called(tool, {}, result),))


def mounted(**did: Any) -> Observed:
    """Return what a View with a clean handshake did in a browser; `did` replaces members."""
    hello = {"protocolVersion": APPS_VERSION, "appInfo": {}, "appCapabilities": {}}
    members = {"initialize": hello, "initialized": True, **did}
    return Observed(mounted=(Mounted(URI, "chart", **members),))


def _ui(value: object) -> object:
    return UNSET if value is UNSET else {"ui": value}


def _present(**members: object) -> dict[str, Any]:
    return {key: value for key, value in members.items() if value is not UNSET}


def _body(item: JsonObject) -> str | None:
    if isinstance(item.get("text"), str):
        return str(item["text"])
    try:
        return base64.b64decode(item.get("blob", "-"), validate=True).decode("utf-8")
    except (TypeError, ValueError):
        return None


def _short(entry: JsonObject) -> JsonObject:
    # What is clean anyway would hide the fault in the text that `explain` shows.
    shown = {key: value for key, value in entry.items() if value != {"ui": META}}
    for key in ("text", "blob"):
        value = shown.get(key)
        if isinstance(value, str) and len(value) > _SHOWN:
            shown[key] = f"{value[:15]}… ({len(value)} characters)"
    return shown


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
