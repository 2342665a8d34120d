"""Text for people: numbers with their nouns, and what is safe to show on a terminal."""

from __future__ import annotations

import re
from typing import Final

CONTROL: Final = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
"""Matches what can move the cursor, change what was written before, or make a text look like
another (C0 but tab and line feed, C1, marks of direction), and what cannot be written at all."""


def count(number: int, noun: str) -> str:
    """Return `1 tool` or `2 tools`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def cut(text: str, longest: int = 200) -> str:
    """Return a text of at most `longest` characters; a mark at its end says that there was more."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def safe(text: str) -> str:
    r"""Return a text whose control characters are spelled out, such as `\x1b`; lines stay lines."""
    return re.sub(CONTROL, _spelled, text.replace("\r\n", "\n"))


def plain(text: str) -> str:
    """Return a text as a log shows it: without its colours, and otherwise as `safe` gives it."""
    return safe(re.sub(r"\x1b\[[0-9;:]*m", "", text))


def _spelled(match: re.Match[str]) -> str:
    number = ord(match[0])
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}"
