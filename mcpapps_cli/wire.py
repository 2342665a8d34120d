"""The vocabulary of MCP Apps on the wire: constants, method names and value sets, stable and draft.

Source: MCP Apps specification 2026-01-26 and its draft; core MCP 2025-11-25 and 2026-07-28.
"""

from __future__ import annotations

from typing import Final, Literal

EXTENSION_ID: Final = "io.modelcontextprotocol/ui"
URI_SCHEME: Final = "ui://"
MIME_TYPE: Final = "text/html;profile=mcp-app"
LEGACY_MIME_TYPE: Final = "text/html+mcp"
APPS_VERSION: Final = "2026-01-26"
FLAT_URI_KEY: Final = "ui/resourceUri"

CORE_LEGACY: Final = "2025-11-25"
CORE_MODERN: Final = "2026-07-28"
CORE_HANDSHAKE_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
META_PROTOCOL_VERSION: Final = "io.modelcontextprotocol/protocolVersion"
META_CLIENT_INFO: Final = "io.modelcontextprotocol/clientInfo"
META_CLIENT_CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"
META_SERVER_INFO: Final = "io.modelcontextprotocol/serverInfo"

# View and host, both directions (specification, Transport and Communication).
UI_INITIALIZE: Final = "ui/initialize"
UI_INITIALIZED: Final = "ui/notifications/initialized"
UI_TOOL_INPUT_PARTIAL: Final = "ui/notifications/tool-input-partial"
UI_TOOL_INPUT: Final = "ui/notifications/tool-input"
UI_TOOL_RESULT: Final = "ui/notifications/tool-result"
UI_TOOL_CANCELLED: Final = "ui/notifications/tool-cancelled"
UI_HOST_CONTEXT_CHANGED: Final = "ui/notifications/host-context-changed"
UI_SIZE_CHANGED: Final = "ui/notifications/size-changed"
UI_RESOURCE_TEARDOWN: Final = "ui/resource-teardown"
UI_OPEN_LINK: Final = "ui/open-link"
UI_MESSAGE: Final = "ui/message"
UI_REQUEST_DISPLAY_MODE: Final = "ui/request-display-mode"
UI_UPDATE_MODEL_CONTEXT: Final = "ui/update-model-context"
UI_SANDBOX_PROXY_READY: Final = "ui/notifications/sandbox-proxy-ready"
UI_SANDBOX_RESOURCE_READY: Final = "ui/notifications/sandbox-resource-ready"
SANDBOX_PREFIX: Final = "ui/notifications/sandbox-"
# Draft.
UI_DOWNLOAD_FILE: Final = "ui/download-file"
UI_REQUEST_TEARDOWN: Final = "ui/notifications/request-teardown"
SAMPLING_CREATE_MESSAGE: Final = "sampling/createMessage"

STABLE_UI_METHODS: Final = frozenset(
    {
        UI_INITIALIZE,
        UI_INITIALIZED,
        UI_TOOL_INPUT_PARTIAL,
        UI_TOOL_INPUT,
        UI_TOOL_RESULT,
        UI_TOOL_CANCELLED,
        UI_HOST_CONTEXT_CHANGED,
        UI_SIZE_CHANGED,
        UI_RESOURCE_TEARDOWN,
        UI_OPEN_LINK,
        UI_MESSAGE,
        UI_REQUEST_DISPLAY_MODE,
        UI_UPDATE_MODEL_CONTEXT,
        UI_SANDBOX_PROXY_READY,
        UI_SANDBOX_RESOURCE_READY,
    }
)
DRAFT_UI_METHODS: Final = frozenset({UI_DOWNLOAD_FILE, UI_REQUEST_TEARDOWN})

# Core methods.
INITIALIZE: Final = "initialize"
INITIALIZED: Final = "notifications/initialized"
DISCOVER: Final = "server/discover"
PING: Final = "ping"
TOOLS_LIST: Final = "tools/list"
TOOLS_CALL: Final = "tools/call"
RESOURCES_LIST: Final = "resources/list"
RESOURCES_TEMPLATES_LIST: Final = "resources/templates/list"
RESOURCES_READ: Final = "resources/read"
PROMPTS_LIST: Final = "prompts/list"
LOG_MESSAGE: Final = "notifications/message"
PROGRESS: Final = "notifications/progress"
CANCELLED: Final = "notifications/cancelled"
TOOLS_LIST_CHANGED: Final = "notifications/tools/list_changed"
RESOURCES_LIST_CHANGED: Final = "notifications/resources/list_changed"
PROMPTS_LIST_CHANGED: Final = "notifications/prompts/list_changed"
SUBSCRIPTIONS_LISTEN: Final = "subscriptions/listen"
SUBSCRIPTIONS_ACKNOWLEDGED: Final = "notifications/subscriptions/acknowledged"
META_SUBSCRIPTION_ID: Final = "io.modelcontextprotocol/subscriptionId"

# JSON-RPC 2.0 error codes, and the ones core MCP gives a meaning.
PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
IMPLEMENTATION_ERROR: Final = -32000
RESOURCE_NOT_FOUND_LEGACY: Final = -32002

Visibility = Literal["model", "app"]
VISIBILITIES: Final[tuple[Visibility, ...]] = ("model", "app")
Theme = Literal["light", "dark"]
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")
DisplayMode = Literal["inline", "fullscreen", "pip"]
DISPLAY_MODES: Final[tuple[DisplayMode, ...]] = ("inline", "fullscreen", "pip")
PLATFORMS: Final = ("web", "desktop", "mobile")

CSP_KEYS: Final = ("connectDomains", "resourceDomains", "frameDomains", "baseUriDomains")
PERMISSIONS: Final = ("camera", "microphone", "geolocation", "clipboardWrite")
PERMISSION_POLICY: Final = {
    "camera": "camera",
    "microphone": "microphone",
    "geolocation": "geolocation",
    "clipboardWrite": "clipboard-write",
}
TOOL_META_KEYS: Final = ("resourceUri", "visibility")
RESOURCE_META_KEYS: Final = ("csp", "permissions", "domain", "prefersBorder")


def _names(prefix: str, *suffixes: str) -> tuple[str, ...]:
    return tuple(f"--{prefix}{suffix}" for suffix in suffixes)


_SURFACES = (
    *("primary", "secondary", "tertiary", "inverse", "ghost"),
    *("info", "danger", "success", "warning", "disabled"),
)
_TEXT = ("xs", "sm", "md", "lg")
_HEADING = (*_TEXT, "xl", "2xl", "3xl")

STYLE_VARIABLES: Final[tuple[str, ...]] = (
    *_names("color-background-", *_SURFACES),
    *_names("color-text-", *_SURFACES),
    *_names("color-border-", *_SURFACES),
    *_names(
        *("color-ring-", "primary", "secondary", "inverse"),
        *("info", "danger", "success", "warning"),
    ),
    *_names("font-", "sans", "mono"),
    *_names("font-weight-", "normal", "medium", "semibold", "bold"),
    *(f"--font-text-{size}-size" for size in _TEXT),
    *(f"--font-heading-{size}-size" for size in _HEADING),
    *(f"--font-text-{size}-line-height" for size in _TEXT),
    *(f"--font-heading-{size}-line-height" for size in _HEADING),
    *_names("border-radius-", "xs", "sm", "md", "lg", "xl", "full"),
    *_names("border-width-", "regular"),
    *_names("shadow-", "hairline", "sm", "md", "lg"),
)
"""The 76 standard custom properties (specification, Theming); hosts may send no other."""
