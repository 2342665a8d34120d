"""A View sends the `initialize` of MCP in place of `ui/initialize`."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    issue,
    page,
    rule,
    server,
    spec,
)
from mcpapps_cli.lint.rules._hello import MINIFIED, core_initialize
from mcpapps_cli.wire import INITIALIZE, UI_INITIALIZE

_CORE = """
  parent.postMessage({ jsonrpc: "2.0", id: 1, method: "initialize", params: {
    protocolVersion: "2025-11-25", clientInfo: { name: "chart", version: "1" }, capabilities: {},
  } }, "*");
"""


@rule(
    "MA403",
    "error",
    why="A View talks to the host, not to a server: the host answers that it has no such method.",
    fix=f'send "{UI_INITIALIZE}" with protocolVersion, appInfo and appCapabilities',
    source=(spec("Lifecycle"), issue("a2ui-project/a2ui#1951")),
    bad=server(page(script=_CORE)),
    good=server(page()),
    near=(
        server(page(script=MINIFIED + '\nconst core = { method: "initialize" };')),
        server(page(script=MINIFIED + '\nconst states = ["initialize", "run"];')),
    ),
    evidence="static",
)
def initialize_wrong_method(subject: Subject) -> Faults:
    """A View sends the `initialize` of MCP in place of `ui/initialize`."""
    for _, served in subject.pages:
        if place := core_initialize(served):
            yield Fault(place, f'"{served.uri}" sends "{INITIALIZE}", which is for servers')
