"""What `$ref` points at, and the names that such types get."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote

from mcpapps_cli.model import Json, Pointer
from mcpapps_cli.typegen.literal import type_name

_COMBINING: Final = ("allOf", "anyOf", "oneOf")
_ITEMS: Final = ("items", "prefixItems", "additionalItems")


class Document:
    """One schema document: its parts by JSON Pointer.

    Args:
        root: The schema of a tool's input or output.
        title: A name for the document itself, should something refer to it.
    """

    def __init__(self, root: Json, title: str):
        self.root = root
        self.title = title

    def find(self, ref: object) -> tuple[Pointer, Json] | None:
        """Return the pointer and the schema that a local `$ref` means, or None."""
        if not isinstance(ref, str) or not (ref == "#" or ref.startswith("#/")):
            return None
        node = self.root
        for part in ref.split("/")[1:]:
            key = unquote(part).replace("~1", "/").replace("~0", "~")
            if isinstance(node, dict) and key in node:
                node = node[key]
            elif isinstance(node, list) and re.fullmatch(r"\d{1,9}", key) and int(key) < len(node):
                node = node[int(key)]
            else:
                return None
        return (ref, node) if isinstance(node, dict | bool) else None

    def is_circular(self, start: str, goal: str, *, items: bool) -> bool:
        """Whether the type at `start` is `goal` itself, or a union or intersection with it.

        Args:
            start: A `$ref`.
            goal: A `$ref`.
            items: Whether a list of `goal` counts too.
        """
        seen: set[str] = set()
        queue = [start]
        while queue:
            ref = queue.pop()
            if ref == goal:
                return True
            if ref not in seen and (found := self.find(ref)) is not None:
                seen.add(ref)
                queue += _parts(found[1], (*_COMBINING, *_ITEMS) if items else _COMBINING)
        return False

    def content(self, ref: str) -> str:
        """Return all that the type at `ref` depends on, as a text to compare."""
        found: dict[str, Json] = {}
        queue = [ref]
        while queue:
            each = queue.pop()
            if each not in found and (target := self.find(each)) is not None:
                found[each] = target[1]
                queue += _refs(target[1])
        return json.dumps([ref.rpartition("/")[2], found], sort_keys=True, default=str)


def _parts(schema: Json, keys: tuple[str, ...]) -> Iterator[str]:
    queue = [schema]
    while queue:
        node = queue.pop()
        if not isinstance(node, dict):
            continue
        if isinstance(ref := node.get("$ref"), str):
            yield ref
        for key in keys:
            branches = node.get(key)
            queue += branches if isinstance(branches, list) else [branches]


def _refs(schema: Json) -> Iterator[str]:
    queue = [schema]
    while queue:
        node = queue.pop()
        if isinstance(node, dict):
            if isinstance(ref := node.get("$ref"), str):
                yield ref
            queue += node.values()
        elif isinstance(node, list):
            queue += node


class Names:
    """The named types of all documents; the same type under the same name is one.

    Args:
        reserved: Names that are not given.
    """

    def __init__(self, reserved: frozenset[str] = frozenset()):
        self._taken: dict[str, None] = dict.fromkeys(reserved)
        self._by_content: dict[str, str] = {}
        self.waiting: list[tuple[str, Document, Pointer, Any]] = []

    def give(self, document: Document, ref: str, schema: Json) -> str:
        """Return the name of the type at `ref`; a new one waits to be written."""
        content = document.content(ref)
        if content not in self._by_content:
            wanted = unquote(ref.rpartition("/")[2]).lstrip("#") or document.title
            name = type_name(wanted, self._taken)
            self._taken[name] = None
            self._by_content[content] = name
            self.waiting.append((name, document, ref, schema))
        return self._by_content[content]
