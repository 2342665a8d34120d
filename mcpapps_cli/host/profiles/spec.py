"""Exactly what the stable specification guarantees to a View, and nothing more."""

from __future__ import annotations

from mcpapps_cli import __version__, wire
from mcpapps_cli.host.profiles import Profile, Source

_CHOICE = "left open by the specification; the strictest of the hosts that were looked at"

PROFILE = Profile(
    name="spec",
    title="Specification 2026-01-26",
    source=Source("MCP Apps specification 2026-01-26", "2026-01-26", "specification"),
    host_info={"name": "mcpapps", "version": __version__},
    capabilities={"openLinks": {}, "serverTools": {}, "serverResources": {}, "logging": {}},
    context={},
    display_modes=("inline",),
    # The subset that the section "Standard MCP Messages" names, beside the `ui/` requests.
    methods=frozenset(
        {
            wire.UI_INITIALIZE,
            wire.UI_OPEN_LINK,
            wire.UI_MESSAGE,
            wire.UI_REQUEST_DISPLAY_MODE,
            wire.UI_UPDATE_MODEL_CONTEXT,
            wire.PING,
            wire.TOOLS_CALL,
            wire.RESOURCES_READ,
        }
    ),
    sends=frozenset(
        {
            wire.UI_TOOL_INPUT_PARTIAL,
            wire.UI_TOOL_INPUT,
            wire.UI_TOOL_RESULT,
            wire.UI_TOOL_CANCELLED,
            wire.UI_HOST_CONTEXT_CHANGED,
            wire.UI_RESOURCE_TEARDOWN,
        }
    ),
    permissions=wire.PERMISSIONS,
    sandbox=("allow-scripts",),
    start_height=150,
    denial="error",
    early_requests="refuse",
    consent=frozenset({"link"}),
    sources={
        name: Source(_CHOICE, "2026-08-19", "choice")
        for name in ("display_modes", "permissions", "sandbox", "start_height", "early_requests")
    },
)
