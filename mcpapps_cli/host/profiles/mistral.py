"""Mistral's Le Chat, as it was captured."""

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
    "updateModelContext": {"text": {}},
    "message": {"text": {}, "image": {}},
}

PROFILE = replace(
    SPEC,
    name="mistral",
    title="Le Chat",
    source=_CAPTURE,
    client_info={"name": "mcp", "version": "0.1.0"},
    host_info={"name": "Le Chat", "version": "1.0.0"},
    capabilities=_CAPABILITIES,
    context={
        "theme": "dark",
        "containerDimensions": {"width": 1130.5},
        "locale": "en",
        "timeZone": "America/Los_Angeles",
        "userAgent": "Le Chat/1.0.0",
        "platform": "web",
    },
    display_modes=("fullscreen", "inline"),
    methods=methods_for(_CAPABILITIES),
    sends=SPEC.sends - {wire.UI_TOOL_CANCELLED, wire.UI_RESOURCE_TEARDOWN},
    permissions=("clipboardWrite",),
    sandbox=("allow-scripts", "allow-same-origin", "allow-forms"),
    tool_info=False,
    honours_border=False,
    unknown=frozenset(
        {
            *("start_height", "denial", "early_requests", "consent", "csp_ignored"),
            # It sends 19 variables, some of which the specification does not know.
            *("styles", "hides_app_tools"),
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
        "tool_info": _CAPTURE,
        "honours_border": _CAPTURE,
    },
)
