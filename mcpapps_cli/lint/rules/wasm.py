"""A View compiles WebAssembly, which the policy forbids."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, page, rule, server, spec

_WASM = (
    *(f"WebAssembly.{name}" for name in ("instantiate", "compile")),
    *(f"WebAssembly.{name}Streaming" for name in ("instantiate", "compile")),
    *("WebAssembly.Module", "WebAssembly.Instance"),
)


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
        for code in served.code:
            for call in code.calls(*_WASM):
                place = served.in_code(code, call.start, call.end)
                yield Fault(place, f'"{call.path}" is blocked by the policy of the View')
