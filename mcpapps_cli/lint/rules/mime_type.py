"""The MIME type by which a host knows a View."""

from __future__ import annotations

from base64 import b64encode

from mcpapps_cli.lint.rule import (
    UNSET,
    Fault,
    Faults,
    Subject,
    issue,
    page,
    resource,
    rule,
    server,
    spec,
)
from mcpapps_cli.wire import MIME_TYPE

_BLOB = b64encode(page().html.encode()).decode()
_KNOWN = {
    "text/html+skybridge": "the type of ChatGPT's own widgets",
    "text/html+mcp": "the type of the drafts before 2026-01-26",
    "text/plain": "what an SDK sends for a resource that names no type",
}


def _media_type(value: str) -> tuple[str, dict[str, str]]:
    essence, *parameters = (part.strip() for part in value.split(";"))
    pairs = (parameter.partition("=") for parameter in parameters)
    named = {name.strip().lower(): text.strip().strip('"') for name, _, text in pairs}
    return essence.lower(), named


def _fault(value: object) -> str | None:
    if not isinstance(value, str):
        return "has no mimeType" if value is None else "has a mimeType that is no string"
    essence, parameters = _media_type(value)
    if essence in _KNOWN:
        return f'is served as "{value}", {_KNOWN[essence]}'
    if essence != "text/html":
        return f'is served as "{value}"'
    if "profile" not in parameters:
        return f'is served as "{value}", without the profile'
    if parameters["profile"] != "mcp-app":
        return f'is served with the profile "{parameters["profile"]}"'
    return None


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
        server(resource(content={"text": UNSET, "blob": _BLOB})),
    ),
)
def mime_type(subject: Subject) -> Faults:
    """A UI resource is not served as `text/html;profile=mcp-app`."""
    for view in subject.resources:
        content, listing = view.raw.content, view.raw.listing
        if content is not None and (reason := _fault(content.get("mimeType"))):
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
        elif reason := _fault(listing["mimeType"]):
            yield Fault(
                view.in_listing("mimeType"),
                f'"{view.uri}" {reason}'.replace(" is served ", " is listed "),
            )


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
        server(resource(content={"text": UNSET, "blob": _BLOB})),
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
            if isinstance(value, str) and value != MIME_TYPE and _fault(value) is None:
                yield Fault(at("mimeType"), f'"{view.uri}" has its type written as "{value}"')
