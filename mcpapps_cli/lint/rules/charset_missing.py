"""A View does not name its encoding in the first 1024 bytes."""

from __future__ import annotations

import re

from mcpapps_cli.lint.rule import HANDSHAKE, Fault, Faults, Subject, issue, page, rule, server, spec

_BODY = f"<body><main>No data yet</main><script>\n{HANDSHAKE}</script></body>"

_META = '<meta charset="utf-8"><title>Chart</title>'

_HEAD = f"<!doctype html>\n<html lang='en'><head>{_META}</head>{_BODY}</html>\n"

_CHARSET = re.compile(r"<meta\s[^>]*charset\s*=", re.IGNORECASE)


@rule(
    "MA309",
    "info",
    why="Without it a host that keeps the page as bytes may read it as Latin-1.",
    fix='write <meta charset="utf-8"> first in <head>',
    source=(spec("Content Requirements"), issue("openclaw/openclaw#120447")),
    bad=server(page(html=_HEAD.replace('<meta charset="utf-8">', ""))),
    good=server(page(html=_HEAD)),
    near=(
        server(page(html=_HEAD.replace('"utf-8"', "utf-8"))),
        server(
            page(
                html=_HEAD.replace(
                    '<meta charset="utf-8">',
                    '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">',
                )
            )
        ),
    ),
    evidence="static",
)
def charset_missing(subject: Subject) -> Faults:
    """A View does not name its encoding in the first 1024 bytes."""
    for _, served in subject.pages:
        if not _CHARSET.search(served.text, 0, 1024):
            yield Fault(served.at(0), f'"{served.uri}" has no <meta charset> at its start')
