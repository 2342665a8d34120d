"""The metadata is under `meta`, not `_meta`."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    URI,
    Fault,
    Faults,
    Subject,
    as_object,
    resource,
    rule,
    server,
    spec,
    tool,
)
from mcpapps_cli.lint.rules._meta_entry import meta_entries
from mcpapps_cli.wire import FLAT_URI_KEY


@rule(
    "MA111",
    "error",
    why="The wire name is `_meta`. `meta` is the name of a Python argument, and hosts ignore it.",
    fix='write "_meta", or give the metadata to the SDK, which knows the name',
    source=(spec("UI Resource Format"),),
    bad=server(tool(meta=None, also={"meta": {"ui": {"resourceUri": URI}}})),
    good=server(tool(meta={"ui": {"resourceUri": URI}})),
    near=(
        server(resource(content={"meta": {"author": "me"}})),
        server(resource(content={"meta": {}})),
    ),
)
def meta_key_not_underscored(subject: Subject) -> Faults:
    """The metadata is under `meta`, not `_meta`."""
    for label, raw, at in meta_entries(subject):
        other = as_object(raw.get("meta"))
        if "ui" in other or FLAT_URI_KEY in other:
            yield Fault(at("meta"), f'no host reads "meta" of {label}')
