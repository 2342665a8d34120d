"""Browser features that a sandboxed document does not have."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, page, rule, server

_ROUTERS = ("BrowserRouter", "createBrowserRouter")


@rule(
    "MA604",
    "warning",
    why="A srcdoc document has no URL that could change: the call throws, and the app stops.",
    fix="use a router in memory, such as MemoryRouter",
    source=(issue("alpic-ai/skybridge#299"),),
    bad=server(page(more='history.pushState({}, "", "/chart");')),
    good=server(page(more='const route = { path: "/chart" };')),
    near=(
        server(page(more='const note = "history.pushState()";')),
        server(page(more="const undo = { history: [] }; undo.history.push(1);")),
    ),
    evidence="static",
)
def history_router(subject: Subject) -> Faults:
    """A View changes its URL."""
    for _, served in subject.pages:
        for code in served.code:
            for call in code.calls("history.pushState", "history.replaceState"):
                place = served.in_code(code, call.start, call.end)
                yield Fault(place, f'"{call.path}" cannot change the URL of a View')
            for name in _ROUTERS:
                for node in code.words(name):
                    if node.type == "identifier":
                        place = served.at_node(code, node)
                        yield Fault(place, f'"{name}" cannot change the URL of a View')
