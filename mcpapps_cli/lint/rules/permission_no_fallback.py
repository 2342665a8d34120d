"""Permissions that a host may refuse."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    META,
    Fault,
    Faults,
    Inline,
    Subject,
    in_try,
    issue,
    page,
    rule,
    server,
    spec,
)
from mcpapps_cli.markup.code import Call
from mcpapps_cli.model import JsonObject

_PROMISES = {
    "navigator.mediaDevices.getUserMedia": ("camera", "microphone"),
    "navigator.clipboard.write": ("clipboardWrite",),
    "navigator.clipboard.writeText": ("clipboardWrite",),
}
_CALLBACKS = {
    "navigator.geolocation.getCurrentPosition": ("geolocation",),
    "navigator.geolocation.watchPosition": ("geolocation",),
}
_COPY = 'navigator.clipboard.writeText("a");'


def _asking(name: str) -> JsonObject:
    return {**META, "permissions": {name: {}}}


@rule(
    "MA220",
    "warning",
    why="A host MAY grant a permission; some grant none, and the call then rejects.",
    fix="catch the refusal, and show the value for copying by hand, or say what is missing",
    source=(spec("UI Resource Format"), issue("openai/openai-apps-sdk-examples#236")),
    bad=server(page(more=_COPY, meta=_asking("clipboardWrite"))),
    good=server(page(more=_COPY[:-1] + ".catch(show);", meta=_asking("clipboardWrite"))),
    near=(
        server(
            page(
                more=f"const copy = async () => {{ try {{ await {_COPY} }} catch {{ show() }} }};",
                meta=_asking("clipboardWrite"),
            )
        ),
        server(page(more=_COPY[:-1] + ".then(done, show);", meta=_asking("clipboardWrite"))),
        server(
            page(
                more="navigator.geolocation.getCurrentPosition(show, failed);",
                meta=_asking("geolocation"),
            )
        ),
    ),
    evidence="static",
)
def permission_no_fallback(subject: Subject) -> Faults:
    """A View uses a permission and does not expect a refusal."""
    for view, served in subject.pages:
        granted = set(view.apps.permissions)
        for code in served.code:
            for path, names in {**_PROMISES, **_CALLBACKS}.items():
                if not granted & set(names):
                    continue
                for call in code.calls(path):
                    handled = len(call.arguments) > 1 if path in _CALLBACKS else _caught(code, call)
                    if not handled:
                        place = served.in_code(code, call.start, call.end)
                        yield Fault(place, f'a refusal of "{path}" is not handled')


def _caught(code: Inline, call: Call) -> bool:
    if in_try(call.node):
        return True
    node = call.node
    # A chain of `.then(...)` and `.catch(...)` around the call.
    while node.parent is not None and node.parent.type == "member_expression":
        member = node.parent
        outer = member.parent
        if outer is None or outer.type != "call_expression":
            return False
        name = code.path(member).rpartition(".")[2]
        listed = outer.child_by_field_name("arguments")
        if name == "catch" or (
            name == "then" and listed is not None and listed.named_child_count > 1
        ):
            return True
        node = outer
    # A promise that is handed on is somebody else's to catch.
    return node.parent is not None and node.parent.type in (
        *("return_statement", "arrow_function", "arguments", "variable_declarator"),
        "assignment_expression",
    )
