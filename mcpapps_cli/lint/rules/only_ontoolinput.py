"""Which data a View waits for."""

from __future__ import annotations

from mcpapps_cli.lint.rule import HANDSHAKE, Fault, Faults, Subject, issue, page, rule, server, spec
from mcpapps_cli.wire import UI_TOOL_INPUT, UI_TOOL_RESULT

_INPUT = HANDSHAKE.replace("tool-result", "tool-input")


@rule(
    "MA411",
    "info",
    why="The arguments alone are not what the tool found, and some hosts send none when empty.",
    fix=f'also handle "{UI_TOOL_RESULT}"',
    source=(spec("Notifications"), issue("danny-avila/LibreChat#13831")),
    bad=server(page(script=_INPUT)),
    good=server(page()),
    near=(
        server(page(more=f'const input = "{UI_TOOL_INPUT}";')),
        server(page(script=_INPUT.replace("tool-input", "tool-cancelled"))),
    ),
    evidence="static",
)
def only_ontoolinput(subject: Subject) -> Faults:
    """A View handles the tool's input and never its result."""
    for _, served in subject.pages:
        if served.external_code or served.mentions(UI_TOOL_RESULT):
            continue
        if served.mentions(UI_TOOL_INPUT):
            place = served.at_word(UI_TOOL_INPUT)
            yield Fault(place, f'"{served.uri}" never looks at "{UI_TOOL_RESULT}"')
