"""A link to another View on a result."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
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

_OTHER = {"ui": {"resourceUri": "ui://app/table.html"}}


@rule(
    "MA515",
    "warning",
    why="A tool has one View, which the host took from tools/list: it ignores the other one.",
    fix="make one View that shows both, or one tool for each View",
    source=(spec("Resource Discovery"), issue("modelcontextprotocol/ext-apps#191")),
    bad=server(observed=called("Done", _meta=_OTHER)),
    good=server(observed=called("Done")),
    near=(
        server(observed=called("Done", _meta={"ui": {"visibility": ["model"]}})),
        server(observed=called("Done", _meta={"resourceUri": 7})),
    ),
    evidence="call",
)
def dynamic_resource_uri(subject: Subject) -> Faults:
    """A result links another View than the tool does."""
    for call in results(subject):
        found = result_uri(call)
        if found and call.tool.uri_path is not None and found[1] != call.tool.uri:
            message = f'the result links "{found[1]}", where {call.tool.label} links another View'
            yield Fault(call.at("_meta", *found[0]), message)
