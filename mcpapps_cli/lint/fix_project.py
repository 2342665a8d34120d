"""Adds origins to the tables of Views in a project file, keeping every other byte."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from mcpapps_cli.model import Uri, View

_RULES = {
    "resourceDomains": "undeclared-resource-origin",
    "connectDomains": "undeclared-connect-origin",
}


@dataclass(slots=True)
class Origins:
    """The origins to declare, by View and list."""

    _found: dict[Uri, dict[str, list[str]]] = field(default_factory=dict)

    def add(self, uri: Uri, key: str, origin: str) -> None:
        """Take one origin for one list of one View."""
        origins = self._found.setdefault(uri, {}).setdefault(key, [])
        if origin and origin not in origins:
            origins.append(origin)

    def __bool__(self) -> bool:
        return bool(self._found)

    def of(self, uri: Uri) -> dict[str, list[str]]:
        """Return the origins of one View by list."""
        return self._found.get(uri, {})

    def lists(self) -> Iterator[str]:
        """Yield the lists that get an origin."""
        for lists in self._found.values():
            yield from lists

    @staticmethod
    def rule(key: str) -> str:
        """Return the rule whose findings a list corrects."""
        return _RULES.get(key, "csp-on-tool")


def add_origins(text: str, prefix: str, views: Iterable[View], origins: Origins) -> str:
    """Return a project file with the origins added, or unchanged where that is not certain.

    Args:
        text: The file.
        prefix: What stands before `views` in a table's name, such as `tool.mcpapps.`.
        views: The Views that the file declares.
        origins: What to add.
    """
    for view in views:
        wanted = origins.of(view.uri)
        if not wanted:
            continue
        changed = _with_csp(text, f"{prefix}views.{view.name}", wanted)
        if changed is not None and _is_right(text, changed, prefix, view.name, wanted):
            text = changed
    return text


def _with_csp(text: str, table: str, wanted: dict[str, list[str]]) -> str | None:
    header = re.search(rf"^\[{re.escape(table)}\][^\n]*\n", text, re.MULTILINE)
    if header is None:
        return None
    following = re.search(r"^\[", text[header.end() :], re.MULTILINE)
    end = len(text) if following is None else header.end() + following.start()
    body = text[header.end() : end]
    line = re.search(r"^csp[ \t]*=[ \t]*(\{[^\n]*\})[ \t]*$", body, re.MULTILINE)
    if line is not None:
        lists = _merged(_inline(line[1]), wanted)
        if lists is None:
            return None
        start = header.end() + line.start(1)
        return text[:start] + _table(lists) + text[header.end() + line.end(1) :]
    if re.search(r"^csp\b", body, re.MULTILINE) or f"[{table}.csp]" in text:
        return None
    kept = body.rstrip("\r\n")
    at = header.end() + len(kept)
    lists = _merged({}, wanted) or {}
    break_ = "" if not kept else ("\r\n" if "\r\n" in body else "\n")
    tail = text[at:]
    return text[:at] + f"{break_}csp = {_table(lists)}" + (tail if tail else "\n")


def _inline(value: str) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = tomllib.loads(f"csp = {value}\n")["csp"]
    except tomllib.TOMLDecodeError:
        return None
    return found


def _merged(
    lists: dict[str, Any] | None, wanted: dict[str, list[str]]
) -> dict[str, list[str]] | None:
    if lists is None or not all(isinstance(value, list) for value in lists.values()):
        return None
    merged = {key: list(value) for key, value in lists.items()}
    for key, origins in wanted.items():
        own = merged.setdefault(key, [])
        own += [origin for origin in origins if origin not in own]
    return merged


def _table(lists: dict[str, list[str]]) -> str:
    # A JSON string of an origin is a TOML string too.
    members = (f"{key} = {json.dumps(value)}" for key, value in lists.items())
    return "{ " + ", ".join(members) + " }"


def _is_right(
    before: str, after: str, prefix: str, name: str, wanted: dict[str, list[str]]
) -> bool:
    """Whether the new file says what the old one did, and the origins, and nothing else."""
    try:
        old, new = tomllib.loads(before), tomllib.loads(after)
    except tomllib.TOMLDecodeError:
        return False
    view: Any = old
    for key in [part for part in prefix.split(".") if part] + ["views", name]:
        view = view[key]
    view["csp"] = _merged(view.get("csp", {}), wanted)
    return bool(old == new)
