"""Finds in the project's Python files what declares a tool or a resource of the wire."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from mcpapps_cli.lint.observed import SourceFile
from mcpapps_cli.lint.python import at, call_name, parse
from mcpapps_cli.model import Finding, Position

_POINTER: Final = re.compile(
    r"(?:tools(?:/call)?/(?P<tool>[^#]+)|resources/(?:list|read)/(?P<uri>[^#]+))#(?P<path>.*)",
    re.DOTALL,
)
# A key of the wire and how Python libraries spell it.
_SPELT: Final = {
    "mimeType": ("mime_type", "mimeType"),
    "resourceUri": ("resourceUri", "resource_uri"),
    "prefersBorder": ("prefersBorder", "prefers_border"),
    "inputSchema": (),
    "outputSchema": ("output_schema", "outputSchema"),
    "_meta": ("meta", "_meta"),
}


def with_declarations(findings: Sequence[Finding], sources: Sequence[SourceFile]) -> list[Finding]:
    """Return the findings, those on the wire with the place of their declaration."""
    if not sources:
        return list(findings)
    return [_with_declaration(finding, sources) for finding in findings]


def _with_declaration(finding: Finding, sources: Sequence[SourceFile]) -> Finding:
    match = _POINTER.fullmatch(finding.pointer or "")
    if match is None:
        return finding
    steps = match["path"].split("/")
    keys = [step.replace("~1", "/").replace("~0", "~") for step in reversed(steps) if step]
    for file in sources:
        for node in _declarations(file, match["tool"], match["uri"]):
            place = _key_place(file, node, keys) or _call_place(file, node, match)
            return replace(finding, declared=place)
    return finding


def _declarations(file: SourceFile, tool: str | None, uri: str | None) -> Iterator[ast.Call]:
    """The calls, decorators among them, that register a tool or a resource of that name."""
    name = tool if tool is not None else uri
    tree = parse(file.text) if name is not None and name in file.text else None
    if tree is None or name is None:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == tool:
            yield from (
                one
                for one in node.decorator_list
                if isinstance(one, ast.Call) and _registers(one, "tool")
            )
        if isinstance(node, ast.Call) and _registers(node, "tool" if tool else "resource"):
            given = [*node.args, *(word.value for word in node.keywords)]
            if any(isinstance(one, ast.Constant) and one.value == name for one in given):
                yield node


def _registers(node: ast.expr, what: str) -> bool:
    return isinstance(node, ast.Call) and what in call_name(node).lower()


def _key_place(file: SourceFile, call: ast.Call, keys: Sequence[str]) -> Position | None:
    for key in keys:
        spelt = _SPELT.get(key, (key,))
        for node in ast.walk(call):
            if isinstance(node, ast.keyword) and node.arg in spelt:
                return _keyword_place(file, node)
            if isinstance(node, ast.Constant) and node.value in spelt:
                return at(file, node).position
    return None


def _keyword_place(file: SourceFile, word: ast.keyword) -> Position | None:
    position = at(file, word.value).position
    if position is None or word.lineno != word.value.lineno:
        return position
    # From the name of the argument on.
    start = len(position.source.encode("utf-8")[: word.col_offset].decode("utf-8", "replace"))
    length = position.column - 1 - start + position.length
    return replace(position, column=start + 1, length=max(1, length))


def _call_place(file: SourceFile, call: ast.Call, match: re.Match[str]) -> Position | None:
    name = match["tool"] or match["uri"]
    for node in ast.walk(call):
        if isinstance(node, ast.Constant) and node.value == name:
            return at(file, node).position
    return at(file, call).position
