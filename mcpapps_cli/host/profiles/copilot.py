"""Microsoft 365 Copilot, as its documentation describes it."""

from __future__ import annotations

from dataclasses import replace

from mcpapps_cli import wire
from mcpapps_cli.host.profiles import Source, methods_for
from mcpapps_cli.host.profiles.spec import PROFILE as SPEC

_DOCS = Source(
    "https://learn.microsoft.com/microsoft-365-copilot/extensibility/plugin-mcp-apps",
    "2026-08-19",
    "vendor-doc",
)
_CAPABILITIES: dict[str, dict[str, object]] = {
    "openLinks": {},
    "serverTools": {},
    "updateModelContext": {"text": {}},
    "message": {"text": {}},
}

PROFILE = replace(
    SPEC,
    name="copilot",
    title="Microsoft 365 Copilot",
    source=_DOCS,
    client_info={"name": "ms-copilot", "version": "1.0.1"},
    host_info={"name": "Copilot", "version": "1.0.1"},
    capabilities=_CAPABILITIES,
    context={
        "theme": "dark",
        "containerDimensions": {"maxHeight": 400, "maxWidth": 768},
        "timeZone": "America/Los_Angeles",
        "userAgent": "ms-copilot",
        "platform": "desktop",
    },
    display_modes=("inline", "fullscreen"),
    methods=methods_for(_CAPABILITIES),
    sends=frozenset({wire.UI_TOOL_INPUT, wire.UI_TOOL_RESULT}),
    permissions=(),
    tool_info=False,
    csp_ignored=frozenset({"frameDomains", "baseUriDomains"}),
    honours_border=False,
    unknown=frozenset(
        {
            *("start_height", "denial", "early_requests", "consent", "sandbox", "policy"),
            *("context.locale", "styles", "hides_app_tools"),
        }
    ),
    sources={
        "client_info": _DOCS,
        "host_info": _DOCS,
        "capabilities": _DOCS,
        "context": _DOCS,
        "display_modes": _DOCS,
        "methods": _DOCS,
        "sends": _DOCS,
        "permissions": _DOCS,
        "tool_info": _DOCS,
        "csp_ignored": _DOCS,
        "honours_border": _DOCS,
    },
)
