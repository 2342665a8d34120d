"""Where a script stops being JavaScript, as far as its syntax tree shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Node

    from mcpapps_cli.markup.code import Code

# Valid code that the grammar of tree-sitter does not know: `export { x as null }`, a tagged
# template with an escape that would be wrong in a string, `import defer * as x`, `accessor x = 1`.
_GAPS: Final = frozenset({"export_clause", "named_imports", "template_string"})
_GAP_WORDS: Final = frozenset({"defer", "source", "of"})
_OPENS: Final = {")": "(", "]": "[", "}": "{"}
_ELEMENT: Final = re.compile(r"(?:[(=?:,&|\[]|=>|return)\s*(<)[A-Za-z>]")
_ELEMENTS: Final = frozenset({"jsx_opening_element", "jsx_self_closing_element"})


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """One place at which a browser gives up on a script.

    Attributes:
        start: Offset in the script.
        end: Offset after it.
        message: What is wrong there.
    """

    start: int
    end: int
    message: str


def syntax_fault(code: Code) -> SyntaxFault | None:
    """Return the first fault; None for a script that a browser runs, as far as can be told."""
    for node in _wrong(code.tree.root_node):
        if _in_gap(code, node):
            continue
        if node.is_missing:
            return _missing(node)
        return SyntaxFault(node.start_byte, node.end_byte, "this is no JavaScript")
    return _element(code)


def _wrong(root: Node) -> Iterator[Node]:
    stack = [root] if root.has_error else []
    while stack:
        node = stack.pop()
        if node.is_missing or (node.is_error and node is not root):
            yield node
            continue
        wrong = [child for child in node.children if child.has_error or child.is_missing]
        if not wrong and node.is_error:
            yield node
        stack += reversed(wrong)


def _in_gap(code: Code, node: Node) -> bool:
    parent = node.parent
    if parent is None:
        return False
    if parent.type == "template_string":
        tagged = parent.parent
        return tagged is not None and tagged.type == "call_expression"
    return (
        parent.type in _GAPS
        or code.text(node) in _GAP_WORDS
        or (parent.type == "field_definition" and code.text(parent).startswith("accessor"))
    )


def _missing(node: Node) -> SyntaxFault:
    parent = node.parent
    opening = _OPENS.get(node.type)
    for child in () if parent is None or opening is None else parent.children:
        if child.type == opening:
            return SyntaxFault(child.start_byte, child.end_byte, f'this "{opening}" is not closed')
    return SyntaxFault(node.start_byte, node.start_byte + 1, f'a "{node.type}" is missing here')


def _element(code: Code) -> SyntaxFault | None:
    # The grammar takes JSX for JavaScript; a browser does not.
    for match in _ELEMENT.finditer(code.source):
        start = match.start(1)
        node: Node | None = code.node_at(start, start + 1)
        if node is not None and node.type == "<":
            node = node.parent
        if node is not None and node.type in _ELEMENTS:
            return SyntaxFault(start, node.end_byte, "this is JSX, which no browser reads")
    return None
