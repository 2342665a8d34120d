"""ChatGPT, as it was captured; the `window.openai` object beside the standard is not emulated."""

from __future__ import annotations

from dataclasses import replace

from mcpapps_cli.host.profiles import Source, methods_for
from mcpapps_cli.host.profiles.spec import PROFILE as SPEC

_CAPTURE = Source(
    "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
    "2026-08-19",
    "probe",
)
_CACHE = Source("https://github.com/alpic-ai/skybridge/issues/530", "2026-03-05", "report")
_CAPABILITIES: dict[str, dict[str, object]] = {
    "openLinks": {},
    "serverTools": {},
    "serverResources": {},
    "logging": {},
    "updateModelContext": {},
    "message": {},
}
_CDN = "https://cdn.jsdelivr.net https://unpkg.com"
_COMMON = {
    "--font-text-md-size": "1rem",
    "--border-radius-md": ".5rem",
    "--border-width-regular": "1px",
}

PROFILE = replace(
    SPEC,
    name="chatgpt",
    title="ChatGPT",
    source=_CAPTURE,
    client_info={"name": "openai-mcp", "version": "1.0.0"},
    host_info={"name": "chatgpt", "version": "0.0.1"},
    capabilities=_CAPABILITIES,
    context={
        "theme": "dark",
        "containerDimensions": {"height": 400, "maxWidth": 768},
        "locale": "en-US",
        "timeZone": "America/Los_Angeles",
        "userAgent": "chatgpt",
        "platform": "desktop",
        "deviceCapabilities": {"touch": False, "hover": True},
        "safeAreaInsets": {"top": 0, "right": 0, "bottom": 0, "left": 0},
    },
    display_modes=("inline", "fullscreen", "pip"),
    methods=methods_for(_CAPABILITIES),
    permissions=("microphone", "clipboardWrite"),
    sandbox=(
        *("allow-scripts", "allow-same-origin", "allow-forms"),
        *("allow-popups", "allow-popups-to-escape-sandbox"),
    ),
    features=("local-network-access *", "midi *"),
    policy={
        "default-src": "'none'",
        "script-src": f"'self' 'unsafe-inline' {_CDN} {{resourceDomains}}",
        "style-src": f"'self' 'unsafe-inline' {_CDN} {{resourceDomains}}",
        "connect-src": f"'self' {_CDN} {{connectDomains}}",
        "img-src": f"'self' data: {_CDN} {{resourceDomains}}",
        "font-src": f"'self' {_CDN} {{resourceDomains}}",
        "media-src": f"'self' data: {_CDN} {{resourceDomains}}",
        "frame-src": "'self' data: blob: {frameDomains}",
        "object-src": "'none'",
        "base-uri": "{baseUriDomains|'self'}",
    },
    styles={
        "light": {
            "--color-background-primary": "#fff",
            "--color-background-secondary": "#f9f9f9",
            "--color-text-primary": "#0d0d0d",
            "--color-text-secondary": "#5d5d5d",
            "--color-ring-primary": "#2c67c5",
            **_COMMON,
        },
        "dark": {
            "--color-background-primary": "#212121",
            "--color-background-secondary": "#181818",
            "--color-text-primary": "#fff",
            "--color-text-secondary": "#cdcdcd",
            "--color-ring-primary": "#3a83f7",
            **_COMMON,
        },
    },
    quirks=("html-cached-by-uri",),
    unknown=frozenset(
        {
            *("start_height", "denial", "early_requests", "consent", "styles.other"),
            *("policy.default-src", "policy.object-src"),
            *("capabilities.updateModelContext", "capabilities.message"),
        }
    ),
    sources={
        "client_info": _CAPTURE,
        "host_info": _CAPTURE,
        "capabilities": _CAPTURE,
        "context": _CAPTURE,
        "display_modes": _CAPTURE,
        "methods": _CAPTURE,
        "permissions": _CAPTURE,
        "sandbox": _CAPTURE,
        "features": _CAPTURE,
        "policy": _CAPTURE,
        "styles": _CAPTURE,
        "quirks.html-cached-by-uri": _CACHE,
    },
)
