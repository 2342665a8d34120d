"""A key of `_meta.ui` stands directly in `_meta`."""

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
from mcpapps_cli.wire import FLAT_URI_KEY, RESOURCE_META_KEYS, TOOL_META_KEYS


@rule(
    "MA109",
    "error",
    why="Hosts look inside `_meta.ui`. One level higher the value has no effect.",
    fix='move it into the object "ui" of `_meta`',
    source=(spec("UI Resource Format"), issue("modelcontextprotocol/inspector#2055")),
    bad=server(tool(meta={"ui": {"resourceUri": URI}, "visibility": ["app"]})),
    good=server(tool(meta={"ui": {"resourceUri": URI, "visibility": ["app"]}})),
    near=(
        server(tool("plain", meta={"domain": "sales"}), tool()),
        server(tool(meta={"ui": {"resourceUri": URI}, "example.com/csp": {}})),
    ),
)
def meta_wrong_level(subject: Subject) -> Faults:
    """A key of `_meta.ui` stands directly in `_meta`."""
    for label, raw, at in meta_entries(subject):
        meta = as_object(raw.get("_meta"))
        # Words such as "domain" are anybody's in the `_meta` of a tool without a View.
        ours = "uri" in raw or "ui" in meta or FLAT_URI_KEY in meta
        for key in (*TOOL_META_KEYS, *RESOURCE_META_KEYS):
            if key in meta and (ours or key == "resourceUri"):
                yield Fault(at("_meta", key), f'no host reads "{key}" in "_meta" of {label}')
