"""Codex, as it was captured."""

from __future__ import annotations

from dataclasses import replace

from mcpapps_cli import wire
from mcpapps_cli.host.profiles import Source, methods_for
from mcpapps_cli.host.profiles.spec import PROFILE as SPEC

_CAPTURE = Source(
    "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
    "2026-08-19",
    "probe",
)
_CAPABILITIES: dict[str, dict[str, object]] = {
    "openLinks": {},
    "serverTools": {},
    "serverResources": {},
    "logging": {},
    "updateModelContext": {},
    "message": {},
}

PROFILE = replace(
    SPEC,
    name="codex",
    title="Codex",
    source=_CAPTURE,
    client_info={
        "name": "codex-mcp-client",
        "title": "Codex",
        "version": "0.148.0-alpha.15",
    },
    host_info=None,
    capabilities=_CAPABILITIES,
    context={
        "theme": "dark",
        "timeZone": "America/Los_Angeles",
        "userAgent": "chatgpt",
        "platform": "desktop",
    },
    display_modes=("inline", "fullscreen"),
    methods=methods_for(_CAPABILITIES),
    sends=SPEC.sends - {wire.UI_TOOL_CANCELLED, wire.UI_RESOURCE_TEARDOWN},
    tool_info=False,
    styles={
        "dark": {
            "--color-background-primary": "rgb(24,24,24)",
            "--color-background-secondary": "rgba(54,54,54,.96)",
            "--color-text-primary": "rgb(223,223,223)",
            "--color-text-secondary": "rgba(255,255,255,.498)",
            "--color-border-primary": "rgba(255,255,255,.157)",
            "--color-ring-primary": "rgba(131,195,255,.76)",
            "--font-sans": "-apple-system, system-ui",
            "--font-text-md-size": "14px",
            "--border-radius-md": "10px",
            "--border-width-regular": "1px",
        }
    },
    unknown=frozenset(
        {
            *("host_info", "start_height", "denial", "early_requests", "consent"),
            *("permissions", "sandbox", "policy", "csp_ignored", "hides_app_tools"),
            *("context.locale", "styles.light", "styles.other"),
            *("capabilities.updateModelContext", "capabilities.message"),
        }
    ),
    sources={
        "client_info": _CAPTURE,
        "capabilities": _CAPTURE,
        "context": _CAPTURE,
        "display_modes": _CAPTURE,
        "methods": _CAPTURE,
        "sends": _CAPTURE,
        "tool_info": _CAPTURE,
        "styles": _CAPTURE,
    },
)
