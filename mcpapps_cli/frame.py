"""A place in a source as text: file, line and column, the line itself, carets below it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcpapps_cli.words import CONTROL

if TYPE_CHECKING:
    from mcpapps_cli.model import Position

_WIDTH = 100


def frame(position: Position, note: str = "") -> str:
    """Return the lines that show `position`, without a final newline.

    Args:
        position: The place; without a `source` only the arrow line is shown.
        note: Written after the carets.
    """
    arrow = f"  --> {position.path}:{position.line}:{position.column}"
    if not position.source.strip():
        return arrow
    # A character in, a character out: the column must still hold.
    line = re.sub(CONTROL, " ", position.source.replace("\t", " "))
    source, column = _cut(line, position.column - 1)
    length = max(1, min(position.length, len(source) - column))
    number = str(position.line)
    margin = " " * len(number)
    carets = " " * column + "^" * length + (f" {note}" if note else "")
    return "\n".join(
        (arrow, f"{margin} |", f"{number} | {source}", f"{margin} | {carets}".rstrip())
    )


def _cut(source: str, column: int) -> tuple[str, int]:
    # A minified bundle is one line of 100 kB: show the surroundings only.
    source = source.rstrip()
    if len(source) <= _WIDTH:
        return source, min(column, max(0, len(source) - 1))
    start = max(0, min(column - _WIDTH // 3, len(source) - _WIDTH))
    head = "…" if start else ""
    tail = "…" if start + _WIDTH < len(source) else ""
    return head + source[start : start + _WIDTH] + tail, column - start + len(head)
