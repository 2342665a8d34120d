"""How a View knows that a message is from its host."""

from __future__ import annotations

import re

from mcpapps_cli.lint.rule import HANDSHAKE, Fault, Faults, Subject, issue, page, rule, server, spec

_COMPARED = re.compile(r"(?<![\w$])(?:e|ev|evt|event|msg|message)\s*\.\s*origin\s*[!=]==?")
_LISTENS = re.compile(r"addEventListener\s*\(\s*$")
_SOURCE = re.compile(r"\bsource\b")
_CHECK = "      if (source !== parent) return;\n"
_NO_CHECK = HANDSHAKE.replace(_CHECK, "").replace("{ source, data }", "{ data }")


@rule(
    "MA406",
    "warning",
    why="The origin of a host varies, and can be null: the View then ignores its own host.",
    fix="compare event.source with window.parent, and nothing else",
    source=(spec("Transport"), issue("ScriptedAlchemy/agent-bundle#778")),
    bad=server(
        page(more='addEventListener("message", (event) => event.origin === "https://a.example");')
    ),
    good=server(
        page(more='addEventListener("message", (event) => event.source === window.parent);')
    ),
    near=(
        server(page(more='const note = "event.origin === host";')),
        server(page(more="addEventListener('message', (event) => console.log(event.origin));")),
    ),
    evidence="static",
)
def origin_pinning(subject: Subject) -> Faults:
    """A View compares the origin of a message with a value."""
    for _, served in subject.pages:
        for script in served.code:
            for match in _COMPARED.finditer(served.bare(script)):
                place = served.at(script.start + match.start(), script.start + match.end())
                yield Fault(place, "the origin of the host is compared, which is not fixed")


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
        bare = [served.bare(script) for script in served.code]
        if served.external_code or any(_SOURCE.search(code) for code in bare):
            continue
        for script, code in zip(served.code, bare, strict=True):
            for literal in served.strings(script):
                before = code[max(0, literal.start - 40) : literal.start]
                if literal.value == "message" and _LISTENS.search(before):
                    start = script.start + literal.start
                    place = served.at(start, script.start + literal.end)
                    yield Fault(place, "messages are taken from whoever sends them")
