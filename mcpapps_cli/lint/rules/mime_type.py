"""The MIME type by which a host knows a View."""

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
    "MA301",
    "error",
    why=(
        "Hosts mount only this type. With another one they show plain text or keep loading, and "
        "Claude reports a fault of another kind: that the app may exceed the 5 MB limit."
    ),
    fix=f'give the resource the MIME type "{MIME_TYPE}" in resources/list and resources/read',
    source=(
        spec("UI Resource Format"),
        issue("czlonkowski/n8n-mcp#577"),
        issue("modelcontextprotocol/python-sdk#1754"),
        issue("danny-avila/LibreChat#13831"),
    ),
    bad=server(resource(mime="text/html")),
    good=server(resource(mime=MIME_TYPE)),
    near=(
        server(resource(listed=False)),
        server(resource(content={"text": UNSET, "blob": BLOB})),
    ),
)
def mime_type(subject: Subject) -> Faults:
    """A UI resource is not served as `text/html;profile=mcp-app`."""
    for view in subject.resources:
        content, listing = view.raw.content, view.raw.listing
        if content is not None and (reason := mime_fault(content.get("mimeType"))):
            path = ("mimeType",) if "mimeType" in content else ()
            yield Fault(view.in_content(*path), f'"{view.uri}" {reason}')
        if listing is None:
            continue
        if listing.get("mimeType") is None:
            # The specification says SHOULD for the listing, and only hosts that look there mind.
            yield Fault(
                view.in_listing(),
                f'"{view.uri}" is listed without a mimeType',
                severity="warning",
            )
        elif reason := mime_fault(listing["mimeType"]):
            yield Fault(
                view.in_listing("mimeType"),
                f'"{view.uri}" {reason}'.replace(" is served ", " is listed "),
            )
