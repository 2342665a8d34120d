"""The shape that a tool promises for its structured data."""

from __future__ import annotations

from collections.abc import Mapping

from mcpapps_cli.lint.rule import (
    CallResult,
    Fault,
    Faults,
    Subject,
    as_object,
    results,
    rule,
    server,
    tool,
)
from mcpapps_cli.model import JsonObject, Severity

_OBJECT: JsonObject = {"type": "object", "properties": {"value": {"type": "number"}}}

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (Mapping,),
    "array": (list,),
    "null": (type(None),),
}

_UNIONS = ("anyOf", "oneOf", "allOf")


def _giving(schema: object) -> JsonObject:
    return {"outputSchema": schema}


def _mismatch(call: CallResult) -> Faults:
    schema, data = call.tool.raw.get("outputSchema"), call.result.get("structuredContent")
    if not isinstance(schema, Mapping) or call.failed:
        return
    if not isinstance(data, Mapping):
        if data is None:
            message = f"{call.tool.label} has an `outputSchema` and answers without data"
            yield Fault(call.at("structuredContent"), message)
        return
    required = schema.get("required")
    for name in required if isinstance(required, list) else ():
        if isinstance(name, str) and name not in data:
            message = f'the result of {call.tool.label} lacks "{name}", which its schema requires'
            yield Fault(call.at("structuredContent"), message)
    for name, wanted in as_object(schema.get("properties")).items():
        kind = as_object(wanted).get("type")
        if name in data and isinstance(kind, str) and not _is_of(data[name], kind):
            message = f'"{name}" in the result of {call.tool.label} is no {kind}'
            yield Fault(call.at("structuredContent", name), message)


def _is_of(value: object, kind: str) -> bool:
    types = _TYPES.get(kind)
    if types is None:
        return True
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, types) or (
        kind == "integer" and isinstance(value, float) and value.is_integer()
    )


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
    also=("call",),
)
def output_schema_root(subject: Subject) -> Faults:
    """`outputSchema` of a tool is not an object at its root."""
    severity: Severity | None = "error" if "claude" in subject.profiles else None
    for entry in subject.tools:
        if "outputSchema" not in entry.raw:
            continue
        schema = as_object(entry.raw["outputSchema"])
        union = next((key for key in _UNIONS if key in schema), None)
        if union is not None:
            message = f'"outputSchema" of {entry.label} has "{union}" at its root'
            yield Fault(entry.at("outputSchema", union), message, severity=severity)
        elif schema.get("type") != "object":
            message = f'"outputSchema" of {entry.label} is not an object at its root'
            path = ("outputSchema", "type") if "type" in schema else ("outputSchema",)
            yield Fault(entry.at(*path), message, severity=severity)
    for call in results(subject):
        yield from _mismatch(call)
