"""Tools that point at a View which is not there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from mcpapps_cli import wire
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.model import JsonObject
from mcpapps_cli.server.check import checked_list

_EXPRESSION = re.compile(r"\{([^{}]*)\}")


def reference_warnings(
    tools: Iterable[JsonObject],
    resources: Iterable[JsonObject],
    templates: Iterable[JsonObject] = (),
) -> tuple[str, ...]:
    """Return a line for every tool whose View cannot be read, or would not be shown.

    A server must have every resource that its tools name (specification, Resource Discovery). It
    may serve some that it does not list, which is why these are warnings.

    Args:
        tools: Raw `tools/list` entries.
        resources: Raw `resources/list` entries.
        templates: Raw `resources/templates/list` entries.

    Entries that are no objects, or name no URI, count as absent.

    Raises:
        ValueError: One of the three is no list.
    """
    types = {uri: each.get("mimeType") for uri, each in _named("resources", resources, "uri")}
    patterns = [
        (_pattern(template), each.get("mimeType"))
        for template, each in _named("templates", templates, "uriTemplate")
    ]
    return tuple(_warnings(_objects("tools", tools), types, patterns))


def _objects(argument: str, entries: object) -> Iterator[JsonObject]:
    for entry in checked_list(argument, entries, "a list of objects"):
        if isinstance(entry, Mapping):
            yield entry


def _named(argument: str, entries: object, key: str) -> Iterator[tuple[str, JsonObject]]:
    for entry in _objects(argument, entries):
        if isinstance(name := entry.get(key), str):
            yield name, entry


def _warnings(
    tools: Iterable[JsonObject],
    types: dict[str, object],
    patterns: list[tuple[re.Pattern[str], object]],
) -> Iterator[str]:
    for tool in tools:
        uri = apps_metadata(tool).resource_uri
        if uri is None:
            continue
        about = f'tool "{tool.get("name")}" names "{uri}"'
        found = [types[uri]] if uri in types else [t for p, t in patterns if p.fullmatch(uri)]
        if not found:
            yield f"{about}, which is neither a registered resource nor matched by a template"
        elif found[0] != wire.MIME_TYPE:
            yield f'{about}, whose media type is "{found[0]}" and not "{wire.MIME_TYPE}"'


def _pattern(template: str) -> re.Pattern[str]:
    # RFC 6570: a variable stays within its path segment unless an operator says otherwise.
    parts: list[str] = []
    end = 0
    for found in _EXPRESSION.finditer(template):
        parts.append(re.escape(template[end : found.start()]))
        body = found[1]
        if body.startswith(("?", "&")):
            parts.append("(?:[?&].*)?")
        elif body.startswith(("+", "#")) or body.endswith("*"):
            parts.append(".+")
        elif body.startswith((".", "/", ";")):
            parts.append(f"{re.escape(body[0])}[^/?#]*")
        else:
            parts.append("[^/?#]+")
        end = found.end()
    parts.append(re.escape(template[end:]))
    return re.compile("".join(parts))
