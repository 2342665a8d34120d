"""How a View knows that a message is from its host."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, page, rule, server, spec

_EVENTS = ("e", "ev", "evt", "event", "msg", "message")

_ORIGINS = frozenset(f"{name}.origin" for name in _EVENTS)

_COMPARE = ("==", "===", "!=", "!==")


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
        for code in served.code:
            for word in code.words("origin"):
                member = word.parent
                if member is None or code.path(member) not in _ORIGINS:
                    continue
                around = member.parent
                sign = around and around.child_by_field_name("operator")
                if around is not None and sign is not None and sign.type in _COMPARE:
                    place = served.at_node(code, member)
                    yield Fault(place, "the origin of the host is compared, which is not fixed")
            for call in code.calls("parent.postMessage", "top.postMessage"):
                target = code.string(call.arguments[1]) if len(call.arguments) > 1 else None
                if target is not None and target not in ("*", "/"):
                    place = served.at_node(code, call.arguments[1])
                    yield Fault(place, f'messages go only to "{target}", which may not be the host')
