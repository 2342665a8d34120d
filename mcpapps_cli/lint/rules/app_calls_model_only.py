"""A View calls a tool whose visibility is the model alone."""

from __future__ import annotations

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
    "MA504",
    "error",
    why="The host refuses a call from the View of a tool that is for the model alone.",
    fix='add "app" to `visibility` of the tool',
    source=(spec("Resource Discovery"), issue("epam/statgpt-backend#520")),
    bad=server(page(more=SAVE), tool(), tool("save", meta=seen_by("model"))),
    good=server(page(more=SAVE), tool(), tool("save", meta=seen_by("app"))),
    near=(
        server(page(more=SAVE), tool(), tool("save", meta={})),
        server(page(), tool(), tool("save", meta=seen_by("model"))),
    ),
    evidence="static",
)
def app_calls_model_only(subject: Subject) -> Faults:
    """A View calls a tool whose visibility is the model alone."""
    for _, served in subject.pages:
        for name, place in called_by(served):
            called = subject.tool_names.get(name)
            if called is not None and not called.apps.app_visible:
                yield Fault(place, f'the View calls "{name}", whose visibility lacks "app"')
