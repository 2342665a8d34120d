"""Pages that somebody else's bundler made, taken as they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mcpapps_cli.bundle import build_bundle
from mcpapps_cli.model import Csp, View

PEERS = Path(__file__).resolve().parent.parent / "peers" / "node_modules" / "@modelcontextprotocol"
SERVERS = ("basic-react", "basic-vanillajs", "budget-allocator", "cohort-heatmap", "system-monitor")


@pytest.mark.node
@pytest.mark.parametrize("server", SERVERS)
def test_only_the_policy_is_added(server: str) -> None:
    folder = PEERS / f"server-{server}"
    if not folder.is_dir():
        pytest.skip("tests/peers is not installed: run npm ci in it")
    [page] = folder.rglob("mcp-app.html")
    bundle = build_bundle(View("v", page, "ui://a/b.html", csp=Csp()), root=page.parent)
    [meta] = re.findall(r"\n<meta http-equiv=\"Content-Security-Policy\"[^>]*>", bundle.html)
    assert bundle.html.replace(meta, "") == page.read_text("utf-8")
    assert (bundle.inlined, bundle.external, bundle.engine) == ((), (), "none")
