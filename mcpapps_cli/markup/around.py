"""What stands around an expression of a script: its function, and whether a `try` guards it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tree_sitter import Node

AROUND: Final = 256
"""No more nodes than this are looked at around one; only code made to be deep has more."""
FUNCTIONS: Final = frozenset(
    (
        *("function_declaration", "function_expression", "arrow_function", "method_definition"),
        *("generator_function", "generator_function_declaration"),
    )
)
"""Node types whose body runs when it is called, not when the script runs."""


def ancestors(node: Node) -> Iterator[Node]:
    """Yield the nodes around a node, from the inside; not more than the nearest 256."""
    around = node.parent
    for _ in range(AROUND):
        if around is None:
            return
        yield around
        around = around.parent


def function_of(node: Node) -> Node | None:
    """Return the function in whose body or parameters a node stands; None at the top level.

    A function that is called where it stands runs with what is around it, so it does not count.
    """
    for around in ancestors(node):
        if around.type in FUNCTIONS and not _called_at_once(around):
            return around
    return None


def in_try(node: Node) -> bool:
    """Whether a node stands in the block of a `try` with a `catch`, in the same function."""
    inside = node
    for around in ancestors(node):
        if around.type in FUNCTIONS and not _called_at_once(around):
            return False
        if around.type == "try_statement":
            body = around.child_by_field_name("body")
            if _is(body, inside) and around.child_by_field_name("handler") is not None:
                return True
        inside = around
    return False


def _called_at_once(function: Node) -> bool:
    callee, around = function, function.parent
    while around is not None and around.type == "parenthesized_expression":
        callee, around = around, around.parent
    return (
        around is not None
        and around.type == "call_expression"
        and _is(around.child_by_field_name("function"), callee)
    )


def _is(one: Any, other: Any) -> bool:
    return one is not None and other is not None and bool(one.id == other.id)
