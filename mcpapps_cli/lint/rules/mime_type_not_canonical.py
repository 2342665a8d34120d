"""The MIME type means the right thing and is written in another way."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    UNSET,
    Fault,
    Faults,
    Subject,
    issue,
    resource,
    rule,
    server,
    spec,
)
from mcpapps_cli.lint.rules._media_type import BLOB, mime_fault
from mcpapps_cli.wire import MIME_TYPE


@rule(
    "MA302",
    "warning",
    why="Some hosts compare the type as a string, so a space or one more parameter hides the View.",
    fix=f'write exactly "{MIME_TYPE}"',
    source=(spec("UI Resource Format"), issue("epam/ai-dial-core#1809")),
    bad=server(resource(mime="text/html; profile=mcp-app")),
    good=server(resource(mime=MIME_TYPE)),
    near=(
        server(resource(listed=False)),
        server(resource(content={"text": UNSET, "blob": BLOB})),
    ),
)
def mime_type_not_canonical(subject: Subject) -> Faults:
    """The MIME type means the right thing and is written in another way."""
    for view in subject.resources:
        for entry, at in (
            (view.raw.content, view.in_content),
            (view.raw.listing, view.in_listing),
        ):
            value = None if entry is None else entry.get("mimeType")
            if isinstance(value, str) and value != MIME_TYPE and mime_fault(value) is None:
                yield Fault(at("mimeType"), f'"{view.uri}" has its type written as "{value}"')
