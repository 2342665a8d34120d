"""The place in the project where a Python server failed, read from its traceback."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mcpapps_cli.model import JsonObject, Position

_PLACE = re.compile(r'\s+File "(?P<file>[^"]+)", line (?P<line>\d+)')
_MARK = re.compile(r"\s+~*(?P<caret>\^+)~*\s*")
_RAISED = re.compile(r"[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit|Warning)\b")


def with_place(error: JsonObject, root: Path) -> JsonObject:
    """Return an error with the position that its details tell, and what was raised as its message.

    Args:
        error: As `event.error_json` makes it.
        root: The project; a place outside of it is of no use to its author.
    """
    details = [str(line) for line in error.get("details", ())]
    position = find_place(details, root)
    if position is None:
        return error
    raised = next((line for line in reversed(details) if _RAISED.match(line)), None)
    found: dict[str, Any] = {**error, "position": asdict(position)}
    if raised is not None:
        found["message"] = raised
        found["help"] = f"correct {position.path}; the server is started again on save"
    return found


def find_place(lines: Sequence[str], root: Path) -> Position | None:
    """Return the innermost place below `root` of the last traceback in `lines`."""
    for index in range(len(lines) - 1, -1, -1):
        match = _PLACE.match(lines[index])
        if match is None:
            continue
        file = Path(match["file"])
        path = file if file.is_absolute() else root / file
        if path.is_relative_to(root) and "site-packages" not in path.parts:
            return _position(path, root, int(match["line"]), lines[index + 1 : index + 3])
    return None


def _position(path: Path, root: Path, line: int, shown: Sequence[str]) -> Position | None:
    try:
        source = path.read_text(encoding="utf-8", errors="replace").splitlines()[line - 1]
    except (OSError, IndexError):
        return None
    indent = len(source) - len(source.lstrip())
    column, length = indent + 1, max(len(source.strip()), 1)
    if len(shown) > 1 and (mark := _MARK.fullmatch(shown[1])) is not None:
        # The line stands there without its own indentation, behind four spaces.
        printed = len(shown[0]) - len(shown[0].lstrip())
        column = mark.start("caret") - printed + indent + 1
        length = len(mark["caret"])
    name = path.relative_to(root).as_posix()
    return Position(name, line, max(column, 1), length, source)
