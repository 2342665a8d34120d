"""A View opens a dialog of the browser."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, page, rule, server

_DIALOGS = ("alert", "confirm", "prompt", "print")


@rule(
    "MA606",
    "warning",
    why="Without allow-modals no dialog is shown: confirm says false, and prompt gives null.",
    fix="ask inside the page, with the dialog element or two buttons",
    source=(issue("open-octo/octo-agent#2319"),),
    bad=server(page(more='if (confirm("Delete?")) send({ method: "ui/message", params: {} });')),
    good=server(page(more='document.querySelector("main").textContent = "Delete?";')),
    near=(
        server(page(more="const log = { print(text) {} }; log.print(1);")),
        server(page(more="function confirm(text) { return text; } confirm(1);")),
        server(page(more="const alert = (text) => text; alert(1);")),
    ),
    evidence="static",
)
def modal_dialog(subject: Subject) -> Faults:
    """A View opens a dialog of the browser."""
    for _, served in subject.pages:
        for code in served.code:
            for call in code.calls(*_DIALOGS):
                if not code.declares(call.path):
                    place = served.in_code(code, call.start, call.end)
                    yield Fault(place, f'"{call.path}" shows nothing inside a View')
