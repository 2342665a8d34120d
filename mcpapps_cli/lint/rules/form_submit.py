"""Elements that need a permission of the frame which hosts do not give."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, page, rule, server


@rule(
    "MA601",
    "warning",
    why="Without allow-forms in the sandbox a form is never submitted, and its handler never runs.",
    fix="use a button with a click handler, and leave the form out",
    source=(
        issue("vellum-ai/vellum-assistant#40920"),
        issue("open-octo/octo-agent#2319"),
    ),
    bad=server(page("<form><button>Save</button></form>\n")),
    good=server(page('<button type="button">Save</button>\n')),
    near=(
        server(page("<!-- <form></form> -->\n")),
        server(page("<template><form-field></form-field></template>\n")),
    ),
    evidence="static",
)
def form_submit(subject: Subject) -> Faults:
    """A View has a form, which hosts may not let it submit."""
    for _, served in subject.pages:
        for token in served.page.tokens:
            if token.kind == "start" and token.name == "form":
                action = next((a.value for a in token.attrs if a.name == "action"), None)
                place = served.at(token.start, token.end)
                if action:
                    yield Fault(place, f'this form is sent to "{action}"', severity="error")
                else:
                    yield Fault(place, "this form may never be submitted")
        for code in served.code:
            for call in code.calls(".createElement", ".jsx", ".jsxs", "jsx", "jsxs"):
                if (
                    len(call.arguments) > 1
                    and code.string(call.arguments[0]) == "form"
                    and "onSubmit" in code.members(call.arguments[1])
                ):
                    place = served.at_node(code, call.arguments[0])
                    yield Fault(place, "the handler of this form may never run")
