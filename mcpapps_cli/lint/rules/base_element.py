"""The base element, which moves every relative URL."""

from __future__ import annotations

from mcpapps_cli.csp import allows, origin_of
from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, page, rule, server, spec
from mcpapps_cli.model import JsonObject

_BASE = '<base href="https://cdn.example.com/app/">\n'
_DECLARED: JsonObject = {
    "csp": {"baseUriDomains": ["https://cdn.example.com"]},
    "prefersBorder": True,
}


@rule(
    "MA203",
    "error",
    why="The policy blocks the element, and every relative URL then points into the sandbox.",
    fix="leave the element out and write absolute URLs, or declare the origin in baseUriDomains",
    source=(spec("Sandbox proxy"), issue("aaif-goose/goose#6399")),
    bad=server(page(head=_BASE)),
    good=server(page(head=_BASE, meta=_DECLARED)),
    near=(
        server(page(head='<base target="_top">\n')),
        server(page(head=_BASE.replace("/app/", ""), meta=_DECLARED)),
    ),
    evidence="static",
)
def base_element(subject: Subject) -> Faults:
    """A View sets a base URL that its metadata does not declare."""
    for view, served in subject.pages:
        for ref in served.page.references:
            if ref.kind == "base" and not allows(view.csp, "base-uri", ref.url):
                origin = origin_of(ref.url)
                yield Fault(
                    served.at(ref.start, ref.end),
                    f'the base URL "{ref.url}" is not allowed by the policy of the View',
                    help=origin and f'leave it out, or add "{origin}" to csp.baseUriDomains',
                )
