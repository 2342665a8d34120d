"""What a template engine or a build should have replaced."""

from __future__ import annotations

import re

from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, page, rule, server

_TOKEN = re.compile(r"\{\{\s*[A-Za-z_][\w.]*\s*\}\}|%VITE_\w+%|__[A-Z][A-Z0-9_]*[A-Z0-9]__")
_STYLE = "<style>main { color: red }</style>\n"


@rule(
    "MA311",
    "warning",
    why="The user sees the token, or a script fails on it.",
    fix="run the build or the template before the document is served",
    source=(issue("koala73/worldmonitor#5035"),),
    bad=server(page("<p>{{ city }}</p>\n")),
    good=server(page("<p>Oslo</p>\n")),
    near=(
        server(page("<script>const view = '{{ city }}'; const a = __proto__;</script>\n")),
        server(page("<p>{ city } and __init__</p>\n", head=_STYLE)),
    ),
    evidence="static",
)
def unresolved_placeholder(subject: Subject) -> Faults:
    """A token of a template is left in the served document."""
    for _, served in subject.pages:
        # Scripts may hold templates of their own, so only markup and attributes count.
        inside = [(script.start, script.end) for script in served.page.scripts]
        inside += [(style.start, style.end) for style in served.page.styles]
        for match in _TOKEN.finditer(served.text):
            if not any(start <= match.start() < end for start, end in inside):
                yield Fault(served.at(*match.span()), f'"{match[0]}" was not replaced')
