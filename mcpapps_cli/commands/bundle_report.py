"""What `mcpapps bundle` prints: a line and a table for each View, or one JSON document."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, NamedTuple

from mcpapps_cli.files import shown
from mcpapps_cli.model import Bundle, Notice, View
from mcpapps_cli.words import count

_TABLE: Final = 6


class Built(NamedTuple):
    """A View, its bundle, and the paths as a user would name them."""

    view: View
    bundle: Bundle
    entry: str
    page: str


def rows(built: Sequence[Built]) -> list[str]:
    """Return the lines of the text report, without the last one."""
    width = max(len(each.view.name) for each in built)
    reach = max(len(f"{each.entry} -> {each.page}") for each in built)
    lines = []
    for each in built:
        way = f"{each.entry} -> {each.page}"
        size = _kilobytes(each.bundle.size)
        lines.append(
            f"{each.view.name:<{width}}   {way:<{reach}}   {size:>9}   {parts(each.bundle)}"
        )
        if each.bundle.engine != "none":
            lines += _table(each.bundle)
    return lines


def parts(bundle: Bundle) -> str:
    """Return what a bundle is made of, such as `2 scripts, 1 style, bridge inlined`."""
    counts = Counter(part.kind for part in bundle.inlined)
    found = [count(counts[kind], kind) for kind in ("script", "style", "image") if counts[kind]]
    if counts["bridge"]:
        found.append("bridge")
    inlined = f"{', '.join(found)} inlined" if found else "nothing to inline"
    return f"{inlined}, {len(bundle.external)} external" if bundle.external else inlined


def report_json(built: Sequence[Built], states: dict[str, str] | None = None) -> str:
    """Return the report as JSON."""
    views = [_view_json(each, (states or {}).get(each.view.name)) for each in built]
    return json.dumps({"version": 1, "views": views}, indent=2)


def _view_json(built: Built, state: str | None) -> dict[str, Any]:
    bundle = built.bundle
    found: dict[str, Any] = {
        "name": built.view.name,
        "entry": built.entry,
        "page": built.page,
        "uri": bundle.uri,
        "size": bundle.size,
        "gzip": bundle.gzip,
        "sha256": bundle.sha256,
        "engine": bundle.engine,
        "inlined": [
            {"kind": part.kind, "path": _name(part.path), "size": part.size}
            for part in bundle.inlined
        ],
        "external": list(bundle.external),
        "shares": [asdict(share) for share in bundle.shares],
        "notices": [_notice_json(each) for each in bundle.notices],
        "hints": list(bundle.hints),
    }
    return found if state is None else {**found, "state": state}


def _notice_json(notice: Notice) -> dict[str, Any]:
    return {
        "message": notice.message,
        "help": notice.help,
        "position": asdict(notice.position),
    }


def _name(path: Path) -> str:
    return path.name if path.is_dir() else shown(path)


def _table(bundle: Bundle) -> list[str]:
    whole = [("", bundle.size, bundle.gzip)]
    lines = [(each.name, each.size, each.gzip) for each in bundle.shares[:_TABLE]]
    rest = bundle.shares[_TABLE:]
    if rest:
        name = f"{len(rest)} more"
        lines.append((name, sum(each.size for each in rest), sum(each.gzip for each in rest)))
    width = max(len(name) for name, _, _ in lines) if lines else 0
    return [
        f"    {name or 'together':<{max(width, 8)}}   {_kilobytes(size):>9}   "
        f"{_kilobytes(packed):>9} gzipped"
        for name, size, packed in (*lines, *whole)
    ]


def _kilobytes(size: int) -> str:
    return f"{size / 1000:.1f} kB"
