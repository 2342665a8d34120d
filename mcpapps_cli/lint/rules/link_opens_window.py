"""A View opens windows and never asks the host to open a link."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, page, rule, server
from mcpapps_cli.wire import UI_OPEN_LINK


@rule(
    "MA603",
    "warning",
    why="Most hosts let a View open no window: the click does nothing.",
    fix=f'send "{UI_OPEN_LINK}" with the URL, and let the host ask the user',
    source=(issue("anthropics/claude-ai-mcp#31"), issue("github/github-mcp-server#2593")),
    bad=server(page('<a href="https://example.com/" target="_blank">Site</a>\n')),
    good=server(page('<button type="button">Site</button>\n')),
    near=(
        server(page('<a href="https://example.com/">Site</a>\n')),
        server(
            page(
                '<a href="https://example.com/" target="_blank">Site</a>\n',
                more='const openLink = (url) => send({ method: "ui/open-link", params: { url } });',
            )
        ),
    ),
    evidence="static",
)
def link_opens_window(subject: Subject) -> Faults:
    """A View opens windows and never asks the host to open a link."""
    for _, served in subject.pages:
        if served.external_code or served.mentions(UI_OPEN_LINK):
            continue
        for token in served.page.tokens:
            target = next((a.value for a in token.attrs if a.name == "target"), None)
            if token.kind == "start" and target == "_blank" and token.name in ("a", "area"):
                yield Fault(served.at(token.start, token.end), "this link cannot open a window")
