"""The tools that a View calls."""

from __future__ import annotations

import re
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
)
from mcpapps_cli.model import JsonObject

_CALL = re.compile(
    r"\bcall(?:Server)?Tool\s*\(\s*(?:\{\s*name\s*:\s*)?$"
    r"|method\s*:\s*[\"'`]tools/call[\"'`]\s*,\s*params\s*:\s*\{\s*name\s*:\s*$"
)
_SAVE = 'app.callServerTool({ name: "save", arguments: {} });'


def _seen_by(who: str) -> JsonObject:
    return {"ui": {"visibility": [who]}}


def _called(served: Served) -> Iterator[tuple[str, Place]]:
    """Every tool that the page calls by a literal name."""
    for script in served.code:
        source = served.source(script)
        for literal in served.strings(script):
            if _CALL.search(source[max(0, literal.start - 80) : literal.start]):
                start, end = script.start + literal.start + 1, script.start + literal.end - 1
                yield literal.value, served.at(start, end)


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
    names = [entry.name for entry in subject.tools]
    for _, served in subject.pages:
        for name, place in _called(served):
            if name not in names:
                close = get_close_matches(name, names, 1)
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
    hidden = {entry.name for entry in subject.tools if not entry.apps.app_visible}
    for _, served in subject.pages:
        for name, place in _called(served):
            if name in hidden:
                yield Fault(place, f'the View calls "{name}", whose visibility lacks "app"')
