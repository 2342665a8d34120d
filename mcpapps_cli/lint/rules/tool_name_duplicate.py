"""Tools that share a name."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Subject, rule, server, tool


@rule(
    "MA125",
    "error",
    why="A host keeps one of them, and which one is not said: the other cannot be called.",
    fix="give each tool a name of its own",
    source=("https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-names",),
    bad=server(tool("chart"), tool("chart", also={"title": "Other"}, meta={})),
    good=server(tool("chart"), tool("table", meta={})),
    near=(
        server(tool("chart"), tool("Chart", meta={})),
        server(tool("chart"), tool("chart_", meta={})),
    ),
)
def tool_name_duplicate(subject: Subject) -> Faults:
    """Two tools of a server have the same name."""
    seen: set[str] = set()
    for entry in subject.tools:
        if entry.name in seen:
            yield Fault(entry.at("name"), f'a tool before has the name "{entry.name}" too')
        seen.add(entry.name)
