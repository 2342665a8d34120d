"""What a View makes of the host's answer to its handshake."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcpapps_cli.lint.rule import (
    HANDSHAKE,
    Fault,
    Faults,
    Inline,
    Subject,
    ancestors,
    issue,
    listens,
    page,
    rule,
    sent,
    server,
    spec,
)
from mcpapps_cli.wire import UI_INITIALIZE

if TYPE_CHECKING:
    from mcpapps_cli.markup.code import Node

_ID = re.compile(r"\bid\s*[!=]==?")
_UNCHECKED = HANDSHAKE.replace("data.id === 1 && data.result", "data.id === 1")
_SAMPLE = """
    const request = (id) => new Promise((resolve, reject) => {
      addEventListener("message", function listen({ source, data }) {
        if (source !== parent) return;
        if (data.id === id) resolve(data.result);
        else reject(new Error("unexpected message"));
      });
    });
"""
_REPLY = _SAMPLE.replace('else reject(new Error("unexpected message"));', "").replace(
    "resolve(data.result)", "data.error ? reject(data.error) : resolve(data.result)"
)


@rule(
    "MA417",
    "warning",
    why=(
        "A host refuses a handshake with an error; a View that takes any message for the answer "
        "goes on as if all were well, or fails at the first notification."
    ),
    fix="match the id, look at `error` before `result`, and pass over every other message",
    source=(spec("Lifecycle"), issue("modelcontextprotocol/ext-apps#671")),
    bad=server(page(script=_UNCHECKED)),
    good=server(page()),
    near=(
        server(page(more=_REPLY)),
        server(page(script=HANDSHAKE.replace("data.result", "!data.error"))),
    ),
    evidence="static",
)
def initialize_reply_unchecked(subject: Subject) -> Faults:
    """A hand-written bridge takes any reply for a successful handshake."""
    for _, served in subject.pages:
        starts = list(sent(served, UI_INITIALIZE))
        if served.external_code or not starts or not listens(served):
            continue
        if not any(_looks(code) for code in served.code):
            place = served.at_node(starts[0].code, starts[0].name)
            yield Fault(place, f'the answer to "{UI_INITIALIZE}" is not looked at')
        for code in served.code:
            for call in code.calls("reject"):
                if _rejects_the_rest(code, call.node):
                    place = served.in_code(code, call.start, call.end)
                    yield Fault(place, "an unrelated message ends the request with an error")


def _looks(code: Inline) -> bool:
    return any(True for word in ("error", "result") for _ in _reads(code, word))


def _reads(code: Inline, word: str) -> list[Node]:
    return [
        node
        for node in code.words(word)
        if node.parent is not None and node.parent.type not in ("pair", "object")
    ]


def _rejects_the_rest(code: Inline, node: Node) -> bool:
    inside = node
    for around in ancestors(node):
        if around.type == "if_statement":
            otherwise = around.child_by_field_name("alternative")
            condition = around.child_by_field_name("condition")
            if otherwise is not None and otherwise.id == inside.id and condition is not None:
                text = code.text(condition)
                return _ID.search(text) is not None and "error" not in text
        inside = around
    return False
