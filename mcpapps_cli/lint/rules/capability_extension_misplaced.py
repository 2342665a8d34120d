"""The server declares the MCP Apps extension where no host looks for it."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    issue,
    rule,
    server,
    spec,
)
from mcpapps_cli.lint.rules._extension import DECLARED, capability_place, is_declared, misplaced
from mcpapps_cli.model import JsonObject
from mcpapps_cli.wire import EXTENSION_ID

_ELSEWHERE: JsonObject = {"experimental": {EXTENSION_ID: {}}}


@rule(
    "MA115",
    "error",
    why="Hosts look in `capabilities.extensions` only; elsewhere the declaration has no effect.",
    fix=f'move "{EXTENSION_ID}" into `capabilities.extensions`',
    source=(spec("Capability Negotiation"), issue("anthropics/claude-ai-mcp#729")),
    bad=server(capabilities=_ELSEWHERE),
    good=server(capabilities=DECLARED),
    near=(
        server(capabilities={**DECLARED, **_ELSEWHERE}),
        server(capabilities={**DECLARED, "experimental": {}}),
    ),
)
def capability_extension_misplaced(subject: Subject) -> Faults:
    """The server declares the MCP Apps extension where no host looks for it."""
    path = misplaced(subject)
    if subject.ui_tools and path is not None and not is_declared(subject):
        where = ".".join(("capabilities", *path[:-1]))
        yield Fault(
            capability_place(subject, path), f'the MCP Apps extension is declared in "{where}"'
        )
