"""The diagnostics probe: where it goes into a document, and what that does to columns."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from mcpapps_cli.resources import bridge_dir

# HTML, "initial" insertion mode: white space, comments and processing instructions may come first.
# A doctype ends at the first `>`, inside a quoted identifier too.
_DOCTYPE = re.compile(
    r"(?:[\t\n\f\r ]|<!--(?:-?>|.*?--!?>)|<\?[^>]*>)*<!doctype[^>]*>", re.IGNORECASE | re.DOTALL
)
_LEFT_OUT = re.compile(
    r"/\*.*?\*/|^\s*//[^\n]*$|^import [^\n]*$|^export (?=function )", re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Splice:
    """One line of text put into a document.

    Attributes:
        at: Offset in the document, in UTF-16 units as JavaScript counts.
        text: What goes there; ASCII, without a line break, so that line numbers hold.
        line: 1-based line it is on.
        column: 1-based column where it begins, in UTF-16 units.
    """

    at: int
    text: str
    line: int
    column: int

    def covers(self, line: int | None, column: int | None) -> bool:
        """Whether a place the browser reported lies in this text."""
        end = self.column + len(self.text)
        return line == self.line and column is not None and self.column <= column < end

    def original_column(self, line: int | None, column: int | None) -> int | None:
        """Return the column in the author's document for one the browser reported."""
        if column is None or line != self.line or column < self.column:
            return column
        return max(column - len(self.text), self.column)


def splice_probe(html: str, channel: str, declared: Sequence[str] = ()) -> Splice:
    """Return the probe's place and text: right after the doctype, else at the very start.

    There it runs before any script of the View, and changes neither a line number nor the
    rendering mode.

    Args:
        html: The View's document.
        channel: The secret under which the proxy page accepts the probe's reports.
        declared: The View's `connectDomains`; only there may a failed GET be repeated.
    """
    # Inside a script element, `<` could begin its end tag.
    arguments = f"{json.dumps(channel)}, {json.dumps(list(declared))}".replace("<", "\\u003c")
    start = f'"use strict"; {_source()} startProbe({arguments});'
    doctype = _DOCTYPE.match(html)
    at = doctype.end() if doctype is not None else 0
    before = html[:at]
    last_line = before.rpartition("\n")[2]
    return Splice(
        at=_utf16_length(before),
        text=f"<script>(() => {{ {start} }})();</script>",
        line=before.count("\n") + 1,
        column=_utf16_length(last_line) + 1,
    )


def _utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@cache
def _source() -> str:
    """Return the probe's modules on one line, as functions of one scope.

    They end every statement with a semicolon, have comments on lines of their own and top-level
    names that are unique, so that joining the lines changes nothing.
    """
    files = sorted((bridge_dir() / "sandbox" / "probe").glob("*.js"))
    text = "\n".join(file.read_text(encoding="ascii") for file in files)
    lines = (line.strip() for line in _LEFT_OUT.sub("", text).splitlines())
    return " ".join(line for line in lines if line)
