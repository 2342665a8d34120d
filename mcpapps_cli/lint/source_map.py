"""Places in the files from which a script was built, through the source map in the page."""

from __future__ import annotations

import base64
import binascii
import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

from mcpapps_cli.model import Position

_COMMENT: Final = re.compile(
    r"//[#@]\s*sourceMappingURL=data:application/json(?:;charset=[\w-]+)?"
    r"(?P<base64>;base64)?,(?P<data>[^\s'\"]+)\s*$"
)
_DIGITS: Final = {
    char: value
    for value, char in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
_TAIL: Final = 16 * 2**20


@dataclass(frozen=True, slots=True)
class SourceMap:
    """One decoded map.

    Attributes:
        sources: Names of the files.
        contents: Their texts; None where the map has none.
        lines: Per generated line the segments: column, source, line, column, all from 0.
    """

    sources: tuple[str, ...]
    contents: tuple[str | None, ...]
    lines: tuple[tuple[tuple[int, int, int, int], ...], ...]

    def place(self, line: int, column: int, length: int) -> Position | None:
        """Return the original place of a generated one, both from 0; None when there is none."""
        segments = self.lines[line] if line < len(self.lines) else ()
        index = bisect_right(segments, (column, len(self.sources), 0, 0)) - 1
        if index < 0:
            return None
        _, source, row, start = segments[index]
        text = self.contents[source]
        rows = [] if text is None else text.splitlines()
        shown = rows[row] if row < len(rows) else ""
        fits = max(1, min(length, len(shown) - start))
        return Position(self.sources[source], row + 1, start + 1, fits, shown)


def find_map(script: str) -> SourceMap | None:
    """Return the source map inside a script; None when it has none that can be read."""
    at = script.rfind("sourceMappingURL=data:")
    start = script.rfind("\n", 0, at) + 1 if at >= 0 else 0
    match = _COMMENT.search(script, start, start + _TAIL) if at >= 0 else None
    if match is None:
        return None
    try:
        raw = base64.b64decode(match["data"]) if match["base64"] else unquote(match["data"])
        return _read(json.loads(raw))
    except (ValueError, KeyError, TypeError, IndexError, binascii.Error, RecursionError):
        return None


def _read(data: Mapping[str, Any]) -> SourceMap | None:
    sources = tuple(str(one) for one in data["sources"])
    given = data.get("sourcesContent") or []
    contents = tuple(
        given[index] if index < len(given) and isinstance(given[index], str) else None
        for index in range(len(sources))
    )
    return SourceMap(sources, contents, tuple(_lines(data["mappings"], len(sources))))


def _lines(mappings: str, sources: int) -> Iterator[tuple[tuple[int, int, int, int], ...]]:
    source = row = start = 0
    for line in mappings.split(";"):
        column = 0
        found = []
        for segment in line.split(",") if line else ():
            fields = _decode(segment)
            column += fields[0]
            if len(fields) >= 4:
                source, row, start = source + fields[1], row + fields[2], start + fields[3]
                if 0 <= source < sources and row >= 0 and start >= 0:
                    found.append((column, source, row, start))
        yield tuple(sorted(found))


def _decode(segment: str) -> list[int]:
    fields = []
    value = shift = 0
    for char in segment:
        digit = _DIGITS[char]
        value += (digit & 31) << shift
        shift += 5
        if not digit & 32:
            fields.append(-(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    return fields
