"""Goose's desktop application, as it was captured; its makers claim more than the capture shows."""

from __future__ import annotations

from dataclasses import replace

from mcpapps_cli import wire
from mcpapps_cli.host.policy import SPECIFICATION
from mcpapps_cli.host.profiles import Source, methods_for
from mcpapps_cli.host.profiles.spec import PROFILE as SPEC

_CAPTURE = Source(
    "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
    "2026-08-14",
    "probe",
)
_CAPABILITIES: dict[str, dict[str, object]] = {"openLinks": {}}
_VARIABLES = {
    "--color-background-primary": "light-dark(#ffffff, #22252a)",
    "--color-background-secondary": "light-dark(#f4f6f7, #3f434b)",
    "--color-text-primary": "light-dark(#3f434b, #ffffff)",
    "--color-text-secondary": "light-dark(#878787, #878787)",
    "--color-border-primary": "light-dark(#e3e6ea, #3f434b)",
    "--color-ring-primary": "light-dark(#e3e6ea, #525b68)",
    "--font-sans": "'Cash Sans'",
    "--font-text-md-size": "1rem",
    "--border-radius-md": "8px",
    "--border-width-regular": "1px",
}

PROFILE = replace(
    SPEC,
    name="goose",
    title="Goose",
    source=_CAPTURE,
    client_info={"name": "goose-desktop", "version": "1.38.0"},
    host_info={"name": "MCP-UI Host", "version": "1.0.0"},
    # https://github.com/block/goose/issues/8017 claims nearly all of the specification.
    capabilities=_CAPABILITIES,
    context={
        "theme": "dark",
        "containerDimensions": {"width": 1274},
        "locale": "en-US",
        "timeZone": "America/Los_Angeles",
        "platform": "desktop",
        "deviceCapabilities": {"touch": False, "hover": True},
        "safeAreaInsets": {"top": 0, "right": 0, "bottom": 0, "left": 0},
    },
    display_modes=("inline", "fullscreen", "pip"),
    methods=methods_for(_CAPABILITIES),
    sends=frozenset({wire.UI_TOOL_INPUT, wire.UI_TOOL_RESULT}),
    permissions=(),
    sandbox=("allow-scripts", "allow-same-origin", "allow-forms"),
    csp_ignored=frozenset(wire.CSP_KEYS),
    policy={**SPECIFICATION, "font-src": "'self' https://cash-f.squarecdn.com {resourceDomains}"},
    styles={"light": _VARIABLES, "dark": _VARIABLES},
    unknown=frozenset(
        {
            *("start_height", "denial", "early_requests", "consent"),
            *("context.userAgent", "context.styles.css", "styles.other"),
        }
    ),
    sources={
        "client_info": _CAPTURE,
        "host_info": _CAPTURE,
        "capabilities": _CAPTURE,
        "context": _CAPTURE,
        "display_modes": _CAPTURE,
        "methods": _CAPTURE,
        "sends": _CAPTURE,
        "permissions": _CAPTURE,
        "sandbox": _CAPTURE,
        "csp_ignored": _CAPTURE,
        "policy": _CAPTURE,
        "styles": _CAPTURE,
    },
)
