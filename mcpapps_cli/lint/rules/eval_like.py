"""Code that is made at run time."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, page, rule, server, spec


@rule(
    "MA210",
    "warning",
    why="The policy of a View has no unsafe-eval: the call throws, and what needs it stops.",
    fix="use a build that makes no code at run time, such as the CSP build of the library",
    source=(
        spec("Security Implications"),
        issue("modelcontextprotocol/ext-apps#618"),
        issue("mcp-use/mcp-use#883"),
    ),
    bad=server(page(more='const twice = new Function("x", "return 2 * x");')),
    good=server(page(more="const twice = (x) => 2 * x;")),
    near=(
        server(page(more='const note = "eval(x) and new Function(y)";')),
        server(page(more="const model = { eval(x) {} }; model.eval(1);")),
        server(page(more="setTimeout(() => send({ method: 1 }), 10); // eval(1)")),
    ),
    evidence="static",
)
def eval_like(subject: Subject) -> Faults:
    """A View makes code from text, which the policy forbids."""
    for _, served in subject.pages:
        for code in served.code:
            for call in code.calls("eval", "Function"):
                # Zod asks in this way whether it may, and goes on when it may not.
                first = next(iter(call.arguments), None)
                probe = len(call.arguments) == 1 and code.string(first) == ""
                yield Fault(
                    served.in_code(code, call.start, call.end),
                    f'"{"new " if call.new else ""}{call.path}" makes code from text',
                    severity="info" if probe else None,
                )
            for call in code.calls("setTimeout", "setInterval"):
                if call.arguments and call.arguments[0].type in ("string", "template_string"):
                    place = served.at_node(code, call.arguments[0])
                    yield Fault(place, "a timer is given code as text")
