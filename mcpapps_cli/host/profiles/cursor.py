"""Cursor, as it was captured."""

from __future__ import annotations

from dataclasses import replace

from mcpapps_cli.host.profiles import Source, methods_for
from mcpapps_cli.host.profiles.spec import PROFILE as SPEC

_CAPTURE = Source(
    "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
    "2026-08-14",
    "probe",
)
_CAPABILITIES: dict[str, dict[str, object]] = {
    "openLinks": {},
    "serverTools": {},
    "serverResources": {},
    "logging": {},
    "downloadFile": {},
}

PROFILE = replace(
    SPEC,
    name="cursor",
    title="Cursor",
    source=_CAPTURE,
    client_info={"name": "cursor-vscode", "version": "1.0.0"},
    host_info={"name": "Cursor", "version": "3.14.27"},
    capabilities=_CAPABILITIES,
    context={
        "theme": "dark",
        "containerDimensions": {"width": 649, "maxHeight": 800},
        "locale": "en-US",
        "timeZone": "America/Los_Angeles",
        "userAgent": "cursor",
        "platform": "desktop",
    },
    display_modes=("inline",),
    methods=methods_for(_CAPABILITIES),
    permissions=("clipboardWrite",),
    sandbox=("allow-scripts", "allow-same-origin"),
    hides_app_tools=False,
    unknown=frozenset({"start_height", "denial", "early_requests", "consent", "sandbox.other"}),
    sources={
        "client_info": _CAPTURE,
        "host_info": _CAPTURE,
        "capabilities": _CAPTURE,
        "context": _CAPTURE,
        "methods": _CAPTURE,
        "permissions": _CAPTURE,
        "sandbox": _CAPTURE,
        "hides_app_tools": _CAPTURE,
    },
)
