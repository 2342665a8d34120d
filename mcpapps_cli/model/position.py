"""A place in a text file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a text file.

    Attributes:
        path: The file as the user would name it (relative), or a resource URI.
        line: 1-based.
        column: 1-based, in characters.
        length: How many characters the fault spans; at least 1.
        source: The text of that line, without its end.
    """

    path: str
    line: int
    column: int
    length: int = 1
    source: str = ""
