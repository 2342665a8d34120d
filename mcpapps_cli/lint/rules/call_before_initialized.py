"""Requests that come before the handshake is done."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    awaited_before,
    function_of,
    in_run,
    issue,
    mounted,
    page,
    rule,
    sent,
    server,
    spec,
)
from mcpapps_cli.wire import TOOLS_CALL

_CALL = 'send({ id: 2, method: "tools/call", params: { name: tool, arguments: {} } });'
_IN_FUNCTION = f"addEventListener('click', () => {{ {_CALL} }});"


@rule(
    "MA414",
    "error",
    why="A strict host answers with an error, and may close the View.",
    fix="wait for the answer to ui/initialize, and send ui/notifications/initialized first",
    source=(spec("Lifecycle"), issue("modelcontextprotocol/ext-apps#620")),
    bad=server(
        page(more=_CALL),
        observed=mounted(early=("tools/call",)),
    ),
    good=server(page(more=_IN_FUNCTION)),
    near=(
        server(observed=mounted(methods=("tools/call",))),
        server(page(more=f"await ready;\n    {_CALL}")),
        server(page(more='const calls = ["tools/call"];')),
    ),
    evidence="static",
    also=("run",),
)
def call_before_initialized(subject: Subject) -> Faults:
    """A View sends a request before it has initialized."""
    for view in subject.mounted:
        for method in dict.fromkeys(view.early):
            told = f'"{view.uri}" sends "{method}" before the handshake has ended'
            yield Fault(in_run(view, "early"), told)
    for _, served in subject.pages:
        for message in sent(served, TOOLS_CALL):
            name = message.name
            if not message.exact or function_of(name) or awaited_before(message.code, name):
                continue
            yield Fault(
                served.at_node(message.code, name),
                "this tool is called before the handshake can have ended",
                severity="warning",
            )
