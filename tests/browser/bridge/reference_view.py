"""The View half of the reference SDK, whole in one page, as its users would bundle it."""

from __future__ import annotations

import os
from functools import cache

import pytest

from mcpapps_cli.embed import escape_script
from tests.browser.bridge.conftest import PEERS

PACKAGES = {"2.0.4": "@modelcontextprotocol/ext-apps", "1.7.5": "ext-apps-v1"}
"""Where each version is installed."""


@cache
def _module(version: str) -> str:
    """The build with its dependencies, whose class `App` is the global of that name."""
    path = PEERS / "node_modules" / PACKAGES[version] / "dist/src/app-with-deps.js"
    if not path.exists():
        if os.environ.get("CI") == "true":
            pytest.fail(f"run npm ci in {PEERS}")
        pytest.skip(f"run npm ci in {PEERS}")
    source, _, exports = path.read_text("utf-8").rpartition("export{")
    names = dict(
        reversed(part.split(" as "))
        for part in exports.strip().removesuffix(";").removesuffix("}").split(",")
    )
    result = names["McpUiResourceTeardownResultSchema"]
    return escape_script(f"{source}\nglobalThis.App={names['App']};globalThis.AnyResult={result};")


def reference_view(version: str, script: str, body: str = "") -> str:
    """Return a page that has `App`, and `AnyResult` for requests that have no method of it."""
    return (
        f"<!doctype html><html><head><meta charset=utf-8><title>View</title>"
        f"<style>body{{margin:0}}</style></head><body>{body}"
        f"<script type=module>{_module(version)}\n{script}</script></body></html>"
    )
