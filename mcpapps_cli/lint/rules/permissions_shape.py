"""What a View asks the browser for."""

from __future__ import annotations

from collections.abc import Mapping

from mcpapps_cli.lint.rule import (
    META,
    Fault,
    Faults,
    ResourcePart,
    Subject,
    resource,
    rule,
    server,
    spec,
)
from mcpapps_cli.wire import PERMISSIONS


def _asking(permissions: object) -> ResourcePart:
    meta = {**META, "permissions": permissions}
    return resource(meta=meta, listing_meta=meta)


@rule(
    "MA216",
    "error",
    why="A host asks for nothing that it cannot read, and a strict one refuses the whole object.",
    fix='write an object with an empty object per permission, such as {"camera": {}}',
    source=(spec("UI Resource Format"),),
    bad=server(_asking({"camera": True})),
    good=server(_asking({"camera": {}})),
    near=(server(_asking({})), server(_asking({name: {} for name in PERMISSIONS}))),
)
def permissions_shape(subject: Subject) -> Faults:
    """`permissions` is not an object of known names with empty objects."""
    for view in subject.resources:
        if "permissions" not in view.ui:
            continue
        asked = view.ui["permissions"]
        if not isinstance(asked, Mapping):
            message = f'"permissions" of "{view.uri}" is not an object'
            yield Fault(view.in_ui("permissions"), message)
            continue
        for name, value in asked.items():
            if name not in PERMISSIONS:
                message = f'"{view.uri}" asks for "{name}", which is no permission'
                yield Fault(
                    view.in_ui("permissions", name), message, help=f"use {', '.join(PERMISSIONS)}"
                )
            elif not isinstance(value, Mapping):
                message = f'"{name}" of "{view.uri}" is not an object'
                yield Fault(view.in_ui("permissions", name), message)
