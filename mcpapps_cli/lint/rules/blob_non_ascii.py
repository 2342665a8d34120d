"""A document with letters outside ASCII is sent as a blob."""

from __future__ import annotations

import base64

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    issue,
    page,
    resource,
    rule,
    server,
)
from mcpapps_cli.lint.rules._blob import BLOB, as_blob

_ACCENT = base64.b64encode(page("<p>Zürich</p>\n").html.encode()).decode()


@rule(
    "MA308",
    "warning",
    why="At least one host decodes a blob as Latin-1, and every letter outside ASCII turns wrong.",
    fix='send the document as "text", or write such letters as character references',
    source=(issue("openclaw/openclaw#120447"),),
    bad=server(resource(content=as_blob(_ACCENT))),
    good=server(resource(html=page("<p>Zürich</p>\n").html)),
    near=(server(resource(content=as_blob(BLOB))), server(page("<p>Z&uuml;rich</p>\n"))),
)
def blob_non_ascii(subject: Subject) -> Faults:
    """A document with letters outside ASCII is sent as a blob."""
    for view in subject.resources:
        content, html = view.raw.content, view.raw.html
        if content is None or html is None or "blob" not in content or "text" in content:
            continue
        if not html.isascii():
            odd = next(char for char in html if not char.isascii())
            yield Fault(view.in_content("blob"), f'"{view.uri}" is a blob with "{odd}" in it')
