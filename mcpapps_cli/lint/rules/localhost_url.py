"""Addresses of the author's own machine."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    as_object,
    connections,
    is_loopback,
    issue,
    page,
    rule,
    server,
)
from mcpapps_cli.wire import CSP_KEYS

_FETCH = 'fetch("http://localhost:3000/data");'
_LOADS = frozenset({"script", "style", "image", "media", "font", "frame", "import", "object"})


@rule(
    "MA215",
    "error",
    why="A hosted client draws the View in the user's browser, where localhost is another machine.",
    fix="inline what the View needs, or serve it from a public https origin",
    source=(
        issue("alpic-ai/skybridge#173"),
        issue("openai/openai-apps-sdk-examples#187"),
    ),
    bad=server(page(more=_FETCH)),
    good=server(page()),
    near=(
        server(page("<p>Started with http://localhost:3000</p>\n")),
        server(page('<a href="https://localhost.example.com/">Site</a>\n')),
    ),
    evidence="static",
)
def localhost_url(subject: Subject) -> Faults:
    """A View loads from, connects to or declares an address of this machine."""
    for view in subject.resources:
        csp = as_object(view.ui.get("csp"))
        for key in CSP_KEYS:
            entries = csp.get(key)
            for index, entry in enumerate(entries if isinstance(entries, list) else ()):
                if isinstance(entry, str) and is_loopback(entry):
                    yield Fault(view.in_ui("csp", key, index), f'"{key}" names "{entry}"')
    for _, served in subject.pages:
        for ref in served.page.references:
            if ref.kind in _LOADS and is_loopback(ref.url):
                yield Fault(served.at(ref.start, ref.end), f'the View loads "{ref.url}"')
        for call in connections(served):
            if is_loopback(call.url):
                yield Fault(served.at(call.start, call.end), f'the View connects to "{call.url}"')
