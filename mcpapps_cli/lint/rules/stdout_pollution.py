"""What a server writes beside the protocol."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Observed, Place, Subject, issue, rule, server


@rule(
    "MA518",
    "error",
    why="On stdio every line of stdout is a message: clients report a fault, and some end there.",
    fix="log to stderr, and print nothing",
    source=(
        "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio",
        issue("microsoft/azure-devops-mcp#147"),
        issue("hurttlocker/o8#1541"),
    ),
    bad=server(observed=Observed(noise=("Server started",)), shown="Server started"),
    good=server(observed=Observed(), shown='{"jsonrpc": "2.0", "id": 1, "result": {}}'),
    near=(
        server(observed=Observed(sdk=("mcp", "2.3.0"))),
        server(era="modern"),
    ),
    evidence="run",
)
def stdout_pollution(subject: Subject) -> Faults:
    """A server writes lines to stdout that are no messages."""
    for index, line in enumerate(subject.observed.noise, 1):
        place = Place("server", pointer=f"stdout#/{index}", excerpt=line[:200])
        yield Fault(place, f'stdout has a line that is no message: "{line[:80]}"')
