"""Content blocks inside a text."""

from __future__ import annotations

import json

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
    texts,
)

_BLOCK = {"type": "text", "text": "Two rows"}
_TYPES = frozenset({"text", "image", "audio", "resource", "resource_link"})
_BODIES = frozenset({"text", "data", "resource", "uri"})


def _is_block(text: str) -> bool:
    if not text.lstrip().startswith(("{", "[")):
        return False
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    blocks = value if isinstance(value, list) else [value]
    return bool(blocks) and all(
        as_object(one).get("type") in _TYPES and _BODIES & set(as_object(one)) for one in blocks
    )


@rule(
    "MA511",
    "error",
    why="A framework takes a dict for data and writes it out: the user reads JSON, not the text.",
    fix="return the plain value, or the block types of the SDK",
    source=(issue("PrefectHQ/fastmcp#1692"),),
    bad=server(observed=called(json.dumps(_BLOCK))),
    good=server(observed=called("Two rows")),
    near=(
        server(observed=called('{"type": "bar", "text": "Sales"}')),
        server(observed=called('{"type": "text"}')),
    ),
    evidence="call",
)
def double_encoded_content(subject: Subject) -> Faults:
    """A text block of a result is a content block written as JSON."""
    for call in results(subject):
        for index, text in enumerate(texts(call)):
            if _is_block(text):
                message = f"a text of {call.tool.label} is a content block as JSON"
                yield Fault(call.at("content", index, "text"), message)
