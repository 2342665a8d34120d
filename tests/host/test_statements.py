"""Every statement of the specification about hosts and sandboxes has a test that names it.

H1 to H40 number what MCP Apps 2026-01-26 asks of hosts, in its order, and P1 to P7 what it asks of
the sandbox proxy. The ids come first in a test's name, after those of other tables.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.test_rows import HOST, NODE_TESTS, covered, excused, node_ids

TESTS = Path(__file__).resolve().parent.parent
STATEMENTS = {f"H{number}" for number in range(1, 41)} | {f"P{number}" for number in range(1, 8)}
_NAME = re.compile(r"test((?:_[a-z]\d+)+)(?=_)")


def named(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (
            found := _NAME.match(node.name)
        ):
            yield from found[1].upper().strip("_").split("_")


def all_named() -> set[str]:
    python = {
        name
        for file in TESTS.rglob("test_*.py")
        if "node_modules" not in file.parts
        for name in named(file.read_text(encoding="utf-8"))
    }
    node = {
        name
        for file in NODE_TESTS.rglob("*.mjs")
        for name in node_ids(file.read_text(encoding="utf-8"), "HP")
    }
    return python | node


def _sorted(ids: set[str]) -> list[str]:
    return sorted(ids, key=lambda row: (row[0], int(row[1:])))


def test_every_statement_has_a_test() -> None:
    assert _sorted(STATEMENTS - all_named()) == []


def test_only_statements_that_there_are_are_named() -> None:
    assert _sorted({name for name in all_named() if name[0] in "HP"} - STATEMENTS) == []


def test_every_row_about_several_servers_has_a_test_or_a_reason() -> None:
    assert _sorted(HOST - covered() - set(excused())) == []


def test_names_are_found_after_the_ids_of_other_tables() -> None:
    assert list(named("def test_k105_h11_a_call(): ...")) == ["K105", "H11"]
    assert list(named("async def test_p3_x(): ...")) == ["P3"]
    assert list(named("def test_the_p3_x(): ...")) == []
