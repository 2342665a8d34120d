"""Scripts that are not in the document."""

from __future__ import annotations

from mcpapps_cli.csp import allows, origin_of
from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, page, rule, server
from mcpapps_cli.model import JsonObject

_TAG = '<script src="https://cdn.example.com/chart.js"></script>\n'
_DECLARED: JsonObject = {
    "csp": {"resourceDomains": ["https://cdn.example.com"]},
    "prefersBorder": True,
}


@rule(
    "MA314",
    "warning",
    why="Hosts keep the document for long: it then asks for a file that a new release has removed.",
    fix="inline the script: mcpapps bundle does it",
    source=(
        issue("openai/openai-apps-sdk-examples#206"),
        issue("agentfront/frontmcp#454"),
    ),
    bad=server(page(_TAG, meta=_DECLARED)),
    good=server(page("<script>const chart = 1;</script>\n", meta=_DECLARED)),
    near=(
        server(page('<a href="https://cdn.example.com/chart.js">Source</a>\n')),
        server(page("<!-- " + _TAG.strip() + " -->\n")),
    ),
    evidence="static",
)
def external_script(subject: Subject) -> Faults:
    """A View loads a script from elsewhere, although its metadata allows it."""
    for view, served in subject.pages:
        for ref in served.page.references:
            # One that the policy blocks is `undeclared-resource-origin`.
            known = ref.kind == "script" and origin_of(ref.url) is not None
            if known and allows(view.csp, "script-src", ref.url):
                yield Fault(served.at(ref.start, ref.end), f'the View needs "{ref.url}" to run')
