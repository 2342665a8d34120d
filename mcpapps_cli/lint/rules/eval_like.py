"""Code that is made at run time."""

from __future__ import annotations

import re

from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, page, rule, server, spec

_EVAL = re.compile(r"(?<![\w$.])(?:(?:window|globalThis|self)\s*\.\s*)?eval\s*\(")
_FUNCTION = re.compile(r"(?<![\w$.])(?:new\s+)?Function\s*\(")
_TIMER = re.compile(r"(?<![\w$.])(?:(?:window|self)\s*\.\s*)?set(?:Timeout|Interval)\s*\(\s*$")
_WASM = re.compile(
    r"(?<![\w$.])WebAssembly\s*\.\s*(?:instantiate|compile)(?:Streaming)?\b"
    r"|\bnew\s+WebAssembly\s*\.\s*(?:Module|Instance)\b"
)


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
        for script in served.code:
            bare, source = served.bare(script), served.source(script)
            for pattern in (_EVAL, _FUNCTION):
                for match in pattern.finditer(bare):
                    if re.match(r"[^)]*\)\s*\{", bare[match.end() :][:200]):
                        # A method or a function that only has this name.
                        continue
                    # Zod asks in this way whether it may, and goes on when it may not.
                    probe = re.match(r"""(?:""|'')\s*\)""", source[match.end() :]) is not None
                    start = script.start + match.start()
                    yield Fault(
                        served.at(start, script.start + match.end() - 1),
                        f'"{match[0].rstrip("( ")}" makes code from text',
                        severity="info" if probe else None,
                    )
            for literal in served.strings(script):
                if _TIMER.search(bare[max(0, literal.start - 40) : literal.start]):
                    place = served.at(script.start + literal.start, script.start + literal.end)
                    yield Fault(place, "a timer is given code as text")


@rule(
    "MA211",
    "warning",
    why="The policy has no wasm-unsafe-eval and metadata cannot ask for it: compiling throws.",
    fix="use a build without WebAssembly",
    source=(spec("Security Implications"), issue("modelcontextprotocol/ext-apps#605")),
    bad=server(page(more="WebAssembly.instantiate(new Uint8Array(8));")),
    good=server(page(more="const bytes = new Uint8Array(8);")),
    near=(
        server(page(more='const note = "WebAssembly.instantiate";')),
        server(page(more="const able = typeof WebAssembly;")),
    ),
    evidence="static",
)
def wasm(subject: Subject) -> Faults:
    """A View compiles WebAssembly, which the policy forbids."""
    for _, served in subject.pages:
        for script in served.code:
            for match in _WASM.finditer(served.bare(script)):
                start = script.start + match.start()
                yield Fault(
                    served.at(start, script.start + match.end()),
                    f'"{match[0]}" is blocked by the policy of the View',
                )
