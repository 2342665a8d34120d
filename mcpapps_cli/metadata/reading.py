"""Reading anybody's MCP Apps `_meta`, whatever its shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from mcpapps_cli import wire
from mcpapps_cli.metadata.fields import (
    read_csp,
    read_domain,
    read_permissions,
    read_prefers_border,
    report_unknown,
)
from mcpapps_cli.metadata.problem import Placement, Problem, Problems, pointer_to, shown
from mcpapps_cli.model import Csp, JsonObject
from mcpapps_cli.wire import Visibility

_MODEL_AND_APP: Final = wire.VISIBILITIES
_UI_KEYS: Final = (*wire.TOOL_META_KEYS, *wire.RESOURCE_META_KEYS)
_URI_TYPOS: Final = ("ui.resourceUri", "ui.resource_uri", "ui/resource_uri", "ui/resourceURI")
_UI_ALIASES: Final = {
    "resource_uri": "resourceUri",
    "resourceURI": "resourceUri",
    "uri": "resourceUri",
    "prefers_border": "prefersBorder",
}


@dataclass(frozen=True, slots=True)
class AppsMetadata:
    """What a tool or a UI resource says about its View; every field has a value.

    Attributes:
        resource_uri: The linked View, nested key before the flat one; any non-empty string.
        key: Which of the two keys `resource_uri` came from.
        visibility: Who may call the tool; absent means both, empty means nobody.
        csp: The declared origins; None when `csp` is absent or is not an object.
        permissions: Names of `wire.PERMISSIONS` whose value is an object, in that order.
        domain: The host-specific sandbox domain.
        prefers_border: None when not said.
        raw: The `_meta.ui` object that was read, as received.
        problems: What was found wrong, in the order met.
        placement: Which of the two arguments `raw` came from; None when neither has `_meta.ui`.
    """

    resource_uri: str | None = None
    key: Literal["nested", "flat"] | None = None
    visibility: tuple[Visibility, ...] = _MODEL_AND_APP
    csp: Csp | None = None
    permissions: tuple[str, ...] = ()
    domain: str | None = None
    prefers_border: bool | None = None
    raw: JsonObject | None = None
    problems: tuple[Problem, ...] = ()
    placement: Placement | None = None

    @property
    def model_visible(self) -> bool:
        """Whether the agent's tool list shows the tool (specification, Visibility)."""
        return "model" in self.visibility

    @property
    def app_visible(self) -> bool:
        """Whether a View may call the tool (specification, Visibility)."""
        return "app" in self.visibility


def apps_metadata(entry: object, *, listing: object = None) -> AppsMetadata:
    """Read the MCP Apps metadata of a tool, a resource or a content item; never raises.

    Args:
        entry: A raw `tools/list` or `resources/list` entry, or a `resources/read` content item.
        listing: The `resources/list` entry of the same URI, when `entry` is a content item. The
            first `_meta.ui` that is there wins as a whole (specification, Metadata Location):
            nothing is merged, and an empty object on the item hides the listing's.

    Only exact keys count, as in the strictest host. `prefers_border` is the one alias that is
    read; every other misspelling is reported and has no effect. Something that is not as
    specified never grants more than its absence: a malformed `visibility` shows the tool to
    nobody, a malformed `csp` is no `csp`, and a permission that is not an object is not asked for.
    """
    problems = Problems()
    meta: JsonObject = {}
    if entry is not None or listing is None:
        meta = _meta_of(entry, problems)
    ui = _ui_of(meta, problems)
    placement: Placement | None = None if ui is None else "entry"
    if ui is None and listing is not None:
        problems.placement = "listing"
        listed = _meta_of(listing, problems)
        ui = _ui_of(listed, problems)
        if ui is not None:
            meta, placement = listed, "listing"
        else:
            problems.placement = "entry"
    _report_misplaced(meta, problems)
    raw: JsonObject | None = ui if isinstance(ui, Mapping) else None
    fields: JsonObject = {} if raw is None else raw
    report_unknown(fields, "/_meta/ui", _UI_KEYS, _UI_ALIASES, problems)
    resource_uri, key = _resource_uri(meta, fields, problems)
    return AppsMetadata(
        resource_uri=resource_uri,
        key=key,
        visibility=_visibility(fields, problems),
        csp=read_csp(fields, problems),
        permissions=read_permissions(fields, problems),
        domain=read_domain(fields, problems),
        prefers_border=read_prefers_border(fields, problems),
        raw=raw,
        problems=tuple(problems),
        placement=placement,
    )


def _meta_of(entry: object, problems: Problems) -> JsonObject:
    if not isinstance(entry, Mapping):
        problems.wrong_type("", entry, "an object")
        return {}
    meta = entry.get("_meta")
    if isinstance(meta, Mapping):
        return meta
    if "_meta" in entry:
        problems.wrong_type("/_meta", meta, "an object")
        return {}
    other = entry.get("meta")
    if isinstance(other, Mapping) and ("ui" in other or wire.FLAT_URI_KEY in other):
        problems.note("/meta", '"meta" is not read by hosts, write "_meta"', "misplaced")
    return {}


def _ui_of(meta: JsonObject, problems: Problems) -> object:
    ui: object = meta.get("ui")
    if "ui" in meta and not isinstance(ui, Mapping):
        problems.wrong_type("/_meta/ui", ui, "an object")
    return ui


def _report_misplaced(meta: JsonObject, problems: Problems) -> None:
    for key in meta:
        if key in _URI_TYPOS or _UI_ALIASES.get(key) == "resourceUri" or key == "resourceUri":
            problems.note(
                pointer_to("/_meta", key),
                f'"{key}" is not read by hosts, write "resourceUri" inside "ui"',
                "alias",
            )
        elif key in (*wire.RESOURCE_META_KEYS, "visibility"):
            problems.note(
                pointer_to("/_meta", key),
                f'"{key}" is not read here, put it inside "ui"',
                "misplaced",
            )


def _resource_uri(
    meta: JsonObject, fields: JsonObject, problems: Problems
) -> tuple[str | None, Literal["nested", "flat"] | None]:
    flat_at = pointer_to("/_meta", wire.FLAT_URI_KEY)
    nested = _uri(fields, "resourceUri", "/_meta/ui/resourceUri", problems)
    flat = _uri(meta, wire.FLAT_URI_KEY, flat_at, problems)
    if nested is not None:
        if flat is not None and flat != nested:
            message = f'"{shown(flat)}" differs from "{shown(nested)}" in "ui"'
            problems.note(flat_at, message, "conflict")
        return nested, "nested"
    return flat, None if flat is None else "flat"


def _uri(source: JsonObject, key: str, pointer: str, problems: Problems) -> str | None:
    value = source.get(key)
    if not isinstance(value, str):
        if key in source:
            problems.wrong_type(pointer, value, f'a "{wire.URI_SCHEME}" URI')
        return None
    if not value.startswith(wire.URI_SCHEME):
        message = f'"{shown(value)}" does not start with "{wire.URI_SCHEME}"'
        problems.note(pointer, message, "value")
    return value or None


def _visibility(fields: JsonObject, problems: Problems) -> tuple[Visibility, ...]:
    if "visibility" not in fields:
        return _MODEL_AND_APP
    pointer = "/_meta/ui/visibility"
    value = fields["visibility"]
    several = isinstance(value, list | tuple)
    if not several:
        problems.wrong_type(pointer, value, 'an array of "model" and "app"')
        if value is None:
            return _MODEL_AND_APP
    elif not value:
        problems.note(pointer, "is empty, so nobody may call the tool", "value")
    found: dict[Visibility, None] = {}
    for index, word in enumerate(value if several else (value,)):
        at = f"{pointer}/{index}" if several else pointer
        if not isinstance(word, str):
            if several:
                problems.wrong_type(at, word, '"model" or "app"')
        elif word in wire.VISIBILITIES:
            found.update((known, None) for known in wire.VISIBILITIES if known == word)
        else:
            problems.note(at, f'"{shown(word)}" is neither "model" nor "app"', "value")
    return tuple(found)
