"""The handshake without which a host shows nothing."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    in_run,
    issue,
    page,
    rule,
    server,
    shows_something,
    spec,
)
from mcpapps_cli.lint.rules._hello import ESCAPED, MINIFIED, core_initialize, is_silent
from mcpapps_cli.wire import UI_INITIALIZE

_BRIDGE = ("postMessage", "tools/call", "jsonrpc")

_ONLY_LISTENS = """
  addEventListener("message", (event) => {
    if (event.source !== parent) return;
    document.querySelector("main").textContent = event.data.jsonrpc;
  });
"""


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
    near=(server(page(script=MINIFIED)), server(page(script=ESCAPED))),
    evidence="static",
    also=("run",),
)
def handshake_missing(subject: Subject) -> Faults:
    """A View never sends `ui/initialize`."""
    for view in subject.mounted:
        if view.initialize is None and any(s.mentions(UI_INITIALIZE) for _, s in subject.pages):
            message = f'"{view.uri}" did not send "{UI_INITIALIZE}" in a browser'
            yield Fault(in_run(view, "initialize"), message)
    for _, served in subject.pages:
        if not is_silent(served, UI_INITIALIZE) or core_initialize(served):
            continue
        if not served.code:
            if not served.page.scripts and not shows_something(served):
                # That the page is empty is the one fault to tell: `empty-root`.
                continue
            reason = "has no script, so it"
            place = served.at(0)
        else:
            reason = "has scripts, and"
            talks = (c for c in served.code if any(word in c.source for word in _BRIDGE))
            token = next(talks, served.code[0]).script.token
            place = served.at(token.start, token.end)
        yield Fault(place, f'"{served.uri}" {reason} never sends "{UI_INITIALIZE}"')
