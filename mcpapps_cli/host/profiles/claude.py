"""Claude on the web, as it was captured."""

from __future__ import annotations

from dataclasses import replace

from mcpapps_cli.host.profiles import Source, methods_for
from mcpapps_cli.host.profiles.spec import PROFILE as SPEC

_CAPTURE = Source(
    "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
    "2026-08-19",
    "probe",
)
_FIXED_POLICY = Source(
    "https://github.com/anthropics/claude-ai-mcp/issues/40", "2026-08-22", "report"
)
_LARGE = Source(
    "https://claude.com/docs/connectors/building/mcp-apps/troubleshooting",
    "2026-08-19",
    "vendor-doc",
)
_LINK = Source("https://github.com/anthropics/claude-ai-mcp/issues/753", "2026-08-02", "report")
_CAPABILITIES: dict[str, dict[str, object]] = {
    "openLinks": {},
    "serverTools": {},
    "serverResources": {},
    "logging": {},
    "updateModelContext": {},
    "message": {},
    "downloadFile": {},
}
_OWN = "https://esm.sh https://assets.claude.ai"
# The host sends one set for both themes.
_VARIABLES = {
    "--color-background-primary": "light-dark(rgba(255,255,255,1), rgba(48,48,46,1))",
    "--color-background-secondary": "light-dark(rgba(245,244,237,1), rgba(38,38,36,1))",
    "--color-text-primary": "light-dark(rgba(20,20,19,1), rgba(250,249,245,1))",
    "--color-text-secondary": "light-dark(rgba(61,61,58,1), rgba(194,192,182,1))",
    "--color-border-primary": "light-dark(rgba(31,30,29,.4), rgba(222,220,209,.4))",
    "--color-ring-primary": "light-dark(rgba(20,20,19,.7), rgba(250,249,245,.7))",
    "--font-sans": "Anthropic Sans, sans-serif",
    "--font-text-xs-size": "12px",
    "--font-text-sm-size": "14px",
    "--font-text-md-size": "16px",
    "--font-text-lg-size": "20px",
    "--border-radius-xs": "4px",
    "--border-radius-sm": "6px",
    "--border-radius-md": "8px",
    "--border-radius-lg": "10px",
    "--border-radius-xl": "12px",
    "--border-radius-full": "9999px",
    "--border-width-regular": "0.5px",
}

PROFILE = replace(
    SPEC,
    name="claude",
    title="Claude",
    source=_CAPTURE,
    client_info={"name": "claude-ai", "version": "0.1.0"},
    host_info={"name": "Claude", "version": "1.0.0"},
    capabilities=_CAPABILITIES,
    context={
        "theme": "dark",
        "containerDimensions": {"width": 720, "maxHeight": 5000},
        "locale": "en-US",
        "timeZone": "America/Los_Angeles",
        "platform": "web",
        "deviceCapabilities": {"touch": False, "hover": True},
        "safeAreaInsets": {"top": 0, "right": 0, "bottom": 0, "left": 0},
    },
    display_modes=("inline", "fullscreen"),
    methods=methods_for(_CAPABILITIES),
    permissions=("clipboardWrite",),
    sandbox=("allow-scripts", "allow-same-origin", "allow-forms"),
    features=("fullscreen *",),
    csp_ignored=frozenset({"frameDomains", "baseUriDomains"}),
    policy={
        "default-src": "'none'",
        "script-src": (
            f"'self' 'unsafe-inline' 'unsafe-eval' blob: data: {_OWN} {{resourceDomains}}"
        ),
        "style-src": f"'self' 'unsafe-inline' {_OWN} {{resourceDomains}}",
        "connect-src": "'self' https://esm.sh {connectDomains}",
        "img-src": f"'self' data: {_OWN} {{resourceDomains}}",
        "font-src": f"'self' {_OWN} {{resourceDomains}}",
        "media-src": f"'self' data: {_OWN} {{resourceDomains}}",
        "worker-src": f"'self' blob: {_OWN}",
        "frame-src": "'self'",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
    },
    styles={"light": _VARIABLES, "dark": _VARIABLES},
    quirks=("large-result-pointer", "resource-link-withheld"),
    unknown=frozenset(
        {
            *("start_height", "denial", "early_requests", "consent"),
            *("context.userAgent", "context.styles.css", "styles.other"),
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
        "csp_ignored": _FIXED_POLICY,
        "policy": _CAPTURE,
        "policy.script-src": _FIXED_POLICY,
        "styles": _CAPTURE,
        "quirks.large-result-pointer": _LARGE,
        "quirks.resource-link-withheld": _LINK,
    },
)
