"""The framework wraps the result of a tool with a View."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    as_object,
    issue,
    rule,
    server,
    tool,
)
from mcpapps_cli.model import JsonObject

_OBJECT: JsonObject = {"type": "object", "properties": {"value": {"type": "number"}}}


def _giving(schema: object) -> JsonObject:
    return {"outputSchema": schema}


@rule(
    "MA502",
    "warning",
    why="The framework wraps the value, so the View gets {result: ...} and not what it looks for.",
    fix="return an object, or read `structuredContent.result` in the View",
    source=(issue("PrefectHQ/fastmcp#1692"),),
    bad=server(tool(also=_giving({**_OBJECT, "x-fastmcp-wrap-result": True}))),
    good=server(tool(also=_giving(_OBJECT))),
    near=(
        server(tool(also=_giving({**_OBJECT, "x-fastmcp-wrap-result": False}))),
        server(tool(), tool("p", meta={}, also=_giving({**_OBJECT, "x-fastmcp-wrap-result": 1}))),
    ),
)
def wrapped_result(subject: Subject) -> Faults:
    """The framework wraps the result of a tool with a View."""
    for entry in subject.ui_tools:
        if as_object(entry.raw.get("outputSchema")).get("x-fastmcp-wrap-result") is True:
            place = entry.at("outputSchema", "x-fastmcp-wrap-result")
            yield Fault(place, f"the View of {entry.label} gets its data inside {{result: ...}}")
