"""Scripts that the HTML parser ends where the author did not."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    issue,
    page,
    rule,
    server,
    spec,
)
from mcpapps_cli.lint.rules._wrong_end import wrong_ends

_CLOSED = 'const tag = "<script>x()</script>";'
_ESCAPED = 'const tag = "<script>x()<\\/script>";'
_COMMENT = 'const note = "<!-- not a script -->";'


@rule(
    "MA306",
    "error",
    why=(
        "The HTML parser knows no JavaScript: it ends a script at the first </script>, also inside "
        "a string. The script is cut, does not run, and the rest of it is shown as text."
    ),
    fix="write <\\/script> inside strings, and <\\!-- for <!--; mcpapps bundle does both",
    source=(
        spec("Content Requirements"),
        issue("richardtallent/vite-plugin-singlefile#102"),
        issue("richardtallent/vite-plugin-singlefile#110"),
    ),
    bad=server(page(more=_CLOSED)),
    good=server(page(more=_ESCAPED)),
    near=(
        server(page(more=_COMMENT)),
        server(page(more='const note = "<\\!-- and <script>";')),
    ),
    evidence="static",
)
def script_terminated_early(subject: Subject) -> Faults:
    """A script ends, or goes on, where the HTML parser decides and not where its author did."""
    for _, served in subject.pages:
        for _, place, message in wrong_ends(served):
            yield Fault(place, message)
