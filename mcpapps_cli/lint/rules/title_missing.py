"""What a tool says about itself."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Subject, as_object, rule, server, tool

_SOURCE = ("https://modelcontextprotocol.io/specification/2025-11-25/server/tools",)


@rule(
    "MA117",
    "info",
    why="Hosts show the title above the View and in the question whether the tool may run.",
    fix="give the tool a `title`",
    source=_SOURCE,
    bad=server(tool(also={"title": ""})),
    good=server(tool(also={"title": "Draw a chart"})),
    near=(
        server(tool(also={"title": "", "annotations": {"title": "Chart", "readOnlyHint": True}})),
        server(tool(), tool("plain", meta={}, also={"title": ""})),
    ),
)
def title_missing(subject: Subject) -> Faults:
    """A tool with a View has no title."""
    for entry in subject.ui_tools:
        if not entry.raw.get("title") and not as_object(entry.raw.get("annotations")).get("title"):
            yield Fault(
                entry.at(),
                f"{entry.label} has no title",
                severity="warning" if "claude" in subject.profiles else None,
            )
