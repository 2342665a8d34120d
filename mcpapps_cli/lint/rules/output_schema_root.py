"""The shape that a tool promises for its structured data."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Subject, as_object, issue, rule, server, tool
from mcpapps_cli.model import JsonObject

_OBJECT: JsonObject = {"type": "object", "properties": {"value": {"type": "number"}}}
_UNIONS = ("anyOf", "oneOf", "allOf")


def _giving(schema: object) -> JsonObject:
    return {"outputSchema": schema}


@rule(
    "MA501",
    "warning",
    why="Structured data is an object; one host drops the whole connector for a union at the root.",
    fix='give outputSchema the root "type": "object", and put unions inside a property',
    source=("https://modelcontextprotocol.io/specification/2025-11-25/server/tools",),
    bad=server(tool(also=_giving({"type": "array", "items": {}}))),
    good=server(tool(also=_giving(_OBJECT))),
    near=(
        server(tool(also=_giving({**_OBJECT, "properties": {"a": {"anyOf": [{}, {}]}}}))),
        server(tool()),
    ),
)
def output_schema_root(subject: Subject) -> Faults:
    """`outputSchema` of a tool is not an object at its root."""
    for entry in subject.tools:
        if "outputSchema" not in entry.raw:
            continue
        schema = as_object(entry.raw["outputSchema"])
        union = next((key for key in _UNIONS if key in schema), None)
        if union is not None:
            message = f'"outputSchema" of {entry.label} has "{union}" at its root'
            yield Fault(entry.at("outputSchema", union), message)
        elif schema.get("type") != "object":
            message = f'"outputSchema" of {entry.label} is not an object at its root'
            path = ("outputSchema", "type") if "type" in schema else ("outputSchema",)
            yield Fault(entry.at(*path), message)


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
