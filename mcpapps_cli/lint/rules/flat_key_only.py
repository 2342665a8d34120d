"""The keys that link a tool to its View."""

from __future__ import annotations

from mcpapps_cli.lint.rule import URI, Fault, Faults, Subject, issue, rule, server, spec, tool
from mcpapps_cli.wire import FLAT_URI_KEY


@rule(
    "MA102",
    "warning",
    why=(
        "The flat key is deprecated and will be removed; gateways and newer hosts read only the "
        "nested one, and for them the tool has no View."
    ),
    fix="also set `_meta.ui.resourceUri` to the same URI",
    source=(spec("Resource Discovery"), issue("IBM/mcp-context-forge#5762")),
    bad=server(tool(meta={FLAT_URI_KEY: URI})),
    good=server(tool(meta={FLAT_URI_KEY: URI, "ui": {"resourceUri": URI}})),
    near=(server(tool()), server(tool("plain", meta={}), tool())),
)
def flat_key_only(subject: Subject) -> Faults:
    """A tool links its View only with the deprecated key `ui/resourceUri`."""
    for entry in subject.tools:
        if FLAT_URI_KEY in entry.meta and "resourceUri" not in entry.ui:
            yield Fault(
                entry.at("_meta", FLAT_URI_KEY),
                f'{entry.label} has only the deprecated key "{FLAT_URI_KEY}"',
            )
