"""A page with nothing in it."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    issue,
    page,
    rule,
    server,
    shows_something,
)

_EMPTY = """\
<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Chart</title></head>
<body><div id="root"></div></body>
</html>
"""


@rule(
    "MA416",
    "warning",
    why="The host shows an empty frame: the script that should fill the root is not in the page.",
    fix="serve the built page, with its script inside: mcpapps bundle makes it",
    source=(issue("openai/openai-apps-sdk-examples#53"),),
    bad=server(page(html=_EMPTY)),
    good=server(page()),
    near=(
        server(page(html=page().html.replace("No data yet", ""))),
        server(page('<div id="root"></div>\n')),
    ),
    evidence="static",
)
def empty_root(subject: Subject) -> Faults:
    """The body of a page has nothing to see and no script."""
    for _, served in subject.pages:
        if not served.page.scripts and not shows_something(served):
            yield Fault(served.at(0), f'"{served.uri}" has nothing to see and no script')
