"""Tools that were made for one host's own widgets."""

from __future__ import annotations

from mcpapps_cli.lint.rule import URI, Fault, Faults, Subject, issue, rule, server, tool

_KEY = "openai/outputTemplate"


@rule(
    "MA113",
    "warning",
    why="Only ChatGPT reads that key; every other host finds a tool without a View.",
    fix="also set `_meta.ui.resourceUri`",
    source=(issue("basementstudio/xmcp#332"),),
    bad=server(tool(meta={_KEY: URI})),
    good=server(tool(meta={_KEY: URI, "ui": {"resourceUri": URI}})),
    near=(
        server(tool(meta={_KEY: "ui://app/skybridge.html", "ui": {"resourceUri": URI}})),
        server(tool("plain", meta={"openai/widgetAccessible": True}), tool()),
    ),
)
def openai_template_without_ui(subject: Subject) -> Faults:
    """A tool names a View for ChatGPT and none for the other hosts."""
    for entry in subject.tools:
        if _KEY in entry.meta and entry.uri_path is None:
            yield Fault(entry.at("_meta", _KEY), f'{entry.label} has "{_KEY}" and no View')
