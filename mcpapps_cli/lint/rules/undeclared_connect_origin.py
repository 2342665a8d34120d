"""Origins to which a script connects."""

from __future__ import annotations

from mcpapps_cli.csp import allows, origin_of
from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    UiResource,
    connections,
    in_run,
    is_loopback,
    issue,
    page,
    rule,
    server,
    spec,
)
from mcpapps_cli.model import JsonObject


def _declared(**lists: list[str]) -> JsonObject:
    return {"csp": lists, "prefersBorder": True}


_FETCH = 'fetch("https://api.example.com/v1");'


def _other_list(view: UiResource, url: str) -> str:
    if allows(view.csp, "img-src", url):
        return "is in resourceDomains, but connections need connectDomains"
    return "is not in connectDomains"


@rule(
    "MA205",
    "error",
    why="The policy of a View allows no connection that its metadata does not name.",
    fix="add the origin to csp.connectDomains",
    source=(spec("Security Implications"), issue("nteract/nteract#1632")),
    bad=server(page(more=_FETCH)),
    good=server(page(more=_FETCH, meta=_declared(connectDomains=["https://api.example.com"]))),
    near=(
        server(page(more='const docs = "https://docs.example.com/";')),
        server(page(more="const text = \"fetch('https://api.example.com')\";")),
        server(page(more='// fetch("https://api.example.com/v1");')),
    ),
    evidence="static",
    also=("run",),
)
def undeclared_connect_origin(subject: Subject) -> Faults:
    """A View connects to an origin that its metadata does not declare."""
    for shown in subject.mounted:
        for one in shown.blocked:
            if one.directive == "connect-src" and (origin := origin_of(one.url)):
                message = f'"{origin}" was blocked in a browser: connect-src does not have it'
                yield Fault(in_run(shown, "blocked"), message)
    for view, served in subject.pages:
        for call in connections(served):
            origin = origin_of(call.url)
            if origin is None or is_loopback(call.url):
                continue
            if not allows(view.csp, "connect-src", call.url):
                yield Fault(
                    served.at(call.start, call.end),
                    f'"{origin}" {_other_list(view, call.url)}: this connection is blocked',
                    help=f'add "{origin}" to csp.connectDomains of {view.uri}',
                    severity=None if call.exact else "warning",
                )
