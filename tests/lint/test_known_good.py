"""Pages and servers that others wrote, or that we ship: each remaining finding has a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpapps_cli.embed import bridge_element, bridge_script, escape_script
from mcpapps_cli.inventory import take_inventory
from mcpapps_cli.lint import run_rules
from mcpapps_cli.lint.rule import page, server
from mcpapps_cli.model import ServerSpec

PEERS = Path(__file__).parents[1] / "peers" / "node_modules" / "@modelcontextprotocol"
OFFICIAL = (
    *("server-basic-vanillajs", "server-basic-react", "server-budget-allocator"),
    *("server-system-monitor", "server-cohort-heatmap"),
)
REMAINING = {
    # The JavaScript SDK's helpers do not declare it, and the specification does not ask for it.
    "capability-extension-missing": "info",
    # Their tools have no annotations, so a host cannot know that they only read.
    "annotations-missing": "info",
    # Their resources have no `_meta.ui` at all: the defaults of the host decide.
    "csp-absent": "info",
    "prefers-border-absent": "info",
}
# These call a tool by its name, which an aggregator in between would prefix.
NAMED = {
    *("server-basic-vanillajs", "server-basic-react"),
    *("server-system-monitor", "server-cohort-heatmap"),
}


def test_the_bridge_makes_a_clean_view() -> None:
    assert run_rules(server(page(script=bridge_script())).inventory).findings == ()
    assert run_rules(server(page(bridge_element() + "\n", script="")).inventory).findings == ()


@pytest.mark.anyio
@pytest.mark.node
@pytest.mark.parametrize("name", OFFICIAL)
async def test_an_official_server_has_no_findings_that_its_authors_would_dispute(
    name: str,
) -> None:
    entry = PEERS / name / "dist" / "index.js"
    spec = ServerSpec(command=("node", str(entry), "--stdio"), cwd=entry.parent)
    report = run_rules(await take_inventory(spec, timeout=60))
    assert {one.rule: one.severity for one in report.findings} == (
        REMAINING | ({"hardcoded-tool-name": "info"} if name in NAMED else {})
    )
    assert report.not_checked == ()
    assert (report.ui_tools, report.resources) == (1, 1)


@pytest.mark.node
def test_the_reference_sdk_in_one_script_is_large_and_asks_whether_it_may_make_code() -> None:
    sdk = PEERS / "ext-apps" / "dist" / "src" / "app-with-deps.js"
    code = escape_script(sdk.read_text(encoding="utf-8"))
    view = page(f'<script type="module">{code}</script>\n', script="")
    report = run_rules(server(view).inventory)
    assert {one.rule: one.severity for one in report.findings} == {
        # 542 kB against the 512 KiB that all hosts take.
        "html-size": "warning",
        # Its validator tries `new Function("")` and goes on without when that fails.
        "eval-like": "info",
    }
