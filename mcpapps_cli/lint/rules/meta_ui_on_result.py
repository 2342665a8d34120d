"""A link to a View that a result repeats."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    URI,
    Fault,
    Faults,
    Subject,
    called,
    issue,
    result_uri,
    results,
    rule,
    server,
    spec,
)


@rule(
    "MA514",
    "info",
    why="The link belongs on the tool; one host mounted nothing when the result had it as well.",
    fix="leave `_meta.ui` out of the result",
    source=(spec("Resource Discovery"), issue("microsoft/vscode#320093")),
    bad=server(observed=called("Done", _meta={"ui": {"resourceUri": URI}})),
    good=server(observed=called("Done")),
    near=(
        server(observed=called("Done", _meta={"example.com/trace": "1"})),
        server(observed=called("Done", _meta={"ui": {}})),
    ),
    evidence="call",
)
def meta_ui_on_result(subject: Subject) -> Faults:
    """A result repeats the link to the View that the tool has."""
    for call in results(subject):
        found = result_uri(call)
        if found and found[1] == call.tool.uri:
            yield Fault(call.at("_meta", *found[0]), f'the result links "{found[1]}" once more')
