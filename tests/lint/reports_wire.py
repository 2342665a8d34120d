"""Small servers that show what public reports are about, on the wire and in results.

Each row: the report as `owner/name#number`, the rule that finds it, and the server.
"""

from __future__ import annotations

import base64
from pathlib import PurePosixPath
from typing import Any

from mcpapps_cli.lint.rule import (
    META,
    UNSET,
    URI,
    Example,
    Observed,
    SourceFile,
    called,
    mounted,
    page,
    resource,
    server,
    tool,
)

Row = tuple[str, str, Example]
LINK = {"ui": {"resourceUri": URI}}
MODERN: Any = "modern"


def lists(**origins: list[str]) -> dict[str, object]:
    return {"csp": origins, "prefersBorder": True}


def python(text: str) -> Observed:
    return Observed(sources=(SourceFile(PurePosixPath("server.py"), text),))


def both(meta: object) -> Example:
    return server(resource(meta=meta, listing_meta=meta))


WIRE: tuple[Row, ...] = (
    (
        "anthropics/claude-ai-mcp#729",
        "capability-extension-missing",
        server(era=MODERN, capabilities={"tools": {"listChanged": True}}),
    ),
    (
        "actionhero/keryx#505",
        "capability-extension-missing",
        server(era=MODERN, capabilities={"extensions": {}}),
    ),
    (
        "nick-pape/grackle#1241",
        "ui-gated-on-capability",
        server(observed=Observed(plain_tools=frozenset({"other"}))),
    ),
    (
        "sceneview/sceneview#3279",
        "meta-ui-only-on-result",
        server(tool("scene", meta={}), observed=called("Done", tool="scene", _meta=LINK)),
    ),
    (
        "microsoft/vscode#320093",
        "embedded-ui-in-result",
        server(
            observed=called(
                "A",
                {
                    "type": "resource",
                    "resource": {"uri": URI, "mimeType": "text/html", "text": "<p>"},
                },
            )
        ),
    ),
    ("microsoft/vscode#320093", "meta-ui-on-result", server(observed=called("A", _meta=LINK))),
    ("anthropics/claude-ai-mcp#71", "nested-key-only", server(profiles=("claude-2026-02",))),
    (
        "czlonkowski/n8n-mcp#585",
        "nested-key-only",
        server(tool("a"), tool("b"), profiles=("claude-2026-02",)),
    ),
    (
        "ag-ui-protocol/ag-ui#1648",
        "nested-key-only",
        server(tool("calendar"), profiles=("claude-2026-02",)),
    ),
    (
        "IBM/mcp-context-forge#5762",
        "flat-key-only",
        server(tool(meta={"ui/resourceUri": URI})),
    ),
    (
        "IBM/mcp-context-forge#5762",
        "resource-uri-conflict",
        server(tool(meta={**LINK, "ui/resourceUri": "ui://app/old.html"})),
    ),
    ("openai/codex#21019", "meta-key-typo", server(tool(meta={**LINK, "ui.resourceUri": URI}))),
    (
        "basementstudio/xmcp#332",
        "openai-template-without-ui",
        server(tool(), tool("b", meta={"openai/outputTemplate": URI})),
    ),
    (
        "anthropics/claude-ai-mcp#39",
        "shared-view-state",
        server(tool("open"), tool("search")),
    ),
    (
        "modelcontextprotocol/ext-apps#191",
        "dynamic-resource-uri",
        server(observed=called("A", _meta={"ui": {"resourceUri": "ui://app/map.html"}})),
    ),
    (
        "modelcontextprotocol/ext-apps#671",
        "ping-unanswered",
        server(observed=mounted(pinged=False)),
    ),
    ("czlonkowski/n8n-mcp#577", "mime-type", server(resource(mime="text/html"))),
    (
        "modelcontextprotocol/python-sdk#1754",
        "sdk-too-old",
        server(observed=Observed(sdk=("mcp", "1.23.2"))),
    ),
    (
        "IBM/mcp-context-forge#3051",
        "mime-type-not-canonical",
        server(resource(mime="text/html;profile=mcp-app;charset=utf-8")),
    ),
    (
        "openclaw/openclaw#120447",
        "blob-encoding",
        server(
            resource(content={"text": UNSET, "blob": base64.b64encode(b"\xff\xfe<html>").decode()})
        ),
    ),
    (
        "dbt-labs/dbt-mcp#765",
        "read-text-no-encoding",
        server(observed=python('APP = Path(__file__).with_name("app.html").read_text()\n')),
    ),
    ("apify/apify-mcp-server#1190", "csp-on-tool", server(tool(domain="a.example.com"))),
    (
        "PrefectHQ/fastmcp#3735",
        "csp-on-tool",
        server(tool(csp={"connectDomains": ["https://api.example.com"]})),
    ),
    (
        "PrefectHQ/fastmcp-ts#61",
        "csp-missing-on-content",
        server(
            resource(meta=UNSET, listing_meta=lists(resourceDomains=["https://img.example.com"]))
        ),
    ),
    (
        "modelcontextprotocol/csharp-sdk#1228",
        "csp-missing-on-content",
        server(resource(meta=UNSET, listing_meta={"prefersBorder": False})),
    ),
    (
        "PostHog/posthog#76899",
        "csp-missing-on-listing",
        server(resource(listing_meta=UNSET)),
    ),
    ("jztan/redmine-mcp-server#249", "csp-absent", both({"prefersBorder": True})),
    (
        "anthropics/claude-agent-sdk-typescript#390",
        "csp-missing-on-listing",
        server(resource(meta=lists(connectDomains=["https://a.example"]), listing_meta=UNSET)),
    ),
    (
        "webforj/webforj#1474",
        "csp-unused-origin",
        both(lists(frameDomains=["https://frames.example.com"])),
    ),
    ("webforj/webforj#1474", "csp-unknown-key", both(lists(frame_domains=[]))),
    ("anthropics/claude-ai-mcp#375", "csp-scheme-source", both(lists(connectDomains=["blob:"]))),
    ("modelcontextprotocol/ext-apps#515", "csp-scheme-source", both(lists(resourceDomains=["*"]))),
    (
        "different-ai/openwork#5055",
        "csp-source-syntax",
        both(lists(connectDomains=["api.example.com"])),
    ),
    (
        "vercel/ai#17192",
        "csp-source-syntax",
        both(lists(connectDomains=["https://a.example; script-src *"])),
    ),
    (
        "apify/apify-mcp-server#799",
        "ui-domain",
        both({**META, "domain": "https://a.example/mcp?x"}),
    ),
    ("doitintl/doit-mcp-server#160", "ui-domain", both({**META, "domain": "app.example.com"})),
    (
        "modelcontextprotocol/inspector#2055",
        "meta-wrong-level",
        server(
            resource(
                content={"_meta": {"ui": META, "csp": {"connectDomains": ["https://a.example"]}}}
            )
        ),
    ),
    (
        "anthropics/claude-ai-mcp#753",
        "resource-link-in-result",
        server(observed=called("A", {"type": "resource_link", "uri": "file:///a", "name": "a"})),
    ),
    (
        "modelcontextprotocol/ext-apps#734",
        "no-idle-state",
        server(observed=mounted(visible=False)),
    ),
    (
        "modelcontextprotocol/ext-apps#481",
        "session-keyed-state",
        server(observed=python("sessions.setdefault(ctx.session_id, []).append(1)\n")),
    ),
    (
        "PrefectHQ/fastmcp#1692",
        "double-encoded-content",
        server(observed=called('[{"type": "text", "text": "Oslo"}]')),
    ),
    (
        "redis/redisctl#653",
        "structured-not-object",
        server(observed=called("Two", structured=[{"id": 1}, {"id": 2}])),
    ),
    (
        "PrefectHQ/prefab#263",
        "wrapped-result",
        server(tool(also={"outputSchema": {"type": "object", "x-fastmcp-wrap-result": True}})),
    ),
    (
        "seuros/action_mcp#181",
        "no-text-fallback",
        server(observed=called(structured={"rows": []})),
    ),
    (
        "WolframResearch/AgentTools#214",
        "content-structured-divergence",
        server(observed=called("The answer is 42", structured={"answer": 7})),
    ),
    (
        "openai/openai-apps-sdk-examples#179",
        "meta-ui-only-on-result",
        server(
            tool("b", meta={}), observed=called("A", tool="b", _meta={"openai/outputTemplate": URI})
        ),
    ),
    (
        "openai/openai-apps-sdk-examples#179",
        "openai-template-without-ui",
        server(tool(), tool("pizza", meta={"openai/outputTemplate": "ui://widget/pizza.html"})),
    ),
    (
        "anthropics/claude-code#70280",
        "base64-in-structured",
        server(observed=called("A", structured={"image": {"data": "iVBORw0K" * 5000}})),
    ),
    ("kirodotdev/KiroCrew#2632", "visibility-shape", server(tool(visibility="app"))),
    (
        "PostHog/posthog#50974",
        "total-html-size",
        server(
            resource(),
            *(
                resource(f"ui://app/{n}.html", html=page().html + " " * 500_000, listed=False)
                for n in range(11)
            ),
        ),
    ),
    (
        "alpic-ai/skybridge#530",
        "uri-unversioned",
        server(tool(uri="ui://app/main"), resource("ui://app/main"), profiles=("chatgpt",)),
    ),
    (
        "alpic-ai/skybridge#530",
        "content-changed-same-uri",
        server(observed=Observed(baseline={URI: "0" * 64}, baseline_name="release.json")),
    ),
    (
        "microsoft/azure-devops-mcp#147",
        "stdout-pollution",
        server(observed=Observed(noise=("Using Azure DevOps organisation",))),
    ),
    (
        "epam/statgpt-backend#637",
        "prefers-border-absent",
        both({"csp": {"connectDomains": []}}),
    ),
    (
        "QwenLM/qwen-code#11945",
        "html-size",
        server(resource(html=page().html + " " * 1_100_000), profiles=("qwen",)),
    ),
)
