"""Method names that a View uses."""

from __future__ import annotations

import re
from difflib import get_close_matches

from mcpapps_cli.lint.rule import Fault, Faults, Subject, in_run, issue, page, rule, server, spec
from mcpapps_cli.wire import DRAFT_UI_METHODS, SANDBOX_PREFIX, STABLE_UI_METHODS

_METHOD = re.compile(r"ui/(?:notifications/)?[a-z]+(?:-[a-z]+)*")


def _sends(method: str) -> str:
    return f'send({{ method: "{method}", params: {{}} }});'


@rule(
    "MA404",
    "error",
    why="Hosts answer an unknown method with an error and drop an unknown notification.",
    fix="use a method of the specification, or call a tool of the server",
    source=(spec("Communication Protocol"), issue("a2ui-project/a2ui#1951")),
    bad=server(page(more=_sends("ui/open-page"))),
    good=server(page(more=_sends("ui/open-link"))),
    near=(
        server(page(more=_sends("ui/notifications/sandbox-resource-ready"))),
        server(page(more='const key = "ui/resourceUri";')),
        server(page(more='const path = "ui/buttons/red";')),
    ),
    evidence="static",
    also=("run",),
)
def unknown_ui_method(subject: Subject) -> Faults:
    """A script names a `ui/` method that the specification does not have."""
    for view in subject.mounted:
        for name in view.methods:
            if name.startswith("ui/") and name not in STABLE_UI_METHODS | DRAFT_UI_METHODS:
                yield Fault(in_run(view, "methods"), f'"{view.uri}" sent "{name}"')
    for _, served in subject.pages:
        for code in served.code:
            for literal, node in code.strings("ui/"):
                name = literal.value
                if name in STABLE_UI_METHODS or not _METHOD.fullmatch(name):
                    continue
                if name.startswith(SANDBOX_PREFIX) or name in DRAFT_UI_METHODS:
                    continue
                close = get_close_matches(name, STABLE_UI_METHODS, 1)
                yield Fault(
                    served.at_node(code, node),
                    f'"{name}" is not a method of MCP Apps',
                    help=f'did you mean "{close[0]}"?' if close else None,
                    severity=None if code.key_of(node) == "method" else "warning",
                )
