"""A link to a View that only a result carries."""

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
    tool,
)

_LINK = {"ui": {"resourceUri": "ui://app/chart.html"}}


@rule(
    "MA513",
    "error",
    why="Hosts decide from tools/list whether a tool has a View; a link on the result is too late.",
    fix="put `_meta.ui.resourceUri` on the tool",
    source=(
        spec("Resource Discovery"),
        issue("sceneview/sceneview#3279"),
        issue("openai/openai-apps-sdk-examples#179"),
    ),
    bad=server(tool(), tool("map", meta={}), observed=called("Done", tool="map", _meta=_LINK)),
    good=server(tool("map"), observed=called("Done", tool="map")),
    near=(
        server(tool(), tool("map", meta={}), observed=called("Done", tool="map")),
        server(tool(), tool("map", meta={}), observed=called("A", tool="map", _meta={"ui": {}})),
    ),
    evidence="call",
)
def meta_ui_only_on_result(subject: Subject) -> Faults:
    """A tool's result links a View and the tool itself does not."""
    for call in results(subject):
        if call.tool.uri_path is None and (found := result_uri(call)):
            path, uri = found
            message = f'the result of {call.tool.label} links "{uri}", and the tool links nothing'
            yield Fault(call.at("_meta", *path), message)
