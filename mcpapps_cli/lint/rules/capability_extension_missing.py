"""The declaration of the extension in the server's capabilities."""

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
from mcpapps_cli.wire import EXTENSION_ID


@rule(
    "MA114",
    "error",
    why=(
        "Some hosts ignore every UI tool of a server that does not declare the extension. In the "
        "2025-11-25 handshake SDKs drop the declaration, so there it is only information."
    ),
    fix=f'declare capabilities.extensions["{EXTENSION_ID}"]; with the Python SDK, use its Apps',
    source=(
        spec("Capability Negotiation"),
        issue("anthropics/claude-ai-mcp#729"),
        issue("actionhero/keryx#505"),
    ),
    bad=server(era="modern", capabilities={"tools": {}}),
    good=server(era="modern", capabilities=DECLARED),
    near=(
        server(era="legacy", capabilities=DECLARED),
        server(era="modern", capabilities={"tools": {}, **DECLARED}),
    ),
)
def capability_extension_missing(subject: Subject) -> Faults:
    """A server with a UI tool does not declare the MCP Apps extension."""
    if not subject.ui_tools or is_declared(subject) or misplaced(subject):
        return
    if subject.inventory.era == "modern":
        yield Fault(
            capability_place(subject), "server/discover does not declare the MCP Apps extension"
        )
    else:
        yield Fault(
            capability_place(subject),
            "the answer to initialize does not declare the MCP Apps extension",
            help="nothing, if the SDK drops it in this handshake, as the Python SDKs do",
            severity="info",
        )
