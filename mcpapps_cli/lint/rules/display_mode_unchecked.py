"""A View asks for a display mode and never looks at which ones there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from mcpapps_cli.wire import UI_REQUEST_DISPLAY_MODE

if TYPE_CHECKING:
    pass


@rule(
    "MA410",
    "warning",
    why="A host has the modes it has: one that it lacks is refused, or another one is given.",
    fix="look at availableDisplayModes of the host context, and at the mode in the answer",
    source=(spec("Display Modes"), issue("aaif-goose/goose#7142")),
    bad=server(
        page(
            script='send("ui/initialize", { protocolVersion, appInfo, appCapabilities });\n'
            'send("ui/notifications/initialized"); send("ui/notifications/size-changed");\n'
            'send("ui/request-display-mode", { mode: "fullscreen" });\n'
        )
    ),
    good=server(
        page(
            more='if (context.availableDisplayModes.includes("fullscreen"))\n'
            '      send({ method: "ui/request-display-mode", params: { mode: "fullscreen" } });'
        )
    ),
    near=(
        server(page()),
        server(page(more='const modes = ["inline", "fullscreen"];')),
    ),
    evidence="static",
)
def display_mode_unchecked(subject: Subject) -> Faults:
    """A View asks for a display mode and never looks at which ones there are."""
    for _, served in subject.pages:
        asks = served.mentions(UI_REQUEST_DISPLAY_MODE) and not served.external_code
        if asks and not served.mentions("availableDisplayModes"):
            place = served.at_word(UI_REQUEST_DISPLAY_MODE)
            yield Fault(place, "a display mode is asked for that the host may not have")
