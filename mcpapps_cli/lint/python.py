"""The project's Python files as rules read them: parsed once, with places."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from mcpapps_cli.lint.observed import SourceFile
from mcpapps_cli.lint.place import Place
from mcpapps_cli.model import Position


@cache
def parse(text: str) -> ast.Module | None:
    """Return the tree of a module; None when it is no valid Python of this version."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def calls(file: SourceFile, *names: str) -> Iterator[ast.Call]:
    """Yield the calls in a file of a function or method with one of these names."""
    tree = parse(file.text) if any(name in file.text for name in names) else None
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Call) and call_name(node) in names:
            yield node


def call_name(node: ast.Call) -> str:
    """Return the last name of what is called; "" when it has none."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def at(file: SourceFile, node: ast.expr) -> Place:
    """Return the place of an expression in a file; at most its first line."""
    path = str(file.path)
    lines = file.text.splitlines()
    source = lines[node.lineno - 1] if node.lineno <= len(lines) else ""
    raw = source.encode("utf-8")
    start = len(raw[: node.col_offset].decode("utf-8", "replace"))
    end = len(source)
    if node.end_lineno == node.lineno and node.end_col_offset is not None:
        end = len(raw[: node.end_col_offset].decode("utf-8", "replace"))
    position = Position(path, node.lineno, start + 1, max(1, end - start), source)
    return Place(path, position=position)
