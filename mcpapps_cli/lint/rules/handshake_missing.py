"""The handshake without which a host shows nothing."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Place,
    Served,
    Subject,
    issue,
    page,
    rule,
    sent,
    server,
    spec,
)
from mcpapps_cli.wire import INITIALIZE, UI_INITIALIZE, UI_INITIALIZED

_BRIDGE = ("postMessage", "tools/call", "jsonrpc")
_ONLY_LISTENS = """
  addEventListener("message", (event) => {
    if (event.source !== parent) return;
    document.querySelector("main").textContent = event.data.jsonrpc;
  });
"""
_NEVER_DONE = """
  parent.postMessage({ jsonrpc: "2.0", id: 1, method: "ui/initialize", params: {
    protocolVersion: "2026-01-26",
    appInfo: { name: "chart", version: "1.0.0" },
    appCapabilities: { availableDisplayModes: ["inline"] },
  } }, "*");
  const size = "ui/notifications/size-changed";
"""
_MINIFIED = (
    'var a="ui/initialize",b="ui/notifications/initialized",c="ui/notifications/size-changed";'
    "var e={protocolVersion:f,appInfo:g,appCapabilities:{}};"
    "function d(m){parent.postMessage(m,`*`)}"
)
_ESCAPED = _MINIFIED.replace("/", "\\/")


_CORE = """
  parent.postMessage({ jsonrpc: "2.0", id: 1, method: "initialize", params: {
    protocolVersion: "2025-11-25", clientInfo: { name: "chart", version: "1" }, capabilities: {},
  } }, "*");
"""


def _core_initialize(served: Served) -> Place | None:
    """Where a page sends the `initialize` of MCP itself, and no `ui/initialize`."""
    if served.mentions(UI_INITIALIZE):
        return None
    for message in sent(served, INITIALIZE):
        if message.exact:
            return served.at_node(message.code, message.name)
    return None


def _silent(served: Served, method: str) -> bool:
    """Whether the page surely never sends `method`: code from elsewhere might."""
    return not served.external_code and not served.mentions(method)


@rule(
    "MA401",
    "error",
    why="A strict host keeps the frame hidden and delivers nothing until the View has initialized.",
    fix='send "ui/initialize" as soon as the script runs: use the bridge, or the SDK\'s App',
    source=(
        spec("Lifecycle"),
        issue("modelcontextprotocol/ext-apps#620"),
        issue("seuros/action_mcp#218"),
    ),
    bad=server(page(script=_ONLY_LISTENS)),
    good=server(page()),
    near=(server(page(script=_MINIFIED)), server(page(script=_ESCAPED))),
    evidence="static",
)
def handshake_missing(subject: Subject) -> Faults:
    """A View never sends `ui/initialize`."""
    for _, served in subject.pages:
        if not _silent(served, UI_INITIALIZE) or _core_initialize(served):
            continue
        if not served.code:
            reason = "has no script, so it"
            place = served.at(0)
        else:
            reason = "has scripts, and"
            talks = (c for c in served.code if any(word in c.source for word in _BRIDGE))
            token = next(talks, served.code[0]).script.token
            place = served.at(token.start, token.end)
        yield Fault(place, f'"{served.uri}" {reason} never sends "{UI_INITIALIZE}"')


@rule(
    "MA402",
    "error",
    why=(
        "The host answers ui/initialize and then waits: it must not send the tool's input and "
        "result, nor show the frame, before the View says that it is ready."
    ),
    fix=f'send "{UI_INITIALIZED}" once the answer to "{UI_INITIALIZE}" has come',
    source=(spec("Lifecycle"), issue("modelcontextprotocol/ext-apps#620")),
    bad=server(page(script=_NEVER_DONE)),
    good=server(page()),
    near=(server(page(script=_MINIFIED)), server(page(script=_ESCAPED))),
    evidence="static",
)
def handshake_incomplete(subject: Subject) -> Faults:
    """A View sends `ui/initialize` and never `ui/notifications/initialized`."""
    for _, served in subject.pages:
        if not served.mentions(UI_INITIALIZE) or not _silent(served, UI_INITIALIZED):
            continue
        place = served.at_word(UI_INITIALIZE)
        yield Fault(place, f'"{served.uri}" never sends "{UI_INITIALIZED}"')


@rule(
    "MA403",
    "error",
    why="A View talks to the host, not to a server: the host answers that it has no such method.",
    fix=f'send "{UI_INITIALIZE}" with protocolVersion, appInfo and appCapabilities',
    source=(spec("Lifecycle"), issue("a2ui-project/a2ui#1951")),
    bad=server(page(script=_CORE)),
    good=server(page()),
    near=(
        server(page(script=_MINIFIED + '\nconst core = { method: "initialize" };')),
        server(page(script=_MINIFIED + '\nconst states = ["initialize", "run"];')),
    ),
    evidence="static",
)
def initialize_wrong_method(subject: Subject) -> Faults:
    """A View sends the `initialize` of MCP in place of `ui/initialize`."""
    for _, served in subject.pages:
        if place := _core_initialize(served):
            yield Fault(place, f'"{served.uri}" sends "{INITIALIZE}", which is for servers')
