"""Tool names that a View has written down."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Inline,
    Subject,
    issue,
    page,
    rule,
    server,
    tool_calls,
)


@rule(
    "MA517",
    "info",
    why="Behind an aggregator every tool has a prefix, and the host knows no tool of that name.",
    fix="take the prefix from `toolInfo` of the host context",
    source=(issue("modelcontextprotocol/ext-apps#753"),),
    bad=server(page(more='app.callServerTool({ name: "chart", arguments: {} });')),
    good=server(page(more="app.callServerTool({ name: prefix + action, arguments: {} });")),
    near=(
        server(page(more="app.callServerTool({ name, arguments: {} });")),
        server(
            page(
                more="const { tool } = context.toolInfo;\n"
                '    app.callServerTool({ name: "chart", arguments: {} });'
            )
        ),
    ),
    evidence="static",
)
def hardcoded_tool_name(subject: Subject) -> Faults:
    """A View calls a tool by a name that is written in it."""
    for _, served in subject.pages:
        if any(_reads_tool_info(code) for code in served.code):
            continue
        for name, code, node in tool_calls(served):
            if name in subject.tool_names and subject.tool_names[name].apps.app_visible:
                yield Fault(served.at_node(code, node), f'the View calls "{name}" by name')


def _reads_tool_info(code: Inline) -> bool:
    # The schemas of the SDK have it as a key, which says nothing.
    return any(
        node.parent is not None and node.parent.type == "member_expression"
        for node in code.words("toolInfo")
    )
