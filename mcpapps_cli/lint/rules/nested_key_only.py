"""Hosts that read only the old key."""

from __future__ import annotations

from mcpapps_cli.lint.rule import URI, Fault, Faults, Subject, issue, rule, server, spec, tool
from mcpapps_cli.wire import FLAT_URI_KEY

_OLD = "claude-2026-02"
_BOTH = {"ui": {"resourceUri": URI}, FLAT_URI_KEY: URI}


@rule(
    "MA123",
    "info",
    why="A host of that time reads `ui/resourceUri` alone, and shows the result as text.",
    fix=f'also set `_meta["{FLAT_URI_KEY}"]` to the same URI',
    source=(
        spec("Resource Discovery"),
        issue("anthropics/claude-ai-mcp#71"),
        issue("czlonkowski/n8n-mcp#585"),
        issue("ag-ui-protocol/ag-ui#1648"),
    ),
    bad=server(tool(), profiles=(_OLD,)),
    good=server(tool(meta=_BOTH), profiles=(_OLD,)),
    near=(server(tool()), server(tool(meta=_BOTH))),
)
def nested_key_only(subject: Subject) -> Faults:
    """A tool has the nested key alone, for a host that reads only the old one."""
    for entry in subject.ui_tools if _OLD in subject.profiles else ():
        if "resourceUri" in entry.ui and FLAT_URI_KEY not in entry.meta:
            message = f'{entry.label} has no "{FLAT_URI_KEY}", which this host reads'
            yield Fault(entry.at("_meta", "ui", "resourceUri"), message)
