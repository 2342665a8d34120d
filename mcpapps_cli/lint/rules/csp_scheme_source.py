"""An entry of an origin list is a scheme or `*`."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    issue,
    page,
    rule,
    server,
)
from mcpapps_cli.lint.rules._csp_entry import SCHEME_ONLY, csp_entries, csp_meta


@rule(
    "MA207",
    "warning",
    why="Hosts keep origins only: a scheme or a star is dropped in silence, or found too wide.",
    fix="name the origins; images and media may be data: URLs without being declared",
    source=(
        issue("anthropics/claude-ai-mcp#375"),
        issue("modelcontextprotocol/ext-apps#515"),
    ),
    bad=server(page(meta=csp_meta("resourceDomains", "blob:"))),
    good=server(page(meta=csp_meta("resourceDomains", "https://cdn.example.com"))),
    near=(
        server(page(meta=csp_meta("resourceDomains"))),
        server(page(meta=csp_meta("resourceDomains", "https://*.cdn.example.com"))),
    ),
)
def csp_scheme_source(subject: Subject) -> Faults:
    """An entry of an origin list is a scheme or `*`."""
    for key, entry, place in csp_entries(subject):
        if SCHEME_ONLY.fullmatch(entry):
            yield Fault(place, f'"{entry}" in "{key}" is not an origin')
