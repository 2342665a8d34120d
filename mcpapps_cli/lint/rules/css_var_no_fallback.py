"""The style variables of hosts."""

from __future__ import annotations

import re

from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, page, rule, server, spec
from mcpapps_cli.wire import STYLE_VARIABLES

_USE = re.compile(r"var\(\s*(?P<name>--[\w-]+)\s*\)")
_STANDARD = frozenset(STYLE_VARIABLES)


def _style(css: str) -> str:
    return f"<style>{css}</style>\n"


@rule(
    "MA702",
    "info",
    why="Some hosts send no variables, and the declaration then has no value at all.",
    fix="give a value after a comma, or define the variable on :root",
    source=(spec("Theming"), issue("archestra-ai/archestra#6281")),
    bad=server(page(head=_style("main { color: var(--color-text-primary) }"))),
    good=server(page(head=_style("main { color: var(--color-text-primary, #222) }"))),
    near=(
        server(
            page(
                head=_style(
                    ":root { --color-text-primary: #222 } main { color: var(--color-text-primary) }"
                )
            )
        ),
        server(page(head=_style("main { color: var(--brand) }"))),
    ),
    evidence="static",
)
def css_var_no_fallback(subject: Subject) -> Faults:
    """A style uses a variable of the host and says nothing for a host that lacks it."""
    for _, served in subject.pages:
        seen: set[str] = set()
        for style in served.page.styles:
            for match in _USE.finditer(served.text, style.start, style.end):
                name = match["name"]
                if name not in _STANDARD or name in seen:
                    continue
                seen.add(name)
                if not re.search(rf"{re.escape(name)}\s*:", served.text):
                    yield Fault(served.at(*match.span()), f'"{name}" has no value of its own')
