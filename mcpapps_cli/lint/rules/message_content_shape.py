"""The parameters of requests that a View writes by hand."""

from __future__ import annotations

import re
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
from mcpapps_cli.wire import UI_MESSAGE, UI_OPEN_LINK, UI_REQUEST_DISPLAY_MODE

if TYPE_CHECKING:
    from mcpapps_cli.markup.code import Node

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_SCHEMES = frozenset({"http", "https", "mailto"})


def _members(served: Served, method: str, key: str) -> Iterator[tuple[Inline, Node]]:
    """The value of one parameter, wherever a page writes out a message or calls the SDK for it."""
    name = {UI_MESSAGE: "sendMessage", UI_OPEN_LINK: "openLink"}[method]
    for message in sent(served, method):
        if (value := message.code.members(message.params).get(key)) is not None:
            yield message.code, value
    for code in served.code:
        for call in code.calls(f".{name}"):
            if call.arguments and (value := code.members(call.arguments[0]).get(key)) is not None:
                yield code, value


def _message(content: str) -> str:
    return f'send({{ method: "ui/message", params: {{ role: "user", content: {content} }} }});'


def _open(url: str) -> str:
    return f'send({{ method: "ui/open-link", params: {{ url: "{url}" }} }});'


@rule(
    "MA408",
    "warning",
    why="The SDK sends an array, and most hosts take nothing else, whatever the text shows.",
    fix="put the content block into an array",
    source=(
        spec("Requests"),
        issue("Boise-State-Development/agentcore-public-stack#503"),
    ),
    bad=server(page(more=_message('{ type: "text", text: "Hello" }'))),
    good=server(page(more=_message('[{ type: "text", text: "Hello" }]'))),
    near=(
        server(page(more=_message("blocks"))),
        server(page(more='const call = { method: "tools/call", params: { content: {} } };')),
    ),
    evidence="static",
)
def message_content_shape(subject: Subject) -> Faults:
    """`content` of a `ui/message` is an object, not an array."""
    for _, served in subject.pages:
        for code, value in _members(served, UI_MESSAGE, "content"):
            if value.type == "object":
                place = served.in_code(code, value.start_byte, value.start_byte + 1)
                yield Fault(place, f'"content" of "{UI_MESSAGE}" is not an array')


@rule(
    "MA409",
    "warning",
    why="A host opens web and mail addresses only; it refuses anything else, as it should.",
    fix="link to an http, https or mailto address",
    source=(spec("Requests"),),
    bad=server(page(more=_open("file:///etc/hosts"))),
    good=server(page(more=_open("https://example.com/"))),
    near=(
        server(page(more=_open("mailto:me@example.com"))),
        server(page(more='send({ method: "ui/open-link", params: { url } });')),
    ),
    evidence="static",
)
def open_link_scheme(subject: Subject) -> Faults:
    """A View asks the host to open something that is no web or mail address."""
    for _, served in subject.pages:
        for code, value in _members(served, UI_OPEN_LINK, "url"):
            match = _SCHEME.match(code.string(value) or code.head(value) or "")
            if match and match[1].lower() not in _SCHEMES:
                start = value.start_byte + 1
                place = served.in_code(code, start, start + match.end())
                yield Fault(place, f'hosts do not open "{match[0]}"')


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
