"""Small Views that show what public reports are about; see `reports_wire`."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    HANDSHAKE,
    META,
    Example,
    Observed,
    mounted,
    page,
    server,
    tool,
)
from tests.lint.reports_wire import Row, lists

CDN = "https://cdn.example.com"


def code(text: str, **members: object) -> Example:
    """A View with a clean handshake and one more line."""
    return server(page(more=text, **members))  # type: ignore[arg-type]


def script(text: str) -> Example:
    """A View with that script alone."""
    return server(page(script=text))


def body(markup: str, **members: object) -> Example:
    return server(page(markup + "\n", **members))  # type: ignore[arg-type]


def style(css: str) -> Example:
    return server(page(head=f"<style>{css}</style>\n"))


def calls(name: str, *tools: object) -> Example:
    return server(page(more=f'app.callServerTool({{ name: "{name}", arguments: {{}} }});'), *tools)  # type: ignore[arg-type]


def without(old: str, new: str = "") -> Example:
    assert old in HANDSHAKE
    return script(HANDSHAKE.replace(old, new))


PAGES: tuple[Row, ...] = (
    (
        "openai/openai-apps-sdk-examples#53",
        "empty-root",
        server(page(html='<!doctype html><html><body><div id="pizzaz-root"></div></body></html>')),
    ),
    (
        "MCPJam/inspector#987",
        "head-missing",
        server(page(html=page().html.replace("<head>", "").replace("</head>", ""))),
    ),
    ("koala73/worldmonitor#5035", "unresolved-placeholder", body("<p>__API_TOKEN__</p>")),
    ("metabase/metabase#74741", "relative-url", body('<img alt="" src="/app/logo.svg">')),
    (
        "openai/openai-apps-sdk-examples#65",
        "external-asset-404",
        server(
            page(f'<script src="{CDN}/pizzaz.js"></script>\n', meta=lists(resourceDomains=[CDN])),
            observed=Observed(assets={f"{CDN}/pizzaz.js": 404}),
        ),
    ),
    (
        "openai/openai-apps-sdk-examples#206",
        "external-script",
        body(f'<script src="{CDN}/app-1f2e3d.js"></script>', meta=lists(resourceDomains=[CDN])),
    ),
    (
        "alpic-ai/skybridge#173",
        "localhost-url",
        body('<script src="http://localhost:3000/main.js"></script>'),
    ),
    (
        "openai/openai-apps-sdk-examples#187",
        "localhost-url",
        body('<link rel="stylesheet" href="http://localhost:4444/a.css">'),
    ),
    (
        "shauntrennery/hashdo#39",
        "undeclared-resource-origin",
        body('<img alt="" src="https://images.example.com/card.png">'),
    ),
    (
        "nteract/nteract#1632",
        "undeclared-connect-origin",
        code(f'fetch("{CDN}/blob");', meta=lists(resourceDomains=[CDN])),
    ),
    (
        "anthropics/claude-ai-mcp#40",
        "nested-frame-portability",
        body(
            '<iframe src="https://maps.example.com/"></iframe>',
            meta=lists(frameDomains=["https://maps.example.com"]),
        ),
    ),
    (
        "anthropics/claude-ai-mcp#375",
        "data-font",
        style("@font-face { font-family: a; src: url(data:font/woff2;base64,d09GMg==) }"),
    ),
    (
        "openai/codex#30560",
        "insecure-socket",
        code(
            'new WebSocket("ws://a.example/live");', meta=lists(connectDomains=["wss://a.example"])
        ),
    ),
    (
        "modelcontextprotocol/ext-apps#618",
        "eval-like",
        code('const parse = new Function("input", "return input.value");'),
    ),
    (
        "modelcontextprotocol/ext-apps#605",
        "wasm",
        code("WebAssembly.instantiateStreaming(bytes, {});"),
    ),
    (
        "agentfront/frontmcp#454",
        "importmap-external",
        server(
            page(
                head='<script type="importmap">'
                '{"imports": {"react": "https://esm.example.com/react"}}</script>\n'
            )
        ),
    ),
    (
        "agentfront/frontmcp#454",
        "external-script",
        body(
            f'<script type="module" src="{CDN}/react.js"></script>',
            meta=lists(resourceDomains=[CDN]),
        ),
    ),
    (
        "modelcontextprotocol/ext-apps#620",
        "call-before-initialized",
        server(observed=mounted(early=("tools/call",))),
    ),
    (
        "seuros/action_mcp#218",
        "handshake-missing",
        script('addEventListener("message", ({ source, data }) => source && draw(data.payload));'),
    ),
    (
        "modelcontextprotocol/ext-apps#671",
        "initialize-params",
        without('        appInfo: { name: "chart", version: "1.0.0" },\n'),
    ),
    (
        "modelcontextprotocol/ext-apps#671",
        "initialize-reply-unchecked",
        without(" && data.result"),
    ),
    (
        "a2ui-project/a2ui#1951",
        "unknown-ui-method",
        code('send({ method: "ui/book-table", params: {} });'),
    ),
    (
        "modelcontextprotocol/ext-apps#629",
        "late-handler",
        code("await app.connect(transport);\n    app.ontoolinput = (params) => draw(params);"),
    ),
    (
        "danny-avila/LibreChat#13831",
        "only-ontoolinput",
        without("tool-result", "tool-input"),
    ),
    (
        "ScriptedAlchemy/agent-bundle#778",
        "origin-pinning",
        code('addEventListener("message", (e) => { if (e.origin !== host) return; });'),
    ),
    (
        "modelcontextprotocol/ext-apps#225",
        "handler-overwritten",
        code("app.onhostcontextchanged = theme;\n    app.onhostcontextchanged = locale;"),
    ),
    ("PrefectHQ/fastmcp#4088", "app-tool-unlisted", calls("refresh")),
    ("epam/statgpt-backend#520", "app-tool-unlisted", calls("load_dataset", tool())),
    ("PrefectHQ/fastmcp#5041", "app-tool-unlisted", calls("hashed_callback", tool())),
    (
        "openai/codex#36599",
        "app-calls-model-only",
        calls("admin", tool(), tool("admin", meta={"ui": {"visibility": ["model"]}})),
    ),
    ("modelcontextprotocol/ext-apps#753", "hardcoded-tool-name", calls("chart")),
    (
        "Boise-State-Development/agentcore-public-stack#503",
        "message-content-shape",
        code('app.sendMessage({ role: "user", content: { type: "text", text: "Hello" } });'),
    ),
    (
        "Boise-State-Development/agentcore-public-stack#360",
        "storage-unguarded",
        code('const view = JSON.parse(localStorage.getItem("view"));'),
    ),
    (
        "alpic-ai/skybridge#299",
        "history-router",
        code("const router = createBrowserRouter(routes);"),
    ),
    (
        "HadrienGardeur/webpub-viewer#5",
        "service-worker",
        code("navigator.serviceWorker.ready.then(start);"),
    ),
    (
        "anthropics/claude-ai-mcp#31",
        "link-opens-window",
        code('document.onclick = () => window.open("https://example.com/", "_blank");'),
    ),
    (
        "github/github-mcp-server#2593",
        "link-opens-window",
        body('<a target="_blank" href="https://example.com/pull/1">Open</a>'),
    ),
    (
        "PostHog/code#3416",
        "open-link-scheme",
        code('app.openLink({ url: "vscode://file/etc/hosts" });'),
    ),
    (
        "modelcontextprotocol/ext-apps#475",
        "download-link",
        body('<a href="data:text/csv,a" download>Save</a>'),
    ),
    (
        "vellum-ai/vellum-assistant#40920",
        "form-submit",
        body('<form id="save"><button>Save</button></form>'),
    ),
    ("open-octo/octo-agent#2319", "modal-dialog", code('if (window.confirm("Sure?")) remove();')),
    (
        "openai/openai-apps-sdk-examples#236",
        "permission-no-fallback",
        code(
            "navigator.clipboard.writeText(text);",
            meta={**META, "permissions": {"clipboardWrite": {}}},
        ),
    ),
    (
        "MCPJam/inspector#1978",
        "permission-undeclared",
        code("navigator.mediaDevices.getUserMedia({ video: true }).catch(show);"),
    ),
    (
        "openclaw/openclaw#111124",
        "teardown-unanswered",
        without(
            " else if (data.id !== undefined && data.method) send({ id: data.id, result: {} });"
        ),
    ),
    (
        "PostHog/posthog#51228",
        "no-cancel-handler",
        without("tool-cancelled", "tool-input-partial"),
    ),
    ("MCP-UI-Org/mcp-ui#215", "viewport-height", style("html, body { height: 100% }")),
    (
        "modelcontextprotocol/ext-apps#619",
        "viewport-height",
        style("#root { min-height: 100dvh }"),
    ),
    (
        "akutishevsky/nutrition-mcp#37",
        "no-size-report",
        without(
            '        send({ method: "ui/notifications/size-changed", params: { height: 120 } });\n'
        ),
    ),
    ("excalidraw/excalidraw-mcp#12", "fixed-root", style("main { position: fixed; inset: 0 }")),
    (
        "aaif-goose/goose#7142",
        "display-mode-unchecked",
        code('app.requestDisplayMode({ mode: "fullscreen" });'),
    ),
    (
        "anthropics/claude-ai-mcp#60",
        "display-mode-unchecked",
        code('send({ method: "ui/request-display-mode", params: { mode: "pip" } });'),
    ),
    (
        "archestra-ai/archestra#6281",
        "theme-only-media-query",
        style("@media (prefers-color-scheme: dark) { body { background: #000 } }"),
    ),
    (
        "usalu/semio#1110",
        "css-var-no-fallback",
        style("body { background: var(--color-background-primary) }"),
    ),
    (
        "richardtallent/vite-plugin-singlefile#102",
        "script-terminated-early",
        code('const html = "<script></script>";'),
    ),
    (
        "richardtallent/vite-plugin-singlefile#7",
        "unresolved-import",
        body('<script type="module">import { a } from "./vendor-1a2b.js";</script>'),
    ),
)
