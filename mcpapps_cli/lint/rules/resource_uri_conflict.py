"""A tool links two different Views with its two keys."""

from __future__ import annotations

from mcpapps_cli.lint.rule import URI, Fault, Faults, Subject, issue, rule, server, spec, tool
from mcpapps_cli.wire import FLAT_URI_KEY


@rule(
    "MA107",
    "error",
    why="Hosts differ in the key they read first, so each shows another View, or none.",
    fix="set both keys from one constant, or keep only `_meta.ui.resourceUri`",
    source=(spec("Resource Discovery"), issue("IBM/mcp-context-forge#5762")),
    bad=server(
        tool(meta={FLAT_URI_KEY: "ui://app/old.html", "ui": {"resourceUri": URI}}),
    ),
    good=server(tool(meta={FLAT_URI_KEY: URI, "ui": {"resourceUri": URI}})),
    near=(server(tool()), server(tool(), tool("plain", meta={"ui": {"visibility": ["app"]}}))),
)
def resource_uri_conflict(subject: Subject) -> Faults:
    """A tool links two different Views with its two keys."""
    for entry in subject.tools:
        if FLAT_URI_KEY not in entry.meta or "resourceUri" not in entry.ui:
            continue
        nested, flat = entry.ui["resourceUri"], entry.meta[FLAT_URI_KEY]
        if nested != flat:
            yield Fault(
                entry.at("_meta", FLAT_URI_KEY),
                f'{entry.label} links "{nested}" and, with "{FLAT_URI_KEY}", "{flat}"',
            )
