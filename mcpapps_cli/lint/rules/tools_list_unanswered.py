"""Tools that a View offers to its host."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    HANDSHAKE,
    Fault,
    Faults,
    Subject,
    draft,
    page,
    rule,
    sent,
    server,
)
from mcpapps_cli.wire import TOOLS_LIST, UI_INITIALIZE

_OFFERS = HANDSHAKE.replace("{ availableDisplayModes", "{ tools: {}, availableDisplayModes")


@rule(
    "MA423",
    "warning",
    why="A View that declares `tools` must answer tools/list and tools/call: the host will ask.",
    fix="handle both, or leave `tools` out of appCapabilities",
    source=(draft("App-Provided Tools"),),
    bad=server(page(script=_OFFERS)),
    good=server(page()),
    near=(
        server(page(script=_OFFERS, more='if (data.method === "tools/list") list();')),
        server(page(more="const capabilities = { tools: {} };")),
    ),
    evidence="static",
)
def tools_list_unanswered(subject: Subject) -> Faults:
    """A View declares tools of its own and never looks at a request for them."""
    for _, served in subject.pages:
        if served.mentions(TOOLS_LIST, "onlisttools") or served.external_code:
            continue
        for message in sent(served, UI_INITIALIZE):
            code = message.code
            declared = code.members(code.members(message.params).get("appCapabilities"))
            if (tools := declared.get("tools")) is not None:
                place = served.at_node(code, tools)
                yield Fault(place, f'`tools` is declared, and "{TOOLS_LIST}" is not answered')
