"""One UI resource: read, and its HTML found in whatever the server sent."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence

from mcpapps_cli.errors import RpcError, ServerError
from mcpapps_cli.model import JsonObject, Resource, Skip
from mcpapps_cli.rpc import Client
from mcpapps_cli.words import cut

_SPACE = re.compile(r"[ \t\n\f\r]+")


async def read_resource(
    client: Client, uri: str, *, listing: JsonObject | None = None, timeout: float = 15.0
) -> tuple[Resource, Skip | None]:
    """Read one UI resource; the `Skip` says why its HTML could not be had.

    Args:
        client: A connected client.
        uri: As a tool or the listing names it.
        listing: Its raw `resources/list` entry.
        timeout: Seconds until it counts as unreadable.
    """
    try:
        result = await client.read_resource(uri, timeout=timeout)
    except (RpcError, ServerError) as error:
        return Resource(uri, listing), Skip(uri, reason_of(error), isinstance(error, RpcError))
    return resource_from(uri, listing, result)


def resource_from(
    uri: str, listing: JsonObject | None, result: JsonObject
) -> tuple[Resource, Skip | None]:
    """Make a resource of a raw `resources/read` result, of whatever shape; never raises."""
    meta = result.get("_meta")
    read_meta = meta if isinstance(meta, Mapping) else None
    raw = result.get("contents")
    if not isinstance(raw, Sequence) or isinstance(raw, str):
        reason = 'the resources/read result has no list "contents"'
        return Resource(uri, listing, read_meta=read_meta), Skip(uri, reason, True)
    contents = tuple(item for item in raw if isinstance(item, Mapping))
    content = _content_for(uri, contents)
    if content is None:
        reason = (
            f"none of its {len(contents)} content items has this URI"
            if contents
            else "the resources/read result has no content item"
        )
        return Resource(uri, listing, contents, read_meta=read_meta), Skip(uri, reason, True)
    html, fault = _html_of(content)
    resource = Resource(uri, listing, contents, content, html, read_meta)
    return resource, None if fault is None else Skip(uri, fault, True)


def reason_of(error: RpcError | ServerError) -> str:
    """Return the reason of a `Skip`."""
    if isinstance(error, RpcError):
        return f"the server answered with error {error.code}: {cut(error.message)}"
    return error.message


def _content_for(uri: str, contents: Sequence[JsonObject]) -> JsonObject | None:
    for item in contents:
        if item.get("uri") == uri:
            return item
    return contents[0] if len(contents) == 1 else None


def _html_of(content: JsonObject) -> tuple[str | None, str | None]:
    if isinstance(text := content.get("text"), str):
        return text, None
    blob = content.get("blob")
    if not isinstance(blob, str):
        return None, "its content has neither text nor blob"
    try:
        # White space is allowed, as in `atob`.
        data = base64.b64decode(_SPACE.sub("", blob), validate=True)
    except ValueError:
        return None, "its blob is not base64"
    try:
        return data.decode(), None
    except UnicodeDecodeError as error:
        return None, f"its blob is not UTF-8: byte {error.start} is wrong"
