"""The frame of the document."""

from __future__ import annotations

from mcpapps_cli.lint.rule import HANDSHAKE, Fault, Faults, Subject, issue, page, rule, server, spec

_BODY = f"<body><main>No data yet</main><script>\n{HANDSHAKE}</script></body>"

_META = '<meta charset="utf-8"><title>Chart</title>'

_NO_HEAD = f"<!doctype html>\n<html lang='en'>{_META}{_BODY}</html>\n"

_HEAD = f"<!doctype html>\n<html lang='en'><head>{_META}</head>{_BODY}</html>\n"


@rule(
    "MA310",
    "warning",
    why=(
        "Some hosts put the policy after <head>: without it the policy is not applied, or comes "
        "after a script. Without a doctype the page is drawn in quirks mode."
    ),
    fix="write <!doctype html>, <html> and <head>, and scripts after them",
    source=(spec("Content Requirements"), issue("MCPJam/inspector#987")),
    bad=server(page(html=_NO_HEAD)),
    good=server(page(html=_HEAD)),
    near=(
        server(page(html=_HEAD.replace("<head>", "<HEAD data-x='1'>"))),
        server(page(html="<!-- v2 -->\n" + _HEAD.replace("<!doctype", "<!DOCTYPE"))),
    ),
    evidence="static",
)
def head_missing(subject: Subject) -> Faults:
    """A View has no doctype or no `<head>`, or a script before it."""
    for _, served in subject.pages:
        if served.page.doctype is None:
            yield Fault(served.at(0), f'"{served.uri}" has no <!doctype html>')
        if served.page.head is None:
            yield Fault(served.at(0), f'"{served.uri}" has no <head>')
            continue
        early = next(
            (s for s in served.page.scripts if s.token.start < served.page.head.start), None
        )
        if early is not None:
            place = served.at(early.token.start, early.token.end)
            yield Fault(place, f'"{served.uri}" has a script before <head>')
