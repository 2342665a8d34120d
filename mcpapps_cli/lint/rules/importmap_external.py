"""An import map points at an origin that the View's metadata does not declare."""

from __future__ import annotations

from mcpapps_cli.csp import allows, origin_of
from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    is_loopback,
    issue,
    page,
    rule,
    server,
    spec,
)
from mcpapps_cli.lint.rules._origin import declaring, origin_help


def _map(url: str) -> str:
    return f'<script type="importmap">{{"imports": {{"lib": "{url}"}}}}</script>\n'


@rule(
    "MA202",
    "error",
    why="The policy blocks the module behind the map, and the script that imports it never runs.",
    fix="bundle the module into the View, or add its origin to csp.resourceDomains",
    source=(spec("Security Implications"), issue("agentfront/frontmcp#454")),
    bad=server(page(head=_map("https://esm.example.com/lib.js"))),
    good=server(
        page(
            head=_map("https://esm.example.com/lib.js"),
            meta=declaring("https://esm.example.com"),
        )
    ),
    near=(
        server(page(head=_map("data:text/javascript,"))),
        server(page('<script type="application/json">{"lib": "https://a.example.com"}</script>\n')),
    ),
    evidence="static",
)
def importmap_external(subject: Subject) -> Faults:
    """An import map points at an origin that the View's metadata does not declare."""
    for view, served in subject.pages:
        for ref in served.page.references:
            if ref.kind != "import-map" or is_loopback(ref.url):
                continue
            origin = origin_of(ref.url)
            if origin is not None and not allows(view.csp, "script-src", ref.url):
                yield Fault(
                    served.at(ref.start, ref.end),
                    f'the import map needs "{origin}", which is not in resourceDomains',
                    help=origin_help(view, origin),
                )
