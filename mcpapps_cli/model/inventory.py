"""What a server sends."""

from __future__ import annotations

from dataclasses import dataclass

from mcpapps_cli.model.names import Era, JsonObject, Uri


@dataclass(frozen=True, slots=True)
class Skip:
    """Something that could not be read or checked, and why.

    Attributes:
        subject: The thing as the user calls it: a URI, a tool, a method.
        reason: One clause without a full stop.
        answered: Whether the server did answer, so that the answer itself is at fault.
        minor: Whether nothing that a tool links to depends on it, so that it is only told.
    """

    subject: str
    reason: str
    answered: bool = False
    minor: bool = False


@dataclass(frozen=True, slots=True)
class Resource:
    """A UI resource as the server lists and serves it.

    Attributes:
        uri: As the tool or the listing names it.
        listing: The raw `resources/list` entry, or None when not listed.
        contents: Every raw item of the `resources/read` answer; empty when unread.
        content: The item chosen for `uri`, or None when it could not be read.
        html: Decoded text of `content`, or None.
        read_meta: `_meta` beside `contents`, where no host looks for it.
    """

    uri: Uri
    listing: JsonObject | None = None
    contents: tuple[JsonObject, ...] = ()
    content: JsonObject | None = None
    html: str | None = None
    read_meta: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class Inventory:
    """Everything a host would see of one server, as raw JSON.

    Attributes:
        era: Which handshake was used.
        protocol_version: The core revision agreed on.
        server_info: `serverInfo` as received.
        capabilities: The server's capabilities as received.
        tools: Raw entries of every page of `tools/list`.
        resources: Every UI resource: linked by a tool or listed with a `ui://` URI.
        unread: What could not be had, in the order met.
    """

    era: Era
    protocol_version: str
    server_info: JsonObject
    capabilities: JsonObject
    tools: tuple[JsonObject, ...] = ()
    resources: tuple[Resource, ...] = ()
    unread: tuple[Skip, ...] = ()
