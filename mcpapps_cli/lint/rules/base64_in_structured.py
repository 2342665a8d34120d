"""Files inside the data that the model reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    as_object,
    called,
    issue,
    results,
    rule,
    server,
    spec,
)

_LIMIT = 32_768
_BASE64 = re.compile(r"(?:data:[^,]{1,80},)?[A-Za-z0-9+/_-]{32768,}={0,2}\s*")
_DEPTH = 32
_BLOB = "QUJD" * 9000


def _found(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, str):
        if len(value) > _LIMIT and _BASE64.fullmatch(value):
            yield path
    elif len(path) < _DEPTH:
        items = value.items() if isinstance(value, dict) else ()
        for key, one in items or (enumerate(value) if isinstance(value, list) else ()):
            yield from _found(one, (*path, key))


@rule(
    "MA509",
    "warning",
    why="It fills the context of the model, which can do nothing with it, and may be cut.",
    fix="put it into `_meta` of the result, or let the View read a resource",
    source=(spec("Data Passing"), issue("anthropics/claude-code#70280")),
    bad=server(
        observed=called("A picture", structured={"png": _BLOB}),
        shown='{"structuredContent": {"png": "QUJDQUJD… (36000 characters)"}}',
    ),
    good=server(
        observed=called("A picture", structured={"png": "ui://app/a.png"}),
        shown='{"structuredContent": {"png": "ui://app/a.png"}}',
    ),
    near=(
        server(observed=called("A picture", structured={"png": _BLOB[:32000]})),
        server(observed=called("A text", structured={"text": "word " * 8000})),
        server(observed=called("A picture", _meta={"png": _BLOB})),
    ),
    evidence="call",
)
def base64_in_structured(subject: Subject) -> Faults:
    """A result has a file as base64 in its text or structured data."""
    for call in results(subject):
        for path in _found(call.result.get("structuredContent")):
            message = f"the result of {call.tool.label} carries a file as base64"
            yield Fault(call.at("structuredContent", *path), message)
        for index, block in enumerate(call.blocks):
            if as_object(block).get("type") == "text" and list(_found(block.get("text"))):
                message = f"the text of {call.tool.label} is a file as base64"
                yield Fault(call.at("content", index, "text"), message)
