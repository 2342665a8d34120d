"""Metadata keys that no host reads: misspelt, at the wrong level, or beside `_meta`."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    URI,
    Fault,
    Faults,
    Subject,
    as_object,
    issue,
    rule,
    server,
    spec,
    tool,
)
from mcpapps_cli.lint.rules._meta_entry import meta_entries
from mcpapps_cli.wire import FLAT_URI_KEY

_IN_META = ("ui.resourceUri", "ui/resource_uri", "ui/resourceURI", "resource_uri", "resourceURI")

_IN_UI = {
    "resource_uri": "resourceUri",
    "resourceURI": "resourceUri",
    "uri": "resourceUri",
    "prefers_border": "prefersBorder",
}


@rule(
    "MA108",
    "error",
    why="Hosts know one spelling. The tool is listed, is called, and shows no View.",
    fix="write `_meta.ui.resourceUri`, in exactly that spelling",
    source=(spec("Resource Discovery"), issue("openai/codex#21019")),
    bad=server(tool(meta={"ui.resourceUri": URI})),
    good=server(tool(meta={"ui": {"resourceUri": URI}})),
    near=(
        server(tool(meta={"ui": {"resourceUri": URI}, "example.com/resource_uri": "x"})),
        server(tool(meta={"ui": {"resourceUri": URI}, FLAT_URI_KEY: URI})),
    ),
)
def meta_key_typo(subject: Subject) -> Faults:
    """A key of the metadata is misspelt."""
    for label, raw, at in meta_entries(subject):
        meta = as_object(raw.get("_meta"))
        for key in _IN_META:
            if key in meta:
                yield Fault(at("_meta", key), f'no host reads "{key}" of {label}')
        for key, right in _IN_UI.items():
            if key in as_object(meta.get("ui")):
                yield Fault(
                    at("_meta", "ui", key),
                    f'no host reads "{key}" of {label}',
                    help=f'write "{right}"',
                )
