"""Scripts that the HTML parser ends where the author did not."""

from __future__ import annotations

import re

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

_CLOSED = 'const tag = "<script>x()</script>";'
_ESCAPED = 'const tag = "<script>x()<\\/script>";'
_COMMENT = 'const note = "<!-- not a script -->";'
_TAG = re.compile(r"<script[\s/>]", re.IGNORECASE)


def _comment_with_script(code: str) -> int:
    """Offset of the first `<!--` with a `<script` before its `-->`, or -1."""
    start = code.find("<!--")
    while start >= 0:
        end = code.find("-->", start)
        if _TAG.search(code, start, len(code) if end < 0 else end):
            return start
        start = code.find("<!--", end) if end >= 0 else -1
    return -1


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
        closes = {script.close for script in served.page.scripts}
        for token in served.page.tokens:
            if token.kind != "end" or token.name != "script" or token.end in closes:
                continue
            cut = max(
                (c.script for c in served.code if c.script.close <= token.start),
                key=lambda script: script.close,
                default=None,
            )
            place = (
                served.at(token.start, token.end) if cut is None else served.at(cut.end, cut.close)
            )
            yield Fault(place, "the script ends here, and a later </script> closes nothing")
        for code in served.code:
            script = code.script
            if (found := _comment_with_script(code.source)) >= 0:
                start = script.start + found
                yield Fault(
                    served.at(start, start + 4),
                    "<!-- and <script inside a script make the parser skip the next </script>",
                )
            elif script.close == script.end:
                yield Fault(
                    served.at(script.token.start, script.token.end),
                    "this script has no </script>, so it never runs",
                )
