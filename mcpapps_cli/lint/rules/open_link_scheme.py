"""A View asks the host to open something that is no web or mail address."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    page,
    rule,
    server,
    spec,
)
from mcpapps_cli.wire import UI_OPEN_LINK

if TYPE_CHECKING:
    pass

from mcpapps_cli.lint.rules._parameter import parameters

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)

_SCHEMES = frozenset({"http", "https", "mailto"})


def _open(url: str) -> str:
    return f'send({{ method: "ui/open-link", params: {{ url: "{url}" }} }});'


@rule(
    "MA409",
    "warning",
    why="A host opens web and mail addresses only; it refuses anything else, as it should.",
    fix="link to an http, https or mailto address",
    source=(spec("Requests"),),
    bad=server(page(more=_open("file:///etc/hosts"))),
    good=server(page(more=_open("https://example.com/"))),
    near=(
        server(page(more=_open("mailto:me@example.com"))),
        server(page(more='send({ method: "ui/open-link", params: { url } });')),
    ),
    evidence="static",
)
def open_link_scheme(subject: Subject) -> Faults:
    """A View asks the host to open something that is no web or mail address."""
    for _, served in subject.pages:
        for code, value in parameters(served, UI_OPEN_LINK, "url"):
            match = _SCHEME.match(code.string(value) or code.head(value) or "")
            if match and match[1].lower() not in _SCHEMES:
                start = value.start_byte + 1
                place = served.in_code(code, start, start + match.end())
                yield Fault(place, f'hosts do not open "{match[0]}"')
