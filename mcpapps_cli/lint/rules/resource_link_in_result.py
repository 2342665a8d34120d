"""Links to resources in a result."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    as_object,
    called,
    issue,
    results,
    rule,
    server,
    tool,
)

_LINK = {"type": "resource_link", "uri": "file:///report.csv", "name": "report"}


@rule(
    "MA512",
    "info",
    why="Claude then drops the notification with the result: the View waits for ever.",
    fix="put the URI into structuredContent, and let the View read it",
    source=(issue("anthropics/claude-ai-mcp#753"),),
    bad=server(observed=called("A report", _LINK)),
    good=server(observed=called("A report", structured={"report": "file:///report.csv"})),
    near=(
        server(tool(), tool("save", meta={}), observed=called("A", _LINK, tool="save")),
        server(observed=called("resource_link")),
    ),
    evidence="call",
)
def resource_link_in_result(subject: Subject) -> Faults:
    """A tool with a View answers with a `resource_link`."""
    for call in results(subject):
        for index, block in enumerate(call.blocks):
            if call.tool.uri_path is None or as_object(block).get("type") != "resource_link":
                continue
            yield Fault(
                call.at("content", index),
                f"the result of {call.tool.label} has a resource_link",
                severity="warning" if "claude" in subject.profiles else None,
            )
