"""Calls that are cancelled while the View waits."""

from __future__ import annotations

from mcpapps_cli.lint.rule import HANDSHAKE, Fault, Faults, Subject, issue, page, rule, server, spec
from mcpapps_cli.wire import UI_TOOL_CANCELLED, UI_TOOL_RESULT

_NEVER = HANDSHAKE.replace("ui/notifications/tool-cancelled", "ui/notifications/tool-input")


@rule(
    "MA419",
    "info",
    why="A cancelled call has no result: the View looks as if it were loading, for ever.",
    fix=f'handle "{UI_TOOL_CANCELLED}", and say that the call was cancelled',
    source=(spec("Notifications"), issue("PostHog/posthog#51228")),
    bad=server(page(script=_NEVER)),
    good=server(page()),
    near=(
        server(page(more="app.ontoolcancelled = cancelled;", script=_NEVER)),
        server(page(script=HANDSHAKE.replace("tool-cancelled", "tool-\\u0063ancelled"))),
    ),
    evidence="static",
)
def no_cancel_handler(subject: Subject) -> Faults:
    """A View waits for a result and handles no cancellation."""
    for _, served in subject.pages:
        if served.external_code or not served.mentions(UI_TOOL_RESULT):
            continue
        if not served.mentions(UI_TOOL_CANCELLED, "toolcancelled"):
            place = served.at_word(UI_TOOL_RESULT)
            yield Fault(place, f'"{served.uri}" never looks at "{UI_TOOL_CANCELLED}"')
