"""What a View says about itself in the handshake."""

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
from mcpapps_cli.wire import UI_INITIALIZE

_KEYS = ("protocolVersion", "appInfo", "appCapabilities")
_CAPABILITIES = '        appCapabilities: { availableDisplayModes: ["inline"] },\n'


@rule(
    "MA405",
    "error",
    why=(
        "All three are required. The host refuses the handshake with -32603, and a View that does "
        "not look at the answer waits for data for ever."
    ),
    fix=f"send {', '.join(_KEYS)}",
    source=(spec("App Capabilities"), issue("modelcontextprotocol/ext-apps#671")),
    bad=server(page(script=HANDSHAKE.replace(_CAPABILITIES, ""))),
    good=server(page()),
    near=(
        server(page(script=HANDSHAKE.replace("appInfo:", '"appInfo":'))),
        server(page(script=HANDSHAKE.replace(_CAPABILITIES, "        appCapabilities: {},\n"))),
    ),
    evidence="static",
)
def initialize_params(subject: Subject) -> Faults:
    """A View sends `ui/initialize` without one of its three parameters."""
    for _, served in subject.pages:
        if served.external_code or not served.mentions(UI_INITIALIZE):
            continue
        # Only what the page nowhere says is surely not sent.
        missing = [key for key in _KEYS if not served.mentions(key)]
        if missing:
            place = served.at_word(UI_INITIALIZE)
            yield Fault(place, f'"{UI_INITIALIZE}" is sent without {", ".join(missing)}')
