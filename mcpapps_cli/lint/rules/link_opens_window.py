"""A View opens windows and never asks the host to open a link."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Inline,
    Place,
    Served,
    Subject,
    issue,
    page,
    rule,
    server,
)
from mcpapps_cli.wire import UI_OPEN_LINK

_ABSOLUTE = re.compile(r"(?:https?:)?//", re.IGNORECASE)


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
        server(page(more='const file = store.open("a"); menu.location = "left";')),
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
        if served.external_code or served.mentions(UI_OPEN_LINK, "openLink"):
            continue
        for token in served.page.tokens:
            target = next((a.value for a in token.attrs if a.name == "target"), None)
            if token.kind == "start" and target == "_blank" and token.name in ("a", "area"):
                yield Fault(served.at(token.start, token.end), "this link cannot open a window")
        for code in served.code:
            for call in code.calls("open"):
                place = served.in_code(code, call.start, call.end)
                yield Fault(place, "this call cannot open a window")
            for place in _moves(served, code):
                yield Fault(place, "a View cannot go to another page")


def _moves(served: Served, code: Inline) -> Iterator[Place]:
    for call in code.calls("location.assign", "location.replace", "location"):
        if call.arguments and _ABSOLUTE.match(code.string(call.arguments[0]) or ""):
            yield served.in_code(code, call.start, call.end)
    for path in ("location", "location.href", "top.location", "top.location.href"):
        for node in code.uses(path):
            around = node.parent
            if around is None or around.type != "assignment_expression":
                continue
            left, right = around.child_by_field_name("left"), around.child_by_field_name("right")
            target = code.string(right) or code.head(right) or ""
            if left is not None and left.id == node.id and _ABSOLUTE.match(target):
                yield served.at_node(code, node)
