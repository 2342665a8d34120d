"""What a handler can know of the request it answers: the caller's abilities, and a key for it.

The functions read the context of every Python SDK (mcp 1.x, mcp 2.x, FastMCP), low-level or not,
by its attributes, so none of them is imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from mcpapps_cli import wire
from mcpapps_cli.metadata import canonical_id, declared_extensions, supports_apps
from mcpapps_cli.model import JsonObject
from mcpapps_cli.server.check import checked_text

Scope = Literal["process", "session", "in-flight"]
"""Where no two requests have the same id: the life of this connection, an HTTP session, or only
the requests of one sender that have no answer yet."""


@dataclass(frozen=True, slots=True)
class RequestKey:
    """Something to file work under that a View asks for later (specification, Host Context).

    A View is told the id of the call that it shows as `hostContext.toolInfo.id`, before there is
    a result, so it can hand it to a tool of its own: `request_key(ctx).of(id)` is then the key of
    the running call. The number 7 and the string "7" are two ids.

    How far an id goes depends on the wire:

    - stdio with the handshake of 2025-11-25: the life of the process;
    - streamable HTTP with a session: that session, which is in the key;
    - 2026-07-28, and HTTP without a session: the sender's requests that have no answer yet. Ids
      may come again after the answer, and over HTTP two clients may use the same one at once: add
      `owner`, and drop what is filed when the call ends. The host of `mcpapps dev` never uses an
      id twice.

    Attributes:
        id: The JSON-RPC id with its type as received.
        scope: Where it is unique.
        session: The HTTP session's id; None without one.
        owner: Whatever the server authenticated the caller as; None when not given.
    """

    id: int | str
    scope: Scope
    session: str | None = None
    owner: str | None = None

    def of(self, id: int | str) -> RequestKey:
        """Return the key of another request of the same sender.

        Args:
            id: What the View was told as `hostContext.toolInfo.id`, with its type as it came.

        Raises:
            ValueError: No JSON-RPC id.
        """
        return replace(self, id=_checked_id(id))


def request_key(ctx: Any, *, owner: str | None = None) -> RequestKey:
    """Return the key of the request that `ctx` belongs to (specification, Host Context).

    Args:
        ctx: A handler's context.
        owner: Who the caller is, where one server answers several over 2026-07-28 HTTP, such as
            the authenticated user. Never take it from a header that the client may set.

    Raises:
        ValueError: `ctx` belongs to no request, or `owner` is no string.
    """
    if owner is not None:
        checked_text("owner", owner)
    inner = _request_context(ctx)
    if getattr(inner, "request_id", None) is None:
        raise ValueError(f"ctx {type(ctx).__name__} belongs to no request")
    headers = getattr(getattr(inner, "request", None), "headers", None)
    session = headers.get("mcp-session-id") if isinstance(headers, Mapping) else None
    scope: Scope
    if belongs_to_modern_era(ctx) or (headers is not None and session is None):
        scope, session = "in-flight", None
    else:
        scope = "process" if session is None else "session"
    return RequestKey(_checked_id(inner.request_id), scope, session, owner)


def client_extension(ctx: Any, identifier: str = wire.EXTENSION_ID) -> JsonObject | None:
    """Return the settings that the client declared for an extension; None when it did not.

    What the request says of itself (2026-07-28) is read first, then what the connection said
    (specification, Client (Host) Capabilities).

    Args:
        ctx: A handler's context.
        identifier: The extension's id; an alias will do.

    Raises:
        ValueError: `identifier` is no string, or an empty one.
    """
    name = canonical_id(checked_text("identifier", identifier, empty=False))
    for capabilities in _capabilities(ctx):
        if (settings := declared_extensions(capabilities).get(name)) is not None:
            return settings
    return None


def client_supports(ctx: Any, *, mime_type: str = wire.MIME_TYPE) -> bool:
    """Whether the client that sent this request shows Views; False when nothing is known.

    Use it to decide how much text a result needs, never what is listed: since 2026-07-28 lists
    must be the same for every client.

    Args:
        ctx: A handler's context.
        mime_type: The media type that it must have declared (specification, Client (Host)
            Capabilities).

    Raises:
        ValueError: `mime_type` is no string, or an empty one.
    """
    wanted = checked_text("mime_type", mime_type, empty=False)
    return any(supports_apps(each, mime_type=wanted) for each in _capabilities(ctx))


def _capabilities(ctx: Any) -> tuple[object, ...]:
    inner = _request_context(ctx)
    params = getattr(inner, "params", None)
    meta = params.get("_meta") if isinstance(params, Mapping) else getattr(inner, "meta", None)
    own = meta.get(wire.META_CLIENT_CAPABILITIES) if isinstance(meta, Mapping) else None
    session = getattr(inner, "session", None)
    said = getattr(session, "client_capabilities", None)
    if said is None:
        said = getattr(getattr(session, "client_params", None), "capabilities", None)
    return (own, said)


def belongs_to_modern_era(ctx: Any) -> bool | None:
    """Whether the request speaks 2026-07-28 or newer; None outside of a request."""
    inner = _request_context(ctx)
    if getattr(inner, "request_id", None) is None:
        return None
    # mcp 1.x has no such attribute, and knows only the handshake.
    version = getattr(inner, "protocol_version", None)
    return isinstance(version, str) and version not in wire.CORE_HANDSHAKE_VERSIONS


def _request_context(ctx: Any) -> Any:
    """Return the low-level context that `ctx` is or wraps; None outside of a request."""
    try:
        inner = getattr(ctx, "request_context", ctx)
    except (ValueError, RuntimeError, LookupError):
        return None
    # FastMCP turns every id into a string; this is its way to the SDK's own context.
    return getattr(inner, "_srctx", inner)


def _checked_id(value: object) -> int | str:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError(f"id {value!r} must be a string or an integer")
    return value
