"""The imports of a Python file: what they bind, and where a further one goes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import libcst as cst
from libcst.helpers import get_full_name_for_node

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement
Body = Sequence[Statement]


def imported_names(body: Body) -> Iterator[tuple[str, str]]:
    """Yield the names that imports of the top level bind, and what each is."""
    for statement in body:
        if not isinstance(statement, cst.SimpleStatementLine):
            continue
        for node in statement.body:
            if isinstance(node, cst.Import):
                for alias in node.names:
                    full = get_full_name_for_node(alias.name) or ""
                    yield (alias.evaluated_alias or full), full
            elif isinstance(node, cst.ImportFrom) and not isinstance(node.names, cst.ImportStar):
                for alias in node.names:
                    bound = alias.evaluated_alias or alias.evaluated_name
                    yield bound, f"{module_name(node)}.{alias.evaluated_name}"


def import_place(body: Body, module: str) -> int:
    """Return where an import goes: in the order of its group, or at the group's end."""
    root = module.partition(".")[0]
    group = _group(root)
    place = first = None
    for index, statement in enumerate(body):
        other = imported_module(statement)
        if other is None:
            continue
        if first is None and other != "__future__":
            first = index
        if _group(other.partition(".")[0]) == group and (place is None or other < module):
            place = index + (1 if other < module else 0)
        elif place is None and _group(other.partition(".")[0]) < group:
            place = index + 1
    if place is not None:
        return place
    if first is not None:
        return first
    return 1 if body and _is_docstring(body[0]) else 0


def import_from(statement: cst.CSTNode) -> cst.ImportFrom | None:
    """Return the `from` import that a statement is, or None."""
    if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
        (node,) = statement.body
        return node if isinstance(node, cst.ImportFrom) else None
    return None


def imported_module(statement: cst.CSTNode) -> str | None:
    """Return the module that an import statement names first, or None for another statement."""
    node = import_from(statement)
    if node is not None:
        return module_name(node)
    if isinstance(statement, cst.SimpleStatementLine):
        for small in statement.body:
            if isinstance(small, cst.Import):
                return get_full_name_for_node(small.names[0].name)
    return None


def module_name(node: cst.ImportFrom) -> str:
    """Return the module of a `from` import, with the dots of a relative one."""
    name = get_full_name_for_node(node.module) if node.module is not None else None
    return "." * len(node.relative) + (name or "")


def with_name(node: cst.ImportFrom, name: str) -> cst.ImportFrom:
    """Return the import with a further name, in alphabetical order where the others are."""
    assert not isinstance(node.names, cst.ImportStar)
    aliases = list(node.names)
    names = [alias.evaluated_name for alias in aliases]
    place = next((i for i, each in enumerate(names) if each > name), len(names))
    if names != sorted(names):
        place = len(names)
    space = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    between = next((a.comma for a in aliases[:-1] if isinstance(a.comma, cst.Comma)), space)
    if place < len(aliases):
        aliases.insert(place, cst.ImportAlias(cst.Name(name), comma=between))
    else:
        last = aliases[-1]
        aliases[-1] = last.with_changes(comma=between)
        aliases.append(cst.ImportAlias(cst.Name(name), comma=last.comma))
    return node.with_changes(names=aliases)


def _group(root: str) -> int:
    """Return the part of the imports that a package is in: future, standard, others, own."""
    if root == "__future__":
        return 0
    return 1 if root in sys.stdlib_module_names else 2 if root else 3


def starts_group(module: str, statement: cst.CSTNode) -> bool:
    """Return whether a statement is an import of a group that comes after that of `module`."""
    other = imported_module(statement)
    return other is not None and _group(module.partition(".")[0]) < _group(other.partition(".")[0])


def is_before(module: str, statement: cst.CSTNode) -> bool:
    """Return whether an import is of the same group and comes after one of `module`."""
    other = imported_module(statement)
    if other is None:
        return False
    return module < other and _group(module.partition(".")[0]) == _group(other.partition(".")[0])


def _is_docstring(statement: cst.CSTNode) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    (node, *_) = statement.body
    return isinstance(node, cst.Expr) and isinstance(node.value, cst.SimpleString)
