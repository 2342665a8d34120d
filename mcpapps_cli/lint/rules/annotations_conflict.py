"""Hints that contradict each other."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Subject, as_object, rule, server, tool


def _hints(reads: bool, destroys: bool) -> dict[str, object]:
    return {"annotations": {"readOnlyHint": reads, "destructiveHint": destroys}}


@rule(
    "MA127",
    "warning",
    why="A host asks the user about the wrong calls; a directory sends the server back.",
    fix="say destructiveHint only for what changes things",
    source=("https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations",),
    bad=server(tool(also=_hints(True, True))),
    good=server(tool(also=_hints(True, False))),
    near=(server(tool(also=_hints(False, True))), server(tool(also=_hints(False, False)))),
)
def annotations_conflict(subject: Subject) -> Faults:
    """A tool with a View says that it only reads and that it destroys."""
    for entry in subject.ui_tools:
        hints = as_object(entry.raw.get("annotations"))
        if hints.get("readOnlyHint") is True and hints.get("destructiveHint") is True:
            message = f"{entry.label} says that it only reads, and that it destroys"
            yield Fault(entry.at("annotations"), message)
