"""The tools that a View calls."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Place,
    Served,
    Subject,
    issue,
    page,
    rule,
    server,
    spec,
    tool,
    tool_calls,
)
from mcpapps_cli.model import JsonObject

_SAVE = 'app.callServerTool({ name: "save", arguments: {} });'


def _seen_by(who: str) -> JsonObject:
    return {"ui": {"visibility": [who]}}


def _called(served: Served) -> Iterator[tuple[str, Place]]:
    """Every tool that the page calls by a literal name."""
    for name, code, node in tool_calls(served):
        yield name, served.in_code(code, node.start_byte + 1, node.end_byte - 1)


@rule(
    "MA503",
    "error",
    why="A strict host refuses a tool that tools/list does not show; the call in the View fails.",
    fix='list the tool; one for the View alone has visibility ["app"], and is listed all the same',
    source=(spec("Resource Discovery"), issue("PrefectHQ/fastmcp#4088")),
    bad=server(page(more=_SAVE)),
    good=server(page(more=_SAVE), tool(), tool("save", meta=_seen_by("app"))),
    near=(
        server(page(more='app.callServerTool({ name: "chart", arguments: {} });')),
        server(page(more="app.callServerTool({ name: action, arguments: {} });")),
        server(page(more='send({ method: "ui/message", params: { name: "save" } });')),
    ),
    evidence="static",
)
def app_tool_unlisted(subject: Subject) -> Faults:
    """A View calls a tool that the server does not list."""
    for _, served in subject.pages:
        for name, place in _called(served):
            if name not in subject.tool_names:
                close = get_close_matches(name, subject.tool_names, 1)
                yield Fault(
                    place,
                    f'the View calls "{name}", which tools/list does not show',
                    help=f'did you mean "{close[0]}"?' if close else None,
                )


@rule(
    "MA504",
    "error",
    why="The host refuses a call from the View of a tool that is for the model alone.",
    fix='add "app" to `visibility` of the tool',
    source=(spec("Resource Discovery"), issue("epam/statgpt-backend#520")),
    bad=server(page(more=_SAVE), tool(), tool("save", meta=_seen_by("model"))),
    good=server(page(more=_SAVE), tool(), tool("save", meta=_seen_by("app"))),
    near=(
        server(page(more=_SAVE), tool(), tool("save", meta={})),
        server(page(), tool(), tool("save", meta=_seen_by("model"))),
    ),
    evidence="static",
)
def app_calls_model_only(subject: Subject) -> Faults:
    """A View calls a tool whose visibility is the model alone."""
    for _, served in subject.pages:
        for name, place in _called(served):
            called = subject.tool_names.get(name)
            if called is not None and not called.apps.app_visible:
                yield Fault(place, f'the View calls "{name}", whose visibility lacks "app"')
