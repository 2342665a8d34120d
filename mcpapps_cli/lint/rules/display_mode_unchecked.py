"""A View asks for a display mode and never looks at which ones there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Inline,
    Served,
    Subject,
    issue,
    page,
    rule,
    sent,
    server,
    spec,
)
from mcpapps_cli.wire import UI_INITIALIZE, UI_REQUEST_DISPLAY_MODE

if TYPE_CHECKING:
    from mcpapps_cli.markup.code import Node


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
        asked = next(_requests(served), None)
        if asked is None:
            continue
        code, node = asked
        if not any(_reads(each) for each in served.code):
            message = "a display mode is asked for that the host may not have"
            yield Fault(served.at_node(code, node), message)
        for hello in sent(served, UI_INITIALIZE):
            own = hello.code.members(hello.params).get("appCapabilities")
            if own is None or own.type != "object":
                continue
            if "availableDisplayModes" not in hello.code.members(own):
                message = "appCapabilities does not list the display modes of the View"
                yield Fault(served.at_node(hello.code, own), message)


def _requests(served: Served) -> Iterator[tuple[Inline, Node]]:
    # The SDK has the name in every View, and hands its argument on; a request writes a mode down.
    for message in sent(served, UI_REQUEST_DISPLAY_MODE):
        if "mode" in message.code.members(message.params):
            yield message.code, message.name
    for code in served.code:
        for call in code.calls(".requestDisplayMode"):
            if call.arguments and "mode" in code.members(call.arguments[0]):
                yield code, call.arguments[0]


def _reads(code: Inline) -> bool:
    return any(
        node.parent is not None and node.parent.type in _READS
        for node in code.words("availableDisplayModes")
    ) or any(
        node.parent is not None and node.parent.type == "object_pattern"
        for node in code.bound("availableDisplayModes")
    )


_READS = ("member_expression", "pair_pattern", "object_pattern")
