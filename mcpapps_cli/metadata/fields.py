"""Reading the fields of a UI resource: origins, permissions, domain and border."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mcpapps_cli import wire
from mcpapps_cli.metadata.problem import Problems, pointer_to, shown
from mcpapps_cli.model import Csp, JsonObject

_CSP_ALIASES: Final = {
    "connect_domains": "connectDomains",
    "resource_domains": "resourceDomains",
    "frame_domains": "frameDomains",
    "base_uri_domains": "baseUriDomains",
    "connect-src": "connectDomains",
    **dict.fromkeys(("img-src", "script-src", "style-src", "font-src"), "resourceDomains"),
    "frame-src": "frameDomains",
    "base-uri": "baseUriDomains",
}
_PERMISSION_ALIASES: Final = {
    "clipboard_write": "clipboardWrite",
    "clipboard-write": "clipboardWrite",
}


def report_unknown(
    fields: JsonObject,
    at: str,
    known: tuple[str, ...],
    aliases: Mapping[str, str],
    problems: Problems,
) -> None:
    """Note every key that is not known, and what was meant when it is a usual misspelling."""
    for key in fields:
        if key in known:
            continue
        pointer = pointer_to(at, key)
        if key in aliases:
            problems.note(pointer, f'"{key}" is not a key, write "{aliases[key]}"', "alias")
        else:
            problems.note(pointer, f'unknown key "{shown(key)}"', "unknown-key")


def read_csp(fields: JsonObject, problems: Problems) -> Csp | None:
    """Return the declared origins; None when `csp` is absent or no object."""
    if "csp" not in fields:
        return None
    value = fields["csp"]
    if not isinstance(value, Mapping):
        problems.wrong_type("/_meta/ui/csp", value, "an object of origin lists")
        return None
    report_unknown(value, "/_meta/ui/csp", wire.CSP_KEYS, _CSP_ALIASES, problems)
    connect, resource, frame, base_uri = (
        _origins(value, key, f"/_meta/ui/csp/{key}", problems) for key in wire.CSP_KEYS
    )
    return Csp(connect=connect, resource=resource, frame=frame, base_uri=base_uri)


def _origins(source: JsonObject, key: str, pointer: str, problems: Problems) -> tuple[str, ...]:
    value = source.get(key)
    if not isinstance(value, list | tuple):
        if key in source:
            problems.wrong_type(pointer, value, "an array of origins")
        return ()
    for index, entry in enumerate(value):
        if not isinstance(entry, str):
            problems.wrong_type(f"{pointer}/{index}", entry, "an origin")
    return tuple(entry for entry in value if isinstance(entry, str))


def read_permissions(fields: JsonObject, problems: Problems) -> tuple[str, ...]:
    """Return the names whose value is an object, in the order of `wire.PERMISSIONS`."""
    if "permissions" not in fields:
        return ()
    pointer = "/_meta/ui/permissions"
    value = fields["permissions"]
    if not isinstance(value, Mapping):
        problems.wrong_type(pointer, value, 'an object such as {"camera": {}}')
        return ()
    report_unknown(value, pointer, wire.PERMISSIONS, _PERMISSION_ALIASES, problems)
    for name in wire.PERMISSIONS:
        if name in value and not isinstance(value[name], Mapping):
            problems.wrong_type(f"{pointer}/{name}", value[name], "an empty object")
    return tuple(name for name in wire.PERMISSIONS if isinstance(value.get(name), Mapping))


def read_domain(fields: JsonObject, problems: Problems) -> str | None:
    """Return the sandbox domain, or None."""
    value = fields.get("domain")
    if isinstance(value, str) and value:
        return value
    if isinstance(value, str):
        problems.note("/_meta/ui/domain", "is empty", "value")
    elif "domain" in fields:
        problems.wrong_type("/_meta/ui/domain", value, "a string")
    return None


def read_prefers_border(fields: JsonObject, problems: Problems) -> bool | None:
    """Return whether a border is wanted; None when not said."""
    key = "prefersBorder" if "prefersBorder" in fields else "prefers_border"
    value = fields.get(key)
    if isinstance(value, bool):
        return value
    if key in fields:
        problems.wrong_type(f"/_meta/ui/{key}", value, "true or false")
    return None
