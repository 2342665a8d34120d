"""Visual Studio Code, as its own code and a capture show it."""

from __future__ import annotations

from dataclasses import replace

from mcpapps_cli import wire
from mcpapps_cli.host.policy import SPECIFICATION
from mcpapps_cli.host.profiles import Source, methods_for
from mcpapps_cli.host.profiles.spec import PROFILE as SPEC

_CAPTURE = Source(
    "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
    "2026-07-23",
    "probe",
)
_CODE = Source(
    "https://github.com/microsoft/vscode, chatMcpAppModel.ts in the released bundle",
    "2026-08-19",
    "source",
)
_CAPABILITIES: dict[str, dict[str, object]] = {
    "openLinks": {},
    "serverTools": {"listChanged": True},
    "serverResources": {"listChanged": True},
    "logging": {},
    "updateModelContext": {
        "audio": {},
        "image": {},
        "resourceLink": {},
        "resource": {},
        "structuredContent": {},
    },
    "downloadFile": {},
    "sampling": {},
}

PROFILE = replace(
    SPEC,
    name="vscode",
    title="Visual Studio Code",
    source=_CAPTURE,
    client_info={"name": "Visual Studio Code", "version": "1.130.0"},
    host_info={"name": "Visual Studio Code", "version": "1.130.0"},
    capabilities=_CAPABILITIES,
    context={
        "theme": "dark",
        "containerDimensions": {"width": 494, "maxHeight": 720},
        "locale": "en-us",
        "timeZone": "America/Los_Angeles",
        "platform": "desktop",
        "deviceCapabilities": {"touch": False, "hover": True},
    },
    display_modes=("inline",),
    # It takes ui/message although it does not announce it.
    methods=methods_for(_CAPABILITIES, wire.UI_MESSAGE),
    sends=SPEC.sends - {wire.UI_TOOL_INPUT_PARTIAL, wire.UI_TOOL_CANCELLED},
    permissions=("clipboardWrite",),
    sandbox=(
        *("allow-scripts", "allow-same-origin"),
        *("allow-pointer-lock", "allow-downloads", "allow-forms"),
    ),
    features=(
        *("cross-origin-isolated 'src'", "autoplay 'src'"),
        *("local-network-access 'src'", "clipboard-read 'src'"),
    ),
    denial="result",
    policy=SPECIFICATION,
    styles={
        "dark": {
            "--color-background-primary": "#1e1e1e",
            "--color-background-secondary": "#252526",
            "--color-text-primary": "#cccccc",
            "--color-text-secondary": "rgba(204,204,204,.7)",
            "--color-border-primary": "#303031",
            "--color-ring-primary": "#007fd4",
            "--font-sans": "-apple-system, BlinkMacSystemFont",
            "--font-text-md-size": "13px",
            "--border-radius-md": "4px",
            "--border-width-regular": "1px",
        }
    },
    hides_app_tools=False,
    input_early=True,
    unknown=frozenset(
        {
            *("start_height", "early_requests", "consent", "styles.light", "styles.other"),
            *("csp_ignored", "hides_app_tools", "tool_info", "honours_border"),
        }
    ),
    sources={
        "client_info": _CAPTURE,
        "host_info": _CAPTURE,
        "capabilities": _CAPTURE,
        "capabilities.sampling": _CODE,
        "context": _CAPTURE,
        "methods": _CODE,
        "sends": _CODE,
        "permissions": _CAPTURE,
        "sandbox": _CAPTURE,
        "features": _CAPTURE,
        "denial": _CODE,
        "policy": _CODE,
        "styles": _CAPTURE,
        "input_early": _CODE,
    },
)
