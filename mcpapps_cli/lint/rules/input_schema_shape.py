"""The input schema of a tool."""

from __future__ import annotations

from collections.abc import Mapping

from mcpapps_cli.lint.rule import UNSET, Fault, Faults, Subject, rule, server, tool

_SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}


@rule(
    "MA126",
    "error",
    why="Clients refuse the tool, and some of them the whole list.",
    fix='give `inputSchema` {"type": "object"} with the arguments under `properties`',
    source=("https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool",),
    bad=server(tool(also={"inputSchema": {"type": "array"}})),
    good=server(tool(also={"inputSchema": _SCHEMA})),
    near=(
        server(tool(also={"inputSchema": {"type": "object"}})),
        server(tool(also={"inputSchema": {"type": "object", "additionalProperties": False}})),
    ),
)
def input_schema_shape(subject: Subject) -> Faults:
    """`inputSchema` of a tool with a View is no schema of an object."""
    for entry in subject.ui_tools:
        schema = entry.raw.get("inputSchema", UNSET)
        if schema is UNSET:
            yield Fault(entry.at("inputSchema"), f"{entry.label} has no `inputSchema`")
        elif not isinstance(schema, Mapping) or schema.get("type") != "object":
            message = f"`inputSchema` of {entry.label} is not of the type object"
            yield Fault(entry.at("inputSchema"), message)
