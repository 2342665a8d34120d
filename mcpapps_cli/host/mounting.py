"""Everything the engine needs to know to show one View of one tool call."""

from __future__ import annotations

from dataclasses import dataclass

from mcpapps_cli.host.profiles import Profile
from mcpapps_cli.host.quirks import Quirk
from mcpapps_cli.model import Csp, JsonObject, Uri


@dataclass(frozen=True, slots=True)
class Mounting:
    """One View of one tool call.

    Attributes:
        tool: The raw `tools/list` entry of the tool that was called.
        uri: The View's resource URI.
        html: The document.
        csp: The declared origins; None when the metadata has no `csp`.
        permissions: The declared permissions, any of `wire.PERMISSIONS`.
        prefers_border: None when the metadata does not say.
        tools: Every raw `tools/list` entry of the tool's server; the View may call no other.
        request_id: JSON-RPC id of the `tools/call` request.
        context: Host context of this mount; whole top-level keys replace the profile's, and a
            key whose value is None takes the profile's away.
        profile: The host to be.
        quirks: What the host does wrong; `quirks.Quirks.mount` puts them here.
        probe: Whether the diagnostics probe is in the document. Without it `painted` is unknown.
    """

    tool: JsonObject
    uri: Uri
    html: str
    csp: Csp | None
    permissions: tuple[str, ...]
    prefers_border: bool | None
    tools: tuple[JsonObject, ...]
    request_id: int | str
    context: JsonObject
    profile: Profile
    probe: bool = False
    quirks: tuple[Quirk, ...] = ()
