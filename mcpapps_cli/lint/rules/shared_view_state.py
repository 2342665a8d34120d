"""Views that several tools share."""

from __future__ import annotations

from mcpapps_cli.lint.rule import URI, Fault, Faults, Subject, issue, rule, server, tool


@rule(
    "MA119",
    "info",
    why="A host makes a new frame for each call: what one tool's View holds, the next one has not.",
    fix="keep state on the server, and let the View ask for it",
    source=(issue("anthropics/claude-ai-mcp#39"),),
    bad=server(tool("chart"), tool("table")),
    good=server(tool("chart"), tool("refresh", visibility=["app"])),
    near=(server(tool("chart")), server(tool("chart", URI), tool("table", meta={}))),
)
def shared_view_state(subject: Subject) -> Faults:
    """Several tools that the model calls link the same View."""
    for view in subject.resources:
        callers = [entry for entry in view.tools if entry.apps.model_visible]
        if len(callers) > 1:
            names = ", ".join(f'"{entry.name}"' for entry in callers)
            path = callers[1].uri_path or ()
            yield Fault(callers[1].at(*path), f'the tools {names} link "{view.uri}"')
