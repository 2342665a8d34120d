"""Scripts that go into a page as they are: whether a browser could read them at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mcpapps_cli.bundle import jsx
from mcpapps_cli.bundle.source import Place, Source
from mcpapps_cli.bundle.tally import Tally
from mcpapps_cli.markup.code import Code

if TYPE_CHECKING:
    from mcpapps_cli.markup.code import Node

LONGEST: Final = 2**18
"""Characters of the longest script that is looked at: a longer one is made by a program."""
_SHOWN: Final = 24
_TYPE: Final = re.compile(r"[\w$]+\??\s*:")
_TAG: Final = re.compile(r"<[A-Za-z]")
_RUNS_NOT: Final = "a browser runs none of a script that it cannot read"


def check_syntax(source: Source, tally: Tally, start: int = 0, end: int | None = None) -> None:
    """Refuse a script with a syntax error.

    The parser is that of editors, which knows a little less than browsers do. So `esbuild-py` has
    to agree; where it is not installed there is a warning only.

    Args:
        source: A script, or a page of which `start` to `end` is one.
        tally: Where warnings go.
        start: First character.
        end: After the last character. Default: the end of the text.

    Raises:
        SourceError: It has one; at the place where the parser lost its way.
    """
    # To both parsers NUL is the end of the text; to a browser it is a character like others.
    text = source.text[start:end].replace("\0", " ")
    if len(text) > LONGEST:
        return
    code = Code(text)
    if not code.broken or (found := _first_fault(code.tree.root_node)) is None:
        return
    if jsx.is_available() and jsx.is_script(text):
        return
    at, length = found.start_byte, found.end_byte - found.start_byte
    if found.is_missing:
        # It would stand right after the last thing that is there.
        name = found.type if not found.type.isidentifier() else "expression"
        message, at, length = f'"{name}" is missing', max(0, at - 1), 1
    else:
        words = text[at : at + length].split("\n", 1)[0][:_SHOWN]
        message, length = f'"{words}" is a syntax error', max(1, len(words))
    place = Place(source, start + at, length)
    if not jsx.is_available():
        tally.warn(f"{message}, as far as can be told", _RUNS_NOT, place)
        return
    place.fail(message, _advice(text[at : at + _SHOWN]))


def _first_fault(node: Node) -> Node | None:
    """Return the innermost fault that comes first; the tree of a long script is not walked."""
    fault = None
    while True:
        if node.is_missing or node.type == "ERROR":
            fault = node
        inner = (each for each in node.children if each.has_error or each.is_missing)
        found = next(inner, None)
        if found is None:
            return fault
        node = found


def _advice(words: str) -> str:
    if _TYPE.match(words):
        return 'types belong into a file of TypeScript: <script type="module" src="main.ts">'
    if _TAG.match(words):
        return 'JSX belongs into a file of its own: <script type="module" src="main.jsx">'
    return _RUNS_NOT
