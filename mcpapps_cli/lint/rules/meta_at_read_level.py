"""`_meta.ui` stands beside `contents` of a `resources/read` answer."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    META,
    Fault,
    Faults,
    Subject,
    issue,
    resource,
    rule,
    server,
    spec,
)


@rule(
    "MA110",
    "error",
    why="Hosts read the metadata of the item. Beside `contents` it is lost with most of them.",
    fix="put `_meta` on the item inside `contents`",
    source=(spec("UI Resource Format"), issue("modelcontextprotocol/inspector#2055")),
    bad=server(resource(read_meta={"ui": META})),
    good=server(resource(meta=META)),
    near=(
        server(resource(read_meta={"example.com/trace": "1"})),
        server(resource(read_meta={})),
    ),
)
def meta_at_read_level(subject: Subject) -> Faults:
    """`_meta.ui` stands beside `contents` of a `resources/read` answer."""
    for view in subject.resources:
        if view.raw.read_meta is not None and "ui" in view.raw.read_meta:
            yield Fault(
                view.in_read("_meta", "ui"),
                f'"_meta.ui" of "{view.uri}" stands beside "contents"',
            )
