"""Corrections in Python files: each a function from text to text, checked against the tree."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from itertools import pairwise

from mcpapps_cli.lint.python import call_name, parse
from mcpapps_cli.wire import FLAT_URI_KEY, MIME_TYPE, URI_SCHEME

_WRONG = frozenset(("text/html", "text/html+mcp", "text/html+skybridge"))


def mime_type(text: str) -> str:
    """Give `mime_type` of each resource whose URI is written beside it the right value."""

    def edits(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _has_ui_uri(node):
                for word in node.keywords:
                    value = word.value
                    if (
                        word.arg in ("mime_type", "mimeType")
                        and isinstance(value, ast.Constant)
                        and value.value in _WRONG
                    ):
                        yield value, f'"{MIME_TYPE}"'

    return _edited(text, edits)


def flat_key(text: str) -> str:
    """Turn `{"ui/resourceUri": X}` without `ui` into the nested form."""

    def edits(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
        for node in ast.walk(tree):
            if not isinstance(node, ast.Dict):
                continue
            keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
            if FLAT_URI_KEY not in keys or "ui" in keys or None in keys:
                continue
            index = keys.index(FLAT_URI_KEY)
            key, value = node.keys[index], node.values[index]
            source = ast.get_source_segment(text, value)
            if key is not None and source is not None:
                yield key, '"ui"'
                yield value, f'{{"resourceUri": {source}}}'

    return _edited(text, edits)


def tool_origins(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield URI, list and origin of every literal `csp` beside a `resourceUri` in a file."""
    tree = parse(text)
    for node in ast.walk(tree) if tree is not None else ():
        if (found := _tool_csp(node)) is not None:
            uri, _, value = found
            for key, origins in value.items():
                for origin in origins:
                    yield uri, key, origin


def drop_tool_csp(text: str) -> str:
    """Remove every literal `csp` beside a literal `resourceUri`."""

    def edits(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
        for node in ast.walk(tree):
            found = _tool_csp(node)
            if found is None or not isinstance(node, ast.Dict):
                continue
            kept = [
                (ast.get_source_segment(text, key), ast.get_source_segment(text, value))
                for index, (key, value) in enumerate(zip(node.keys, node.values, strict=True))
                if index != found[1] and key is not None
            ]
            if len(kept) == len(node.keys) - 1 and all(a and b for a, b in kept):
                yield node, "{" + ", ".join(f"{key}: {value}" for key, value in kept) + "}"

    return _edited(text, edits)


def _tool_csp(node: ast.AST) -> tuple[str, int, dict[str, list[str]]] | None:
    if not isinstance(node, ast.Dict):
        return None
    keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
    if "resourceUri" not in keys or "csp" not in keys:
        return None
    try:
        uri = ast.literal_eval(node.values[keys.index("resourceUri")])
        value = ast.literal_eval(node.values[keys.index("csp")])
    except ValueError:
        return None
    literal = isinstance(value, dict) and all(
        isinstance(key, str)
        and isinstance(entry, list)
        and all(isinstance(one, str) for one in entry)
        for key, entry in value.items()
    )
    return (uri, keys.index("csp"), value) if isinstance(uri, str) and literal else None


def _has_ui_uri(node: ast.Call) -> bool:
    if "resource" not in call_name(node).lower():
        return False
    given = [*node.args, *(word.value for word in node.keywords)]
    return any(
        isinstance(one, ast.Constant)
        and isinstance(one.value, str)
        and one.value.startswith(URI_SCHEME)
        for one in given
    )


Edits = Callable[[ast.Module], Iterator[tuple[ast.expr, str]]]


def _edited(text: str, edits: Edits) -> str:
    tree = parse(text)
    if tree is None:
        return text
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode("utf-8")))
    data = text.encode("utf-8")
    spans = []
    for node, replacement in edits(tree):
        if node.end_lineno is None or node.end_col_offset is None:
            return text
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        spans.append((start, end, replacement.encode("utf-8")))
    spans.sort(reverse=True)
    if any(later[0] < earlier[1] for later, earlier in pairwise(spans)):
        # One inside another: what to write is no longer certain.
        return text
    for start, end, replacement_bytes in spans:
        data = data[:start] + replacement_bytes + data[end:]
    changed = data.decode("utf-8")
    after = parse(changed)
    if after is None or len(list(ast.walk(after))) == 0:
        return text
    # A second pass must find nothing more to do.
    return changed if not list(edits(after)) else text
