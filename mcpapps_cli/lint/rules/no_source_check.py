"""A View listens for messages and never looks at who sent them."""

from __future__ import annotations

from mcpapps_cli.lint.rule import HANDSHAKE, Fault, Faults, Subject, issue, page, rule, server, spec

_CHECK = "      if (source !== parent) return;\n"

_NO_CHECK = HANDSHAKE.replace(_CHECK, "").replace("{ source, data }", "{ data }")


@rule(
    "MA407",
    "info",
    why="Any frame may post to a View: without the test it takes orders from all of them.",
    fix="return at once unless event.source is window.parent",
    source=(spec("Transport"), issue("ScriptedAlchemy/agent-bundle#778")),
    bad=server(page(script=_NO_CHECK)),
    good=server(page()),
    near=(
        server(page(script=HANDSHAKE.replace("parent) return", "window.parent) return"))),
        server(page(script=HANDSHAKE.replace("({ source, data })", "({ data, source })"))),
    ),
    evidence="static",
)
def no_source_check(subject: Subject) -> Faults:
    """A View listens for messages and never looks at who sent them."""
    for _, served in subject.pages:
        if served.external_code or any(
            next(code.words("source"), None) is not None for code in served.code
        ):
            continue
        for code in served.code:
            for call in code.calls("addEventListener"):
                if call.arguments and code.string(call.arguments[0]) == "message":
                    place = served.at_node(code, call.arguments[0])
                    yield Fault(place, "messages are taken from whoever sends them")
