"""The declaration of the extension in the server's capabilities."""

from __future__ import annotations

import json

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Place,
    Subject,
    as_object,
    issue,
    rule,
    server,
    spec,
)
from mcpapps_cli.model import JsonObject
from mcpapps_cli.wire import EXTENSION_ID, MIME_TYPE

_DECLARED: JsonObject = {"extensions": {EXTENSION_ID: {"mimeTypes": [MIME_TYPE]}}}
_ELSEWHERE: JsonObject = {"experimental": {EXTENSION_ID: {}}}


def _declared(subject: Subject) -> bool:
    return EXTENSION_ID in as_object(subject.inventory.capabilities.get("extensions"))


def _misplaced(subject: Subject) -> tuple[str, ...] | None:
    """Path of the extension's id where no host looks for it."""
    capabilities = subject.inventory.capabilities
    if EXTENSION_ID in capabilities:
        return (EXTENSION_ID,)
    for key, value in capabilities.items():
        if key != "extensions" and EXTENSION_ID in as_object(value):
            return (key, EXTENSION_ID)
    return None


def _place(subject: Subject, path: tuple[str, ...] = ()) -> Place:
    pointer = "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in path)
    excerpt = f"{json.dumps(path[-1])}: …" if path else ""
    return Place("server", pointer=f"capabilities#{pointer}", excerpt=excerpt)


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
    good=server(era="modern", capabilities=_DECLARED),
    near=(
        server(era="legacy", capabilities=_DECLARED),
        server(era="modern", capabilities={"tools": {}, **_DECLARED}),
    ),
)
def capability_extension_missing(subject: Subject) -> Faults:
    """A server with a UI tool does not declare the MCP Apps extension."""
    if not subject.ui_tools or _declared(subject) or _misplaced(subject):
        return
    if subject.inventory.era == "modern":
        yield Fault(_place(subject), "server/discover does not declare the MCP Apps extension")
    else:
        yield Fault(
            _place(subject),
            "the answer to initialize does not declare the MCP Apps extension",
            help="nothing, if the SDK drops it in this handshake, as the Python SDKs do",
            severity="info",
        )


@rule(
    "MA115",
    "error",
    why="Hosts look in `capabilities.extensions` only; elsewhere the declaration has no effect.",
    fix=f'move "{EXTENSION_ID}" into `capabilities.extensions`',
    source=(spec("Capability Negotiation"), issue("anthropics/claude-ai-mcp#729")),
    bad=server(capabilities=_ELSEWHERE),
    good=server(capabilities=_DECLARED),
    near=(
        server(capabilities={**_DECLARED, **_ELSEWHERE}),
        server(capabilities={**_DECLARED, "experimental": {}}),
    ),
)
def capability_extension_misplaced(subject: Subject) -> Faults:
    """The server declares the MCP Apps extension where no host looks for it."""
    path = _misplaced(subject)
    if subject.ui_tools and path is not None and not _declared(subject):
        where = ".".join(("capabilities", *path[:-1]))
        yield Fault(_place(subject, path), f'the MCP Apps extension is declared in "{where}"')
