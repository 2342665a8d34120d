"""Requests of the host that a View drops."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    HANDSHAKE,
    Fault,
    Faults,
    Inline,
    Subject,
    issue,
    listens,
    page,
    rule,
    sent,
    server,
    spec,
)
from mcpapps_cli.wire import UI_INITIALIZE, UI_RESOURCE_TEARDOWN

_ANSWER = " else if (data.id !== undefined && data.method) send({ id: data.id, result: {} });"
_DEAF = HANDSHAKE.replace(_ANSWER, "")
_NAMED = HANDSHAKE.replace(
    _ANSWER, f' else if (data.method === "{UI_RESOURCE_TEARDOWN}") reply(data);'
)


@rule(
    "MA418",
    "info",
    why="The host waits for the answer to ui/resource-teardown before it removes the View.",
    fix="answer every request that has an id, with an empty result if there is nothing to say",
    source=(spec("Notifications"), issue("openclaw/openclaw#111124")),
    bad=server(page(script=_DEAF)),
    good=server(page()),
    near=(
        server(page(script=_NAMED)),
        server(page(script=HANDSHAKE.replace("{ id: data.id, result: {} }", "reply(data)"))),
    ),
    evidence="static",
)
def teardown_unanswered(subject: Subject) -> Faults:
    """A hand-written bridge answers no request of the host."""
    for _, served in subject.pages:
        start = next(sent(served, UI_INITIALIZE), None)
        if start is None or served.external_code or served.mentions(UI_RESOURCE_TEARDOWN):
            continue
        if listens(served) and not any(_answers(code) for code in served.code):
            place = served.at_node(start.code, start.name)
            yield Fault(place, f'"{served.uri}" answers no request of its host')


def _answers(code: Inline) -> bool:
    if any(True for _ in code.words("reply")) or any(True for _ in code.words("respond")):
        return True
    for word in code.words("result"):
        pair = word.parent
        around = None if pair is None else pair.parent
        found = pair if pair is not None and pair.type == "object" else around
        if found is not None and "id" in code.members(found):
            return True
    return False
