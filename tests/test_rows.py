"""Every behaviour that a row names has a test with the row's id in its name, or a stated reason.

The ids come first in a test's name: `test_e6_r8_...` in Python, `"E42 K63: ..."` in Node.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROWS = ROOT / "tests" / "rows.toml"
NODE_TESTS = ROOT / "bridge_assets" / "tests"


def _ids(letter: str, *ranges: tuple[int, int]) -> set[str]:
    return {f"{letter}{number}" for first, last in ranges for number in range(first, last + 1)}


SERVER = _ids("E", (1, 17), (20, 32)) | _ids("R", (1, 26)) | _ids("K", (1, 12), (20, 39))
CLIENT = _ids("L", (1, 26)) | _ids("K", (124, 126))
BRIDGE = _ids("E", (40, 64), (71, 72)) | _ids("K", (45, 53), (60, 97))
HOST = _ids("K", (100, 112), (114, 123))
TEST_DOUBLES = {"E70", "K113", "K140"}

ALL = SERVER | CLIENT | BRIDGE | HOST | TEST_DOUBLES

_PYTHON = re.compile(r"test((?:_[erkl]\d+)+)(?=_)")
_NODE = re.compile(r"""[(\[]\s*["'`](?:trap \d+, )?((?:[A-Z]\d+[ ,:]*)+)""")


def python_ids(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (
            found := _PYTHON.match(node.name)
        ):
            yield from found[1].upper().strip("_").split("_")


def node_ids(source: str, letters: str = "ERKL") -> Iterator[str]:
    for found in _NODE.finditer(source):
        yield from re.findall(rf"[{letters}]\d+", found[1])


def covered() -> set[str]:
    found: set[str] = set()
    for file in (ROOT / "tests").rglob("test_*.py"):
        if "node_modules" not in file.parts:
            found.update(python_ids(file.read_text(encoding="utf-8")))
    for file in NODE_TESTS.rglob("*.mjs"):
        found.update(node_ids(file.read_text(encoding="utf-8")))
    return found


def excused() -> dict[str, dict[str, str]]:
    rows = tomllib.loads(ROWS.read_text(encoding="utf-8"))["row"]
    assert len({row["id"] for row in rows}) == len(rows), "a row is there twice"
    return {row["id"]: row for row in rows}


def _sorted(ids: set[str]) -> list[str]:
    return sorted(ids, key=lambda row: (row[0], int(row[1:])))


def test_every_row_has_a_test_or_a_reason() -> None:
    assert _sorted(ALL - covered() - set(excused())) == []


def test_a_reason_is_given_only_for_what_has_no_test() -> None:
    assert _sorted(set(excused()) & covered()) == []


def test_names_and_reasons_are_about_rows_that_there_are() -> None:
    assert _sorted((covered() | set(excused())) - ALL) == []


def test_a_reason_says_what_it_is_about_and_why() -> None:
    for row in excused().values():
        assert set(row) == {"id", "what", "reason"}
        assert len(row["reason"].split()) > 8, row["id"]


def test_ids_are_found_where_they_stand_first() -> None:
    assert list(python_ids("def test_e6_r8_k28_a_uri(): ...")) == ["E6", "R8", "K28"]
    assert list(python_ids("class A:\n    async def test_l1_x(): ...")) == ["L1"]
    assert list(python_ids("def test_a_e6_b(): ...\ndef e6_b(): ...\ndef test_e6x(): ...")) == []
    assert list(node_ids("test(\"E42 K63: input\", () => {});\n  it('K1, K2 x')")) == [
        *("E42", "K63", "K1", "K2")
    ]
    assert list(node_ids('test("about E42", () => {});')) == []
    assert list(node_ids('test("K63 H30: input", () => {});', "HP")) == ["H30"]
