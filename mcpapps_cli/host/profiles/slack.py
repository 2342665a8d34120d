"""Slackbot in Slack, as it was captured."""

from __future__ import annotations

from dataclasses import replace

from mcpapps_cli import wire
from mcpapps_cli.host.profiles import Source, methods_for
from mcpapps_cli.host.profiles.spec import PROFILE as SPEC

_CAPTURE = Source(
    "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
    "2026-07-23",
    "probe",
)
_CAPABILITIES: dict[str, dict[str, object]] = {
    "openLinks": {},
    "serverTools": {},
    "serverResources": {},
    "logging": {},
}

PROFILE = replace(
    SPEC,
    name="slack",
    title="Slackbot",
    source=_CAPTURE,
    client_info={"name": "Slackbot MCP Client", "version": "1.0.0"},
    host_info={"name": "Slackbot", "version": "1.0.0"},
    capabilities=_CAPABILITIES,
    context={
        "theme": "dark",
        "containerDimensions": {"maxWidth": 598},
        "timeZone": "America/Los_Angeles",
        "platform": "web",
    },
    display_modes=("inline", "fullscreen"),
    methods=methods_for(_CAPABILITIES),
    sends=frozenset({wire.UI_TOOL_INPUT, wire.UI_TOOL_RESULT}),
    permissions=(),
    sandbox=("allow-scripts", "allow-same-origin", "allow-forms"),
    honours_border=False,
    styles={
        "dark": {
            "--color-background-primary": "#1a1d21",
            "--color-background-secondary": "#1a1d21",
            "--color-text-primary": "#f8f8f8",
            "--color-text-secondary": "#b9babd",
            "--color-border-primary": "#797c81",
            "--color-ring-primary": "#797c81",
            "--font-text-md-size": "15px",
            "--border-radius-md": "4px",
            "--border-width-regular": "1px",
        }
    },
    unknown=frozenset(
        {
            *("start_height", "denial", "early_requests", "consent", "csp_ignored"),
            *("context.locale", "context.styles.css", "styles.light", "styles.other"),
            "hides_app_tools",
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
        "honours_border": _CAPTURE,
        "styles": _CAPTURE,
    },
)
