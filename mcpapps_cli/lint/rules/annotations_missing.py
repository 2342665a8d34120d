"""A tool with a View does not say whether it changes anything."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Subject, as_object, rule, server, tool

_SOURCE = ("https://modelcontextprotocol.io/specification/2025-11-25/server/tools",)

_READ_ONLY = {"annotations": {"readOnlyHint": True}}


@rule(
    "MA118",
    "info",
    why="Without them a host must take the tool for one that changes things, and asks each time.",
    fix="say readOnlyHint true, or destructiveHint true or false, in `annotations`",
    source=_SOURCE,
    bad=server(tool(also={"annotations": {}})),
    good=server(tool(also=_READ_ONLY)),
    near=(
        server(tool(also={"annotations": {"readOnlyHint": False, "destructiveHint": False}})),
        server(tool(), tool("plain", meta={}, also={"annotations": {}})),
    ),
)
def annotations_missing(subject: Subject) -> Faults:
    """A tool with a View does not say whether it changes anything."""
    for entry in subject.ui_tools:
        hints = as_object(entry.raw.get("annotations"))
        if "readOnlyHint" not in hints and "destructiveHint" not in hints:
            yield Fault(
                entry.at(),
                f"{entry.label} does not say whether it changes anything",
                severity="warning" if "claude" in subject.profiles else None,
            )
