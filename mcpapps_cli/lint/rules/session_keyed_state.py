"""State that a server keeps per session."""

from __future__ import annotations

import ast
from pathlib import PurePosixPath

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Observed,
    SourceFile,
    Subject,
    at_python,
    issue,
    python_tree,
    rule,
    server,
)

_NAMES = frozenset({"session_id", "mcp_session_id"})
_METHODS = frozenset({"get", "setdefault", "pop"})


def _file(text: str) -> Observed:
    return Observed(sources=(SourceFile(PurePosixPath("server.py"), text),))


_BAD = "state[ctx.session_id] = city\n"
_GOOD = "state[conversation] = city\n"


@rule(
    "MA521",
    "info",
    why=(
        "2026-07-28 has no sessions, and hosts open one for the model and another for the View, or "
        "a new one for each call: what is kept under the id is not found again."
    ),
    fix="hand a key of your own to the View in the result, and take it back as an argument",
    source=(
        issue("modelcontextprotocol/ext-apps#481"),
        issue("anthropics/claude-ai-mcp#583"),
    ),
    bad=server(observed=_file(_BAD), shown=_BAD.rstrip()),
    good=server(observed=_file(_GOOD), shown=_GOOD.rstrip()),
    near=(
        server(observed=_file("log.info(ctx.session_id)\n")),
        server(observed=_file("state = {}  # by session_id\n")),
    ),
    evidence="source",
)
def session_keyed_state(subject: Subject) -> Faults:
    """A Python file keeps state under the id of a session."""
    for file in subject.observed.sources:
        tree = python_tree(file.text) if "session_id" in file.text else None
        for node in ast.walk(tree) if tree is not None else ():
            key: ast.expr | None = None
            if isinstance(node, ast.Subscript):
                key = node.slice
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                key = node.args[0] if node.func.attr in _METHODS and node.args else None
            if key is not None and _is_session(key):
                yield Fault(at_python(file, key), "state is kept under the id of a session")


def _is_session(node: ast.expr) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr in _NAMES) or (
        isinstance(node, ast.Name) and node.id in _NAMES
    )
