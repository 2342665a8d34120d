"""The link from a tool to its View."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from urllib.parse import unquote

from mcpapps_cli.lint.rule import (
    URI,
    Fault,
    Faults,
    Skip,
    Subject,
    Tool,
    UiResource,
    page,
    resource,
    rule,
    server,
    spec,
    tool,
)
from mcpapps_cli.model import JsonObject
from mcpapps_cli.wire import URI_SCHEME

_TYPO = "ui://app/chrat.html"
_REFUSED = Skip(_TYPO, "the server answered with error -32002: Resource not found", True)
_LATE = Skip("ui://app/slow.html", "the server did not answer within 15 s")


def _html_items(view: UiResource) -> list[JsonObject]:
    return [
        item
        for item in view.raw.contents
        if str(item.get("mimeType", "")).lower().startswith("text/html")
    ]


def _reason(subject: Subject, view: UiResource | None, uri: str) -> str | None:
    """Why the server cannot give the View; None when it can, or when it only did not answer."""
    if view is None:
        return "cannot be read"
    if view.raw.content is None:
        reason = subject.refusal(uri)
        return None if reason is None else f"cannot be read: {reason}"
    if len(html := _html_items(view)) > 1:
        return f"is answered with {len(html)} HTML items, where a host takes one"
    read = view.raw.content.get("uri")
    # A difference in percent-encoding alone is `uri-non-ascii`.
    if not isinstance(read, str):
        return "is answered with an item that has no uri"
    if unquote(read) != unquote(uri):
        return f'is answered with an item whose uri is "{read}"'
    return None


def _help(subject: Subject, uri: str) -> str | None:
    readable = [view.uri for view in subject.resources if view.raw.content is not None]
    close = get_close_matches(uri, [one for one in readable if one != uri], 1)
    return f'did you mean "{close[0]}"?' if close else None


def _tool_fault(subject: Subject, entry: Tool, views: Mapping[str, UiResource]) -> Faults:
    assert entry.uri_path is not None
    place, uri = entry.at(*entry.uri_path), entry.uri
    if not isinstance(uri, str) or not uri.startswith(URI_SCHEME):
        shown = f'"{uri}"' if isinstance(uri, str) else "a value that is no string"
        yield Fault(
            place,
            f'{entry.label} points at {shown}, which is no "{URI_SCHEME}" URI',
            help=f'give the resource a URI that starts with "{URI_SCHEME}"',
            explains=uri if isinstance(uri, str) else None,
        )
    elif reason := _reason(subject, views.get(uri), uri):
        yield Fault(
            place,
            f'{entry.label} points at "{uri}", which {reason}',
            help=_help(subject, uri),
            explains=uri,
        )


@rule(
    "MA101",
    "error",
    why="The host calls resources/read before it draws; a missing resource leaves an empty frame.",
    fix="register the resource, or correct `_meta.ui.resourceUri`",
    source=(spec("Resource Discovery"), spec("Content Requirements")),
    bad=server(tool(uri=_TYPO), resource(_TYPO, contents=(), listed=False), unread=(_REFUSED,)),
    good=server(tool(uri=URI), resource(URI)),
    near=(
        server(tool(), resource(listed=False)),
        server(
            tool(uri="ui://app/slow.html"),
            resource("ui://app/slow.html", contents=(), listed=False),
            unread=(_LATE,),
        ),
        server(tool("plain", meta={"ui": {"visibility": ["app"]}}), tool(), page()),
    ),
)
def resource_uri_dangling(subject: Subject) -> Faults:
    """A tool points at a UI resource the server cannot read."""
    views = {view.uri: view for view in subject.resources}
    for entry in subject.ui_tools:
        yield from _tool_fault(subject, entry, views)
