"""How the body of a resource travels."""

from __future__ import annotations

import base64
import binascii

from mcpapps_cli.lint.rule import (
    UNSET,
    Fault,
    Faults,
    Subject,
    UiResource,
    issue,
    page,
    resource,
    rule,
    server,
    spec,
)
from mcpapps_cli.lint.rules._blob import BLOB, as_blob
from mcpapps_cli.model import JsonObject


def _bytes(value: object) -> bytes | str:
    """The decoded bytes, or why there are none."""
    if not isinstance(value, str):
        return "is not a string"
    try:
        data = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return "is not base64"
    return data if base64.b64encode(data).decode() == value else "is not canonical base64"


def _fault(view: UiResource, content: JsonObject) -> Faults:
    if ("text" in content) == ("blob" in content):
        amount = 'both "text" and "blob"' if "text" in content else 'neither "text" nor "blob"'
        yield Fault(view.in_content(), f'"{view.uri}" has {amount}', explains=view.uri)
        return
    if "text" in content:
        if not isinstance(content["text"], str):
            message = f'"text" of "{view.uri}" is not a string'
            yield Fault(view.in_content("text"), message, explains=view.uri)
        return
    data = _bytes(content["blob"])
    if isinstance(data, str):
        message = f'"blob" of "{view.uri}" {data}'
        yield Fault(view.in_content("blob"), message, explains=view.uri)
        return
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as exc:
        message = f'"blob" of "{view.uri}" is not UTF-8: byte {exc.start} is wrong'
        yield Fault(view.in_content("blob"), message, explains=view.uri)


@rule(
    "MA307",
    "error",
    why="Hosts decode strictly or not at all: the View is refused, empty or full of wrong letters.",
    fix='send the document as "text"',
    source=(spec("Content Requirements"), issue("openclaw/openclaw#120447")),
    bad=server(resource(content={"text": UNSET, "blob": "<!doctype html>"})),
    good=server(resource(content=as_blob(BLOB))),
    near=(server(resource()), server(page("<p>Zürich</p>\n"))),
)
def blob_encoding(subject: Subject) -> Faults:
    """The body of a resource is not one string, or not base64 of UTF-8."""
    for view in subject.resources:
        if view.raw.content is not None:
            yield from _fault(view, view.raw.content)
