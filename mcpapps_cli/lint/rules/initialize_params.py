"""What a View says about itself in the handshake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mcpapps_cli.lint.rule import (
    HANDSHAKE,
    Fault,
    Faults,
    Sent,
    Served,
    Subject,
    in_run,
    issue,
    page,
    rule,
    sent,
    server,
    spec,
)
from mcpapps_cli.wire import UI_INITIALIZE

if TYPE_CHECKING:
    from mcpapps_cli.markup.code import Node

_KEYS = ("protocolVersion", "appInfo", "appCapabilities")
_TEXT = ("string", "template_string")
_KINDS = {"protocolVersion": _TEXT, "appInfo": ("object",), "appCapabilities": ("object",)}
_LITERALS = (*_TEXT, "object", "array", "number", "true", "false", "null")
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
    also=("run",),
)
def initialize_params(subject: Subject) -> Faults:
    """A View sends `ui/initialize` without one of its three parameters."""
    for view in subject.mounted:
        for key in _KEYS if view.initialize is not None else ():
            if key not in (view.initialize or {}):
                told = f'"{UI_INITIALIZE}" was sent without {key}'
                yield Fault(in_run(view, "initialize", key), told)
    for _, served in subject.pages:
        written = False
        for message in sent(served, UI_INITIALIZE):
            members = message.code.members(message.params)
            if message.params is not None and message.params.type == "object":
                written = True
                yield from _literal(served, message, members)
        if written or served.external_code or not served.mentions(UI_INITIALIZE):
            continue
        # Only what the page nowhere says is surely not sent.
        if missing := [key for key in _KEYS if not served.mentions(key)]:
            place = served.at_word(UI_INITIALIZE)
            yield Fault(place, f'"{UI_INITIALIZE}" is sent without {", ".join(missing)}')


def _literal(served: Served, message: Sent, members: Mapping[str, Node | None]) -> Faults:
    missing = [key for key in _KEYS if key not in members]
    if missing and "..." not in members:
        place = served.at_node(message.code, message.name)
        yield Fault(place, f'"{UI_INITIALIZE}" is sent without {", ".join(missing)}')
    for key, kinds in _KINDS.items():
        value = members.get(key)
        if value is not None and value.type in _LITERALS and value.type not in kinds:
            wanted = "a string" if "string" in kinds else "an object"
            place = served.at_node(message.code, value)
            yield Fault(place, f'"{key}" of "{UI_INITIALIZE}" is not {wanted}')
