"""Errors of a View's scripts."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Inline,
    Served,
    Subject,
    in_run,
    mounted,
    page,
    rule,
    server,
    spec,
)
from mcpapps_cli.lint.rules._wrong_end import wrong_ends
from mcpapps_cli.markup.syntax import syntax_fault

_MODULE_ONLY = ("static", "side-effect", "export")
_NEW = """\
<script type="module">
class Reading { static #last = 0; static { Reading.#last = 1 } has = (o) => #last in o; }
const value = Reading?.last ?? 1_000n, text = `<p>${value}</p>`;
for await (const one of []) value ||= one;
</script>
"""
_DATA = '<script type="application/json">{"a": }</script>\n'


@rule(
    "MA421",
    "error",
    why="What stands after the error does not run; without the handshake the frame stays hidden.",
    fix="correct the error; mcpapps dev shows the line",
    source=(spec("Lifecycle"),),
    bad=server(page("<script>\n  chart.draw(;\n</script>\n")),
    good=server(page("<script>\n  chart.draw();\n</script>\n")),
    near=(
        server(observed=mounted(height=90)),
        server(page(_NEW)),
        server(page(_DATA)),
    ),
    evidence="static",
    also=("run",),
)
def script_error(subject: Subject) -> Faults:
    """A script of a View is no JavaScript, or ends with an error."""
    unread = [fault for _, served in subject.pages for fault in _unreadable(served)]
    yield from unread
    for view in subject.mounted:
        for index, error in enumerate(view.errors):
            if not (unread and "SyntaxError" in error):
                message = f'a script of "{view.uri}" failed: {error}'
                yield Fault(in_run(view, "errors", index), message)


def _unreadable(served: Served) -> Faults:
    # Of those that the HTML parser cuts, `script-terminated-early` tells why.
    cut = [script for script, _, _ in wrong_ends(served)]
    for code in served.code:
        if code.script in cut:
            continue
        if found := syntax_fault(code):
            yield Fault(
                served.in_code(code, found.start, found.end),
                f"{found.message}: nothing of the script runs",
                help="correct it; a build turns TypeScript and JSX into JavaScript: mcpapps bundle",
            )
        elif code.script.type == "classic":
            yield from _imported(served, code)


def _imported(served: Served, code: Inline) -> Faults:
    for one in code.imports():
        if one.kind in _MODULE_ONLY:
            yield Fault(
                served.in_code(code, one.start, one.end),
                "an import outside a module: nothing of the script runs",
                help='write <script type="module">',
            )
            return
