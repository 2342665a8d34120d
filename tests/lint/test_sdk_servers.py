"""Clean servers made with each SDK: what remains of the findings, and why it is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpapps_cli.lint import run_rules
from mcpapps_cli.lint.collect import Wanted, collect
from mcpapps_cli.lint.rule import page
from mcpapps_cli.model import EraChoice, SampleCall, ServerSpec
from tests.sdks import sdk_env

COMMON = """\
from pathlib import Path

HTML = Path("chart.html").read_text(encoding="utf-8")
URI = "ui://app/chart.html"
MIME = "text/html;profile=mcp-app"
META = {
    "ui": {
        "csp": {
            "connectDomains": [],
            "resourceDomains": [],
            "frameDomains": [],
            "baseUriDomains": [],
        },
        "prefersBorder": True,
    }
}
LINK = {"ui": {"resourceUri": URI}}
"""
SERVERS = {
    "mcp-1": """\
from mcp.server.fastmcp import FastMCP
from mcp.types import CallToolResult, TextContent, ToolAnnotations

mcp = FastMCP("chart")
hints = ToolAnnotations(readOnlyHint=True, destructiveHint=False)

@mcp.resource(URI, mime_type=MIME, meta=META)
def view() -> str:
    return HTML

@mcp.tool(title="Chart", meta=LINK, annotations=hints)
def chart() -> CallToolResult:
    text = TextContent(type="text", text="Oslo has 7 degrees")
    return CallToolResult(content=[text], structuredContent={"degrees": 7})

mcp.run()
""",
    "mcp-2": """\
from mcp.server.apps import Apps, ResourceCsp
from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, TextContent, ToolAnnotations

apps = Apps()
empty = ResourceCsp(connect_domains=[], resource_domains=[], frame_domains=[], base_uri_domains=[])
apps.add_html_resource(URI, HTML, csp=empty, prefers_border=True)
hints = ToolAnnotations(read_only_hint=True, destructive_hint=False)

@apps.tool(resource_uri=URI, title="Chart", annotations=hints)
def chart() -> CallToolResult:
    text = TextContent(type="text", text="Oslo has 7 degrees")
    return CallToolResult(content=[text], structured_content={"degrees": 7})

MCPServer("chart", extensions=[apps]).run()
""",
    "fastmcp-4": """\
from fastmcp import FastMCP
from fastmcp.tools import ToolResult

mcp = FastMCP("chart")

@mcp.resource(URI, mime_type=MIME, meta=META)
def view() -> str:
    return HTML

@mcp.tool(title="Chart", meta=LINK, annotations={"readOnlyHint": True, "destructiveHint": False})
def chart() -> ToolResult:
    return ToolResult(content="Oslo has 7 degrees", structured_content={"degrees": 7})

mcp.run(show_banner=False)
""",
}
# The Python SDKs lose the extension in the 2025-11-25 handshake: information, no fault.
LOST = {"capability-extension-missing": "info"}
# Each finding that remains, by SDK and era.
REMAINING: dict[tuple[str, EraChoice], dict[str, str]] = {
    ("mcp-1", "legacy"): LOST,
    ("mcp-2", "legacy"): LOST,
    ("mcp-2", "modern"): {},
    ("fastmcp-4", "legacy"): LOST,
    ("fastmcp-4", "modern"): {},
}


@pytest.mark.anyio
@pytest.mark.parametrize(("sdk", "era"), REMAINING, ids=lambda value: str(value))
async def test_a_clean_server_has_no_finding_that_its_author_would_dispute(
    sdk: str, era: EraChoice, tmp_path: Path
) -> None:
    python = sdk_env(sdk)
    (tmp_path / "chart.html").write_text(page().html, encoding="utf-8")
    (tmp_path / "server.py").write_text(COMMON + SERVERS[sdk], encoding="utf-8")
    spec = ServerSpec(command=(str(python), "server.py"), cwd=tmp_path)
    wanted = Wanted(calls=(SampleCall("chart"),))
    inventory, observed = await collect(spec, wanted=wanted, era=era, timeout=60)
    report = run_rules(inventory, observed=observed)
    assert {one.rule: one.severity for one in report.findings} == REMAINING[sdk, era]
    assert report.not_checked == ()
    assert (report.tools, report.ui_tools, report.resources) == (1, 1, 1)
    assert observed.calls[0].result is not None
