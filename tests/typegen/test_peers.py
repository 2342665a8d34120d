"""Types of official example servers, whose schemas Zod wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpapps_cli.inventory import take_inventory
from mcpapps_cli.model import ServerSpec
from mcpapps_cli.typegen import declaration_text

PEERS = Path(__file__).resolve().parent.parent / "peers" / "node_modules" / "@modelcontextprotocol"
CALLS = {
    "server-basic-vanillajs": (
        'app.callTool("get-time").then((it) => it.structuredContent?.time.length)',
        'app.callTool("get-time").then((it) => it.structuredContent?.now)',
    ),
    "server-basic-react": ('app.callTool("get-time")', 'app.callTool("get-time", { zone: "UTC" })'),
    "server-budget-allocator": (
        'app.callTool("get-budget-data").then((it) =>'
        " it.structuredContent?.analytics.history[0]?.allocations.sales?.toFixed())",
        'app.callTool("get-budget-data").then((it) => it.structuredContent?.config.currencies)',
    ),
    "server-system-monitor": (
        'app.callTool("poll-system-stats").then((it) => it.structuredContent?.uptime.seconds)',
        'app.callTool("poll-system-stat")',
    ),
    "server-cohort-heatmap": (
        'app.callTool("get-cohort-data", { metric: "revenue", cohortCount: 12 })',
        'app.callTool("get-cohort-data", { metric: "income" })',
    ),
}


@pytest.mark.anyio
@pytest.mark.node
@pytest.mark.parametrize("server", CALLS)
async def test_the_types_compile_and_a_wrong_call_does_not(server, compile_strict):
    script = PEERS / server / "dist" / "index.js"
    found = await take_inventory(ServerSpec(command=("node", str(script), "--stdio")))
    start = (
        'import { connect } from "mcpapps:bridge";\n'
        f'const app = connect<"{found.tools[0]["name"]}">({{ name: "a", version: "1" }});\n'
    )
    right, wrong = (start + call for call in CALLS[server])
    report = compile_strict(
        {"mcpapps-tools.d.ts": declaration_text(found.tools), "right.ts": right, "wrong.ts": wrong}
    )
    assert {line.partition("(")[0] for line in report.splitlines()} == {"wrong.ts"}
