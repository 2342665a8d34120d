"""Themes that only the operating system decides."""

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
from mcpapps_cli.wire import UI_HOST_CONTEXT_CHANGED

_QUERY = re.compile(r"@media[^{}]*\(\s*prefers-color-scheme\b", re.IGNORECASE)
_DARK = "<style>@media (prefers-color-scheme: dark) { main { color: #fff } }</style>\n"


@rule(
    "MA705",
    "info",
    why="The media query follows the system, or the frame; the theme of the host may be the other.",
    fix="follow `theme` of the host context, with color-scheme and light-dark()",
    source=(spec("Theming"), issue("archestra-ai/archestra#6281")),
    bad=server(page(head=_DARK)),
    good=server(page(head=_DARK, more="root.dataset.theme = hostContext.theme;")),
    near=(
        server(page(head="<style>@media (max-width: 20rem) { main { color: red } }</style>\n")),
        server(page(head="<style>/* prefers-color-scheme */ main { color: red }</style>\n")),
    ),
    evidence="static",
)
def theme_only_media_query(subject: Subject) -> Faults:
    """A page follows the colour scheme of the system and never looks at the host's theme."""
    for _, served in subject.pages:
        if served.external_code or served.mentions("theme", UI_HOST_CONTEXT_CHANGED):
            continue
        for style in served.page.styles:
            if match := _QUERY.search(served.text, style.start, style.end):
                yield Fault(served.at(*match.span()), "the theme of the host is not looked at")
                break
