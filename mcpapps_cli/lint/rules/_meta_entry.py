"""The places where a server writes `_meta`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mcpapps_cli.lint.rule import (
    Place,
    Subject,
)
from mcpapps_cli.model import JsonObject

Entry = tuple[str, JsonObject, Callable[..., Place]]


def meta_entries(subject: Subject) -> Iterator[Entry]:
    """Every entry that can carry `_meta.ui`: its name, itself, and the function for places."""
    for entry in subject.tools:
        yield entry.label, entry.raw, entry.at
    for view in subject.resources:
        if view.raw.listing is not None:
            yield f'"{view.uri}"', view.raw.listing, view.in_listing
        if view.raw.content is not None:
            yield f'"{view.uri}"', view.raw.content, view.in_content
