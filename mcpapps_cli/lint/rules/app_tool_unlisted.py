"""The tools that a View calls."""

from __future__ import annotations

from difflib import get_close_matches

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    issue,
    page,
    rule,
    server,
    spec,
    tool,
)
from mcpapps_cli.lint.rules._tool_call import SAVE, called_by, seen_by


@rule(
    "MA503",
    "error",
    why="A strict host refuses a tool that tools/list does not show; the call in the View fails.",
    fix='list the tool; one for the View alone has visibility ["app"], and is listed all the same',
    source=(spec("Resource Discovery"), issue("PrefectHQ/fastmcp#4088")),
    bad=server(page(more=SAVE)),
    good=server(page(more=SAVE), tool(), tool("save", meta=seen_by("app"))),
    near=(
        server(page(more=SAVE.replace("save", "chart"))),
        server(page(more="app.callServerTool({ name: action, arguments: {} });")),
        server(page(more='send({ method: "ui/message", params: { name: "save" } });')),
    ),
    evidence="static",
)
def app_tool_unlisted(subject: Subject) -> Faults:
    """A View calls a tool that the server does not list."""
    for _, served in subject.pages:
        for name, place in called_by(served):
            if name not in subject.tool_names:
                close = get_close_matches(name, subject.tool_names, 1)
                yield Fault(
                    place,
                    f'the View calls "{name}", which tools/list does not show',
                    help=f'did you mean "{close[0]}"?' if close else None,
                )
