"""The size of a result."""

from __future__ import annotations

import json

from mcpapps_cli.lint.rule import Fault, Faults, Subject, called, results, rule, server

_LIMIT = 150_000


@rule(
    "MA510",
    "warning",
    why=(
        "Claude writes a result over about 150 000 characters to a file, and the View gets a "
        "pointer in place of the data."
    ),
    fix="send a page of the data, and let the View ask for more with an app-only tool",
    source=("https://claude.com/docs/connectors/building/mcp-apps/troubleshooting",),
    bad=server(
        observed=called("Rows", structured={"rows": ["a long row"] * 12_000}),
        shown='{"structuredContent": {"rows": [… 12000 rows]}}',
    ),
    good=server(
        observed=called("Rows", structured={"rows": ["a long row"] * 100}),
        shown='{"structuredContent": {"rows": [… 100 rows], "next": 100}}',
    ),
    near=(
        server(observed=called("Rows", structured={"rows": ["a long row"] * 10_000})),
        server(observed=called("Rows " * 20_000)),
    ),
    evidence="call",
)
def result_too_large(subject: Subject) -> Faults:
    """A result is larger than a host hands to a View."""
    for call in results(subject):
        size = len(json.dumps(call.result, ensure_ascii=False, separators=(",", ":"), default=str))
        if size > _LIMIT:
            amount = f"{size:,}".replace(",", " ")
            yield Fault(call.at(), f"the result of {call.tool.label} has {amount} characters")
