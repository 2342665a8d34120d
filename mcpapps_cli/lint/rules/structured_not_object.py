"""The type of structured data."""

from __future__ import annotations

from collections.abc import Mapping

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    called,
    issue,
    results,
    rule,
    server,
    spec,
)


@rule(
    "MA508",
    "error",
    why=(
        "Until 2025-11-25 structuredContent is an object, and clients refuse anything else. "
        "2026-07-28 allows any JSON value; Views and hosts of today may still expect an object."
    ),
    fix='wrap the list, as in {"rows": [...]}',
    source=(spec("Data Passing"), issue("redis/redisctl#653")),
    bad=server(observed=called("Two rows", structured=[1, 2])),
    good=server(observed=called("Two rows", structured={"rows": [1, 2]})),
    near=(
        server(observed=called("Two rows")),
        server(observed=called("No rows", structured={})),
    ),
    evidence="call",
)
def structured_not_object(subject: Subject) -> Faults:
    """`structuredContent` of a result is no object."""
    legacy = subject.inventory.era == "legacy"
    for call in results(subject):
        if "structuredContent" not in call.result:
            continue
        data = call.result["structuredContent"]
        if not isinstance(data, Mapping):
            kind = {list: "a list", str: "a string", type(None): "null"}.get(type(data), "a value")
            yield Fault(
                call.at("structuredContent"),
                f"`structuredContent` of {call.tool.label} is {kind}",
                severity=None if legacy else "warning",
            )
