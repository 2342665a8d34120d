"""URIs that change on their way through a program."""

from __future__ import annotations

import re
from urllib.parse import unquote

from mcpapps_cli.lint.rule import Fault, Faults, Subject, resource, rule, server, spec, tool

_PLAIN = "ui://app/vue-2.html?v=1"
_ODD = re.compile(r"[^\x21-\x7e]")


@rule(
    "MA112",
    "error",
    why=(
        "URL types encode such characters: the tool says one URI and the server knows another, so "
        "the resource is not found. Python servers that use pydantic's AnyUrl do this."
    ),
    fix="use ASCII letters, digits, hyphens and dots in the URI",
    source=(spec("UI Resource Format"), "RFC 3986, section 2"),
    bad=server(tool(uri="ui://app/vüe.html"), resource("ui://app/vüe.html")),
    good=server(tool(uri="ui://app/vue.html"), resource("ui://app/vue.html")),
    near=(
        server(tool(uri=_PLAIN), resource(_PLAIN)),
        server(tool(uri="ui://app/a%20b.html"), resource("ui://app/a%20b.html")),
    ),
)
def uri_non_ascii(subject: Subject) -> Faults:
    """A UI resource's URI has a character that programs encode, or is encoded differently."""
    for entry in subject.ui_tools:
        if isinstance(entry.uri, str) and entry.uri_path and _ODD.search(entry.uri.strip()):
            yield Fault(entry.at(*entry.uri_path), f'{entry.label} links "{entry.uri}"')
    for view in subject.resources:
        if view.raw.listing is not None and not view.tools and _ODD.search(view.uri):
            yield Fault(view.in_listing("uri"), f'"{view.uri}" is not ASCII')
        content = view.raw.content
        read = content.get("uri") if content is not None else None
        if isinstance(read, str) and read != view.uri and unquote(read) == unquote(view.uri):
            yield Fault(view.in_content("uri"), f'"{view.uri}" is answered with the uri "{read}"')
