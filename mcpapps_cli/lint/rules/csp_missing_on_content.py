"""The two places of a resource's metadata: the listing and the content item."""

from __future__ import annotations

from collections.abc import Mapping

from mcpapps_cli.lint.rule import (
    UNSET,
    Fault,
    Faults,
    Subject,
    issue,
    resource,
    rule,
    server,
    spec,
)
from mcpapps_cli.lint.rules._both_metas import ORIGINS, REORDERED
from mcpapps_cli.model import JsonObject
from mcpapps_cli.wire import CSP_KEYS, RESOURCE_META_KEYS


def _meaning(ui: JsonObject) -> dict[str, object]:
    """What a host makes of `_meta.ui`, so that order and repetition do not count."""
    found = {key: ui[key] for key in RESOURCE_META_KEYS if key in ui}
    csp = found.get("csp")
    if isinstance(csp, Mapping):
        lists = (csp.get(key) for key in CSP_KEYS)
        found["csp"] = [
            sorted(set(map(str, one))) if isinstance(one, list) else [] for one in lists
        ]
    return found


@rule(
    "MA105",
    "error",
    why=(
        "Most hosts read the metadata from the resources/read item, and there the whole object "
        "of the item wins. What is only in the listing is lost, and with it the declared origins."
    ),
    fix="return the same `_meta.ui` on the resources/read item as in resources/list",
    source=(
        spec("UI Resource Format"),
        issue("PrefectHQ/fastmcp-ts#61"),
        issue("modelcontextprotocol/csharp-sdk#1228"),
    ),
    bad=server(resource(meta=UNSET, listing_meta=ORIGINS)),
    good=server(resource(meta=ORIGINS, listing_meta=ORIGINS)),
    near=(
        server(resource(meta=REORDERED, listing_meta=ORIGINS)),
        server(resource(listed=False)),
    ),
)
def csp_missing_on_content(subject: Subject) -> Faults:
    """The listing has `_meta.ui` and the content item has none, or another one."""
    for view in subject.resources:
        if view.raw.content is None or not view.listing_ui:
            continue
        if not view.content_ui:
            yield Fault(
                view.in_listing("_meta", "ui"),
                f'"_meta.ui" of "{view.uri}" is in resources/list only',
            )
        elif _meaning(view.content_ui) != _meaning(view.listing_ui):
            keys = [
                key
                for key in RESOURCE_META_KEYS
                if _meaning(view.content_ui).get(key) != _meaning(view.listing_ui).get(key)
            ]
            yield Fault(
                view.in_content("_meta", "ui"),
                f'"{", ".join(keys)}" of "{view.uri}" differs between resources/read and '
                "resources/list",
            )
