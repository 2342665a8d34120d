"""The parameters of requests that a View writes by hand."""

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
from mcpapps_cli.wire import UI_MESSAGE

if TYPE_CHECKING:
    pass

from mcpapps_cli.lint.rules._parameter import parameters


def _message(content: str) -> str:
    return f'send({{ method: "ui/message", params: {{ role: "user", content: {content} }} }});'


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
        server(page(more='const a = () => ({ method: "tools/call", params: { content: {} } });')),
    ),
    evidence="static",
)
def message_content_shape(subject: Subject) -> Faults:
    """`content` of a `ui/message` is an object, not an array."""
    for _, served in subject.pages:
        for code, value in parameters(served, UI_MESSAGE, "content"):
            if value.type == "object":
                place = served.in_code(code, value.start_byte, value.start_byte + 1)
                yield Fault(place, f'"content" of "{UI_MESSAGE}" is not an array')
