"""MCP Apps as plain JSON objects, for any SDK: FastMCP, mcp 1.x, and low-level servers."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import Any

from mcpapps_cli import wire
from mcpapps_cli.metadata import check_mime_types
from mcpapps_cli.server.check import (
    CspLike,
    checked_flag,
    checked_list,
    checked_meta,
    checked_text,
    checked_ui,
    checked_uri,
    checked_visibility,
    checked_words,
)
from mcpapps_cli.wire import Visibility


def tool_meta(
    resource_uri: str | None = None,
    *,
    visibility: Iterable[Visibility] | None = None,
    flat_key: bool = False,
    meta: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the `_meta` of a tool (specification, Resource Discovery; Visibility).

        >>> tool_meta("ui://weather/forecast.html", visibility=["model"])
        {'ui': {'resourceUri': 'ui://weather/forecast.html', 'visibility': ['model']}}

    Args:
        resource_uri: The View that shows the tool's results. None for a tool that a View calls
            and that has none of its own.
        visibility: Who may call the tool; None, the default, writes nothing, which means both.
        flat_key: Also write the deprecated `ui/resourceUri`, which is all that some hosts read.
        meta: Other keys of `_meta`; it is not changed.

    Raises:
        ValueError: No `ui://` URI, another word than "model" and "app", neither of the two
            arguments, or a `meta` that already says what is written here.
    """
    ui: dict[str, Any] = {}
    if resource_uri is not None:
        ui["resourceUri"] = checked_uri("resource_uri", resource_uri)
    if visibility is not None:
        ui["visibility"] = checked_visibility(visibility)
    if not ui:
        raise ValueError("resource_uri and visibility are both None, so nothing would be said")
    if checked_flag("flat_key", flat_key) and resource_uri is None:
        raise ValueError("flat_key True needs a resource_uri to write")
    own = checked_meta(meta)
    if "ui" in own:
        raise ValueError(
            'meta has the key "ui", which is written here; pass resource_uri= and visibility='
        )
    flat = own.get(wire.FLAT_URI_KEY)
    if flat is not None and flat != resource_uri:
        raise ValueError(
            f'meta says "{wire.FLAT_URI_KEY}": {flat!r}, and resource_uri is {resource_uri!r}; '
            "pass flat_key=True instead"
        )
    if flat_key:
        own[wire.FLAT_URI_KEY] = resource_uri
    return {**own, "ui": ui}


def ui_resource(
    uri: str,
    name: str,
    *,
    mime_type: str = wire.MIME_TYPE,
    title: str | None = None,
    description: str | None = None,
    csp: CspLike | None = None,
    permissions: Iterable[str] = (),
    domain: str | None = None,
    prefers_border: bool | None = None,
    meta: Mapping[str, Any] | None = None,
    **rest: Any,
) -> dict[str, Any]:
    """Return a `resources/list` entry of a View (specification, UI Resource Format).

    Args:
        uri: Starts with `ui://`.
        name: The resource's name.
        mime_type: Only what the specification names; hosts show nothing else.
        title: For people.
        description: For people.
        csp: The origins that the View uses; the four lists are written, also empty ones.
        permissions: Any of camera, microphone, geolocation, clipboardWrite.
        domain: A host-specific sandbox domain.
        prefers_border: Best given, for hosts differ in what they take for granted.
        meta: Other keys of `_meta`; it is not changed.
        rest: Any other member of the entry, as on the wire: `icons`, `annotations`, `size`.

    Raises:
        ValueError: It names the argument, the value and the rule.
    """
    checked_text("name", name, empty=False)
    checked_words(name, title, description)
    for key, instead in (("mimeType", "mime_type"), ("_meta", "meta")):
        if key in rest:
            raise ValueError(f"{key} {rest[key]!r} is written here; pass {instead}= instead")
    entry: dict[str, Any] = {
        "uri": checked_uri("uri", uri),
        "name": name,
        "mimeType": _checked_mime_type(mime_type),
    }
    entry.update({"title": title} if title is not None else {})
    entry.update({"description": description} if description is not None else {})
    entry.update(rest)
    ui = checked_ui(csp=csp, permissions=permissions, domain=domain, prefers_border=prefers_border)
    return entry | _meta(ui, meta)


def ui_content(
    uri: str,
    html: str | bytes,
    *,
    csp: CspLike | None = None,
    permissions: Iterable[str] = (),
    domain: str | None = None,
    prefers_border: bool | None = None,
    meta: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a content item of a `resources/read` result (specification, Content Requirements).

    Its `_meta.ui` is the one that hosts read first, so give it what `ui_resource` was given.

    Args:
        uri: As it was asked for.
        html: The document; bytes become a base64 `blob`.
        csp: As for `ui_resource`, and so are the others.
        permissions: See `ui_resource`.
        domain: See `ui_resource`.
        prefers_border: See `ui_resource`.
        meta: See `ui_resource`.

    Raises:
        ValueError: It names the argument, the value and the rule.
    """
    item: dict[str, Any] = {"uri": checked_uri("uri", uri), "mimeType": wire.MIME_TYPE}
    if isinstance(html, bytes):
        item["blob"] = base64.b64encode(html).decode("ascii")
    else:
        item["text"] = checked_text("html", html)
    ui = checked_ui(csp=csp, permissions=permissions, domain=domain, prefers_border=prefers_border)
    return item | _meta(ui, meta)


def capability(mime_types: Iterable[str] = (wire.MIME_TYPE,)) -> dict[str, Any]:
    """Return the member of `capabilities.extensions` that declares MCP Apps.

        >>> capability()
        {'io.modelcontextprotocol/ui': {'mimeTypes': ['text/html;profile=mcp-app']}}

    Args:
        mime_types: What is shown, or served; default: the one media type of Views
            (specification, Client (Host) Capabilities).

    Raises:
        ValueError: `mime_types` is not a list of non-empty strings.
    """
    listed = checked_list("mime_types", mime_types, "a list of media types")
    try:
        check_mime_types(listed)
    except ValueError as error:
        raise ValueError(f"mime_types: {error}") from None
    return {wire.EXTENSION_ID: {"mimeTypes": listed}}


def _checked_mime_type(value: object) -> str:
    if value != wire.MIME_TYPE:
        raise ValueError(f'mime_type {value!r} must be "{wire.MIME_TYPE}", or no host shows it')
    return wire.MIME_TYPE


def _meta(ui: Mapping[str, Any], meta: Mapping[str, Any] | None) -> dict[str, Any]:
    own = checked_meta(meta)
    if "ui" in own:
        raise ValueError('meta has the key "ui"; pass csp=, permissions= and the others instead')
    if ui:
        own["ui"] = dict(ui)
    return {"_meta": own} if own else {}
