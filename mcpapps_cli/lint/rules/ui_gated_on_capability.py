"""Tools that are there for some clients only."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Observed,
    Subject,
    issue,
    rule,
    server,
    spec,
    tool,
)


def _plain(*names: str) -> Observed:
    return Observed(plain_tools=frozenset(names))


@rule(
    "MA519",
    "info",
    why=(
        "The Apps specification allows it. Since 2026-07-28 the list may not differ from one "
        "connection to the next, and some SDKs and gateways lose the capability on the way."
    ),
    fix="list the tool always, with a text that serves without the View",
    source=(spec("Server Behavior"), issue("nick-pape/grackle#1241")),
    bad=server(observed=_plain(), shown="tools/list without the capability  []"),
    good=server(observed=_plain("chart"), shown='tools/list without it  [{"name": "chart"}]'),
    near=(server(), server(tool(), tool("save", meta={}), observed=_plain("chart"))),
    evidence="run",
)
def ui_gated_on_capability(subject: Subject) -> Faults:
    """A tool with a View is not listed for a client without the capability."""
    plain = subject.observed.plain_tools
    for entry in subject.ui_tools if plain is not None else ():
        if plain is not None and entry.name not in plain:
            message = f"{entry.label} is not listed for a client that has no MCP Apps"
            yield Fault(entry.at("name"), message)
