"""How a host learns the height of a View."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    HANDSHAKE,
    Fault,
    Faults,
    Subject,
    issue,
    page,
    rule,
    server,
    spec,
)
from mcpapps_cli.wire import UI_INITIALIZE, UI_SIZE_CHANGED

_REPORT = '    send({ method: "ui/notifications/size-changed", params: { height: 120 } });\n'


@rule(
    "MA701",
    "warning",
    why="Hosts start with a frame of about 150 px, and it grows only when the View reports a size.",
    fix=f'send "{UI_SIZE_CHANGED}" from a ResizeObserver, as the bridge and the SDK do',
    source=(spec("Notifications"), issue("akutishevsky/nutrition-mcp#37")),
    bad=server(page(script=HANDSHAKE.replace("    " + _REPORT, ""))),
    good=server(page()),
    near=(
        server(page(more='send({ method: "ui/notifications/size-changed", params: {} });')),
        server(page(script=HANDSHAKE.replace("size-changed", "size-\\u0063hanged"))),
    ),
    evidence="static",
)
def no_size_report(subject: Subject) -> Faults:
    """A View initializes and never reports its size."""
    for _, served in subject.pages:
        if served.external_code or not served.mentions(UI_INITIALIZE):
            continue
        if not served.mentions(UI_SIZE_CHANGED):
            place = served.at_word(UI_INITIALIZE)
            yield Fault(place, f'"{served.uri}" never sends "{UI_SIZE_CHANGED}"')
