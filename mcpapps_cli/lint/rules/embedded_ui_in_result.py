"""A View inside a result."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    URI,
    Fault,
    Faults,
    Subject,
    as_object,
    called,
    issue,
    results,
    rule,
    server,
    spec,
)

_EMBEDDED = {
    "type": "resource",
    "resource": {"uri": URI, "mimeType": "text/html;profile=mcp-app", "text": "<!doctype html>"},
}
_FILE = {"type": "resource", "resource": {"uri": "file:///a.csv", "text": "a,b"}}


@rule(
    "MA516",
    "warning",
    why="Hosts take the View from the tool; one mounted none when the result held a page too.",
    fix="leave the page out of the result: the tool links it",
    source=(spec("Resource Discovery"), issue("microsoft/vscode#320093")),
    bad=server(observed=called("Done", _EMBEDDED)),
    good=server(observed=called("Done")),
    near=(
        server(observed=called("Done", _FILE)),
        server(observed=called("Shown in ui://app/chart.html", structured={"uri": URI})),
    ),
    evidence="call",
)
def embedded_ui_in_result(subject: Subject) -> Faults:
    """A result has the page of a View inside."""
    for call in results(subject):
        for index, block in enumerate(call.blocks):
            inner = as_object(as_object(block).get("resource"))
            uri, mime = inner.get("uri"), inner.get("mimeType")
            if (isinstance(uri, str) and uri.startswith("ui://")) or (
                isinstance(mime, str) and mime.startswith("text/html")
            ):
                message = f'the result of {call.tool.label} has the page "{uri}" inside'
                yield Fault(call.at("content", index), message)
