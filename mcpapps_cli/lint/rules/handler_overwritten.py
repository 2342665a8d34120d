"""Handlers that take the place of others."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    handlers,
    issue,
    page,
    rule,
    server,
)

_TWICE = """
    const app = new App(info, {});
    app.ontoolresult = (result) => draw(result);
    app.ontoolresult = (result) => store(result);
"""


@rule(
    "MA413",
    "warning",
    why="A property holds one handler: the second takes the place of the first, without a word.",
    fix="do both in one handler, or use addEventListener",
    source=(issue("modelcontextprotocol/ext-apps#225"),),
    bad=server(page(more=_TWICE)),
    good=server(
        page(
            more='app.addEventListener("toolresult", draw);\n'
            '    app.addEventListener("toolresult", store);'
        )
    ),
    near=(
        server(page(more="first.ontoolresult = draw;\n    second.ontoolresult = draw;")),
        server(page(more="app.ontoolresult = draw;\n    app.ontoolresult = undefined;")),
        server(page(more="if (old) app.ontoolresult = draw;\n    else app.ontoolresult = store;")),
    ),
    evidence="static",
)
def handler_overwritten(subject: Subject) -> Faults:
    """The same handler of an app is set twice."""
    for _, served in subject.pages:
        for code in served.code:
            seen: dict[tuple[str, str, int], bool] = {}
            for handler in handlers(code):
                if not handler.assigned or not handler.sure or not handler.owner:
                    continue
                key = (handler.owner, handler.event, handler.scope)
                if seen.get(key):
                    place = served.at_node(code, handler.node)
                    yield Fault(place, f'this replaces the handler "on{handler.event}" set before')
                seen[key] = True
