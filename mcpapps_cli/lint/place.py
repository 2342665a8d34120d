"""Where a fault is, on the wire or in a text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcpapps_cli.model import JsonObject, Position

EXCERPT_CHARS = 240
"""An excerpt longer than this is cut, so that one huge value cannot fill a report."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a fault is: a JSON Pointer on the wire or a position in a text, never both.

    Attributes:
        subject: The thing as the user calls it, such as `tool "chart"` or a URI.
        pointer: See `model.Finding.pointer`.
        position: See `model.Finding.position`.
        excerpt: See `model.Finding.excerpt`.
    """

    subject: str
    pointer: str | None = None
    position: Position | None = None
    excerpt: str = ""


def json_place(subject: str, base: str, value: object, path: Sequence[str | int]) -> Place:
    """Return the place of `path` inside the JSON document `value`, which `base` names.

    A step that is not there ends the excerpt, not the pointer, so a rule may point at what is
    missing.
    """
    found: Any = value
    for step in path:
        try:
            found = found[step]
        except (KeyError, IndexError, TypeError):
            return Place(subject, pointer=base + "#" + _pointer(path))
    excerpt = ""
    if path:
        excerpt = _clip(json.dumps(found, ensure_ascii=False, default=str))
        if isinstance(path[-1], str):
            excerpt = f"{json.dumps(path[-1], ensure_ascii=False)}: {excerpt}"
    return Place(subject, pointer=base + "#" + _pointer(path), excerpt=excerpt)


def _pointer(path: Sequence[str | int]) -> str:
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def _clip(text: str) -> str:
    return text if len(text) <= EXCERPT_CHARS else text[: EXCERPT_CHARS - 1] + "…"


def as_object(value: object) -> JsonObject:
    """Return `value` when it is a JSON object, else an empty one."""
    return value if isinstance(value, Mapping) else {}
