"""The reference host of the extension's own repository, which is looser than the specification."""

from __future__ import annotations

from dataclasses import replace

from mcpapps_cli import wire
from mcpapps_cli.host.profiles import Source, methods_for
from mcpapps_cli.host.profiles.spec import PROFILE as SPEC

_HOST = Source(
    "https://github.com/modelcontextprotocol/ext-apps/blob/main/examples/basic-host/src/implementation.ts",
    "2026-08-19",
    "source",
)
_SANDBOX = Source(
    "https://github.com/modelcontextprotocol/ext-apps/blob/main/examples/basic-host/serve.ts",
    "2026-08-19",
    "source",
)
_BRIDGE = Source(
    "https://github.com/modelcontextprotocol/ext-apps/blob/main/src/app-bridge.ts, run at 2.0.4",
    "2026-08-19",
    "source",
)
_CAPABILITIES: dict[str, dict[str, object]] = {
    "openLinks": {},
    "serverTools": {},
    "serverResources": {},
    "updateModelContext": {"text": {}},
}

PROFILE = replace(
    SPEC,
    name="basic-host",
    title="basic-host (ext-apps)",
    source=_HOST,
    client_info={"name": "MCP Apps Host", "version": "1.0.0"},
    host_info={"name": "MCP Apps Host", "version": "1.0.0"},
    capabilities=_CAPABILITIES,
    context={"containerDimensions": {"maxHeight": 6000}},
    display_modes=("inline", "fullscreen"),
    methods=methods_for(_CAPABILITIES, wire.UI_MESSAGE, wire.PROMPTS_LIST),
    # It streams no partial arguments.
    sends=SPEC.sends - {wire.UI_TOOL_INPUT_PARTIAL},
    sandbox=("allow-scripts", "allow-same-origin", "allow-forms"),
    denial="result",
    early_requests="answer",
    consent=frozenset(),
    policy={
        "default-src": "'self' 'unsafe-inline'",
        "script-src": "'self' 'unsafe-inline' 'unsafe-eval' blob: data: {resourceDomains}",
        "style-src": "'self' 'unsafe-inline' blob: data: {resourceDomains}",
        "img-src": "'self' data: blob: {resourceDomains}",
        "font-src": "'self' data: blob: {resourceDomains}",
        "media-src": "'self' data: blob: {resourceDomains}",
        "connect-src": "'self' {connectDomains}",
        "worker-src": "'self' blob: {resourceDomains}",
        "frame-src": "{frameDomains|'none'}",
        "object-src": "'none'",
        "base-uri": "{baseUriDomains|'none'}",
    },
    unknown=frozenset({"start_height", "honours_border", "hides_app_tools", "context.styles"}),
    sources={
        "client_info": _HOST,
        "host_info": _HOST,
        "capabilities": _HOST,
        "context": _HOST,
        "display_modes": _HOST,
        "methods": _BRIDGE,
        "sends": _HOST,
        "permissions": _SANDBOX,
        "sandbox": _HOST,
        "denial": _BRIDGE,
        "early_requests": _BRIDGE,
        "consent": _HOST,
        "policy": _SANDBOX,
    },
)
