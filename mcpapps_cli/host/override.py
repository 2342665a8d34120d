"""A project's own host profiles: new ones, and changes to those that are here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from difflib import get_close_matches
from typing import Any, Final

from mcpapps_cli import wire
from mcpapps_cli.errors import ConfigError, UserError
from mcpapps_cli.host.policy import SPECIFICATION, template_fault
from mcpapps_cli.host.profiles import (
    CAPABILITY_METHODS,
    Profile,
    Source,
    load_profile,
    profile_names,
)
from mcpapps_cli.host.quirks import quirk_names
from mcpapps_cli.model import JsonObject
from mcpapps_cli.words import count

_Fault = str
_Read = Callable[[Profile, Any], tuple[dict[str, Any], _Fault | None]]
Hosts = Mapping[str, Any]
"""What the project has under `[tool.mcpapps.hosts]`: a table per profile, unchecked."""


def host_names(hosts: Hosts) -> tuple[str, ...]:
    """Return the name of every profile, the project's own last."""
    names = profile_names()
    return (*names, *(name for name in hosts if name not in names))


def load_host(name: str, hosts: Hosts) -> Profile:
    """Return a profile with the project's changes.

    Args:
        name: A profile of ours, or a table of `hosts`, whose `base` (default `spec`) it changes.
        hosts: The project's tables.

    Raises:
        ConfigError: the table has faults; all are in `details`.
        UserError: there is no profile of that name; `help` names the closest one.
    """
    table = hosts.get(name)
    if table is None:
        names = host_names(hosts)
        if name not in names and (close := get_close_matches(name, names, n=1)):
            raise UserError(
                f'there is no host profile "{name}"', help=f'did you mean "{close[0]}"?'
            )
        return load_profile(name)
    faults: list[str] = []
    base = name if name in profile_names() else "spec"
    if isinstance(table, Mapping) and "base" in table:
        if name in profile_names():
            faults.append(f'[tool.mcpapps.hosts.{name}] base: "{name}" is a profile itself')
        elif table["base"] not in profile_names():
            faults.append(f"[tool.mcpapps.hosts.{name}] base: {_shown(table['base'])} is unknown")
        else:
            base = table["base"]
    profile, more = override(load_profile(base), table, name=name)
    faults.extend(more)
    if faults:
        raise ConfigError(
            f'the host profile "{name}" has {count(len(faults), "fault")}',
            help="correct the lines above" if len(faults) > 1 else "correct the line above",
            details=tuple(faults),
        )
    return profile


def override(profile: Profile, table: Any, *, name: str) -> tuple[Profile, tuple[str, ...]]:
    """Return a profile with the changes of a table, and the table's faults.

    Objects (`capabilities`, `context`, `policy`) are merged by key, and `false` takes a key away.
    The requests that are served follow the capabilities, unless `methods` says otherwise. A value
    with a fault changes nothing.

    Args:
        profile: What is changed.
        table: Keys in kebab case, as in `[tool.mcpapps.hosts.NAME]`.
        name: The profile's name from now on.
    """
    where = f"tool.mcpapps.hosts.{name}"
    if not isinstance(table, Mapping):
        return profile, (f"[{where}] is not a table",)
    source, faults = _source(table, where)
    changes: dict[str, Any] = {}
    known = (*_FIELDS, "base", "source", "date")
    for key, value in table.items():
        if key not in known:
            close = get_close_matches(key, known, 1)
            hint = f', did you mean "{close[0]}"?' if close else ""
            faults.append(f"[{where}] {key}: unknown key{hint}")
        elif key in _FIELDS:
            changed, fault = _FIELDS[key](replace(profile, **changes), value)
            if fault is None:
                changes.update(changed)
            else:
                faults.append(f"[{where}] {key}: {fault}")
    if "capabilities" in changes and "methods" not in table:
        changes["methods"] = _following(profile, changes["capabilities"])
    touched = set(_touched(changes, table))
    changes.setdefault("title", profile.title if name == profile.name else name)
    changed_profile = replace(
        profile,
        **changes,
        name=name,
        sources={**profile.sources, **dict.fromkeys(sorted(touched), source)},
        unknown=frozenset(
            entry
            for entry in profile.unknown
            if entry not in touched and entry.split(".")[0] not in touched
        ),
    )
    return changed_profile, tuple(faults)


def _touched(changes: Mapping[str, Any], table: Mapping[str, Any]) -> Iterator[str]:
    """Yield the dotted name of everything a table has changed."""
    for field in changes:
        given = table.get(field)
        if field in _BY_KEY and isinstance(given, Mapping):
            yield from (f"{field}.{key}" for key in given)
        else:
            yield field


def _source(table: Mapping[str, Any], where: str) -> tuple[Source, list[str]]:
    faults: list[str] = []
    text, day = table.get("source", f"[{where}]"), table.get("date", "")
    if not isinstance(text, str):
        faults.append(f"[{where}] source: {_shown(text)} is not a string")
        text = f"[{where}]"
    if not isinstance(day, str | date):
        faults.append(f"[{where}] date: {_shown(day)} is not a date")
        day = ""
    return Source(text, day if isinstance(day, str) else day.isoformat(), "project"), faults


def _following(profile: Profile, capabilities: JsonObject) -> frozenset[str]:
    gone = profile.capabilities.keys() - capabilities.keys()
    new = capabilities.keys() - profile.capabilities.keys()
    methods = set(profile.methods)
    for name in gone:
        methods.difference_update(CAPABILITY_METHODS.get(name, ()))
    for name in new:
        methods.update(CAPABILITY_METHODS.get(name, ()))
    return frozenset(methods)


def _plain(field: str, kind: type, words: str) -> _Read:
    def read(profile: Profile, value: Any) -> tuple[dict[str, Any], _Fault | None]:
        # bool is a subclass of int; TOML keeps them apart.
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            return {}, f"{_shown(value)} is not {words}"
        return {field: value}, None

    return read


def _positive(field: str) -> _Read:
    def read(profile: Profile, value: Any) -> tuple[dict[str, Any], _Fault | None]:
        if not isinstance(value, int | float) or isinstance(value, bool) or value <= 0:
            return {}, f"{_shown(value)} is not a positive number"
        return {field: value}, None

    return read


def _word(field: str, *words: str) -> _Read:
    def read(profile: Profile, value: Any) -> tuple[dict[str, Any], _Fault | None]:
        if value not in words:
            return {}, f"{_shown(value)} is not one of {', '.join(words)}"
        return {field: value}, None

    return read


def _words(field: str, words: tuple[str, ...] = (), *, make: type = tuple) -> _Read:
    def read(profile: Profile, value: Any) -> tuple[dict[str, Any], _Fault | None]:
        if not isinstance(value, list | tuple):
            return {}, f"{_shown(value)} is not a list"
        for entry in value:
            if not isinstance(entry, str):
                return {}, f"{_shown(entry)} is not a string"
            if words and entry not in words:
                return {}, f"{_shown(entry)} is not one of {', '.join(words)}"
        return {field: make(value)}, None

    return read


def _merged(field: str, check: Callable[[str, Any], _Fault | None]) -> _Read:
    def read(profile: Profile, value: Any) -> tuple[dict[str, Any], _Fault | None]:
        if not isinstance(value, Mapping):
            return {}, f"{_shown(value)} is not a table"
        merged = dict(getattr(profile, field) or (SPECIFICATION if field == "policy" else {}))
        for key, entry in value.items():
            if entry is False:
                merged.pop(key, None)
            elif (fault := check(key, entry)) is not None:
                return {}, f"{key} {fault}"
            else:
                merged[key] = entry
        return {field: merged}, None

    return read


def _info(profile: Profile, value: Any) -> tuple[dict[str, Any], _Fault | None]:
    if not isinstance(value, Mapping) or not all(
        isinstance(value.get(key), str) for key in ("name", "version")
    ):
        return {}, f"{_shown(value)} is not a table with a name and a version"
    return {"host_info": dict(value)}, None


def _styles(profile: Profile, value: Any) -> tuple[dict[str, Any], _Fault | None]:
    fault = next(_style_faults(value), None)
    if fault is not None:
        return {}, fault
    return {
        "styles": {
            theme: {**profile.styles.get(theme, {}), **value.get(theme, {})}
            for theme in wire.THEMES
        }
    }, None


def _style_faults(value: Any) -> Iterator[_Fault]:
    if not isinstance(value, Mapping):
        yield f"{_shown(value)} is not a table"
        return
    for theme, variables in value.items():
        if theme not in wire.THEMES:
            yield f"{_shown(theme)} is not one of {', '.join(wire.THEMES)}"
        elif not isinstance(variables, Mapping):
            yield f"{theme} is not a table"
        else:
            for name, text in variables.items():
                if name not in wire.STYLE_VARIABLES:
                    yield f"{theme}.{name} is not a standard style variable"
                elif not isinstance(text, str):
                    yield f"{theme}.{name} is not a string"


def _object_fault(key: str, value: Any) -> _Fault | None:
    return None if isinstance(value, Mapping) else "is not a table"


def _context_fault(key: str, value: Any) -> _Fault | None:
    # An official View refuses the whole handshake for a word that it does not know.
    if key in _CONTEXT_ELSEWHERE:
        return f"is written as {_CONTEXT_ELSEWHERE[key]}"
    if key in _CONTEXT_WORDS and value not in _CONTEXT_WORDS[key]:
        return f"{_shown(value)} is not one of {', '.join(_CONTEXT_WORDS[key])}"
    kind, words = _CONTEXT_KINDS.get(key, (object, ""))
    return None if isinstance(value, kind) else f"{_shown(value)} is not {words}"


def _policy_fault(key: str, value: Any) -> _Fault | None:
    return template_fault(value) if isinstance(value, str) else "is not a string"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


_CONTEXT_ELSEWHERE: Final = {
    "displayMode": "display-modes, whose first entry it is",
    "availableDisplayModes": "display-modes",
    "styles": "styles",
    "toolInfo": "tool-info",
}
_CONTEXT_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "theme": wire.THEMES,
    "platform": wire.PLATFORMS,
}
_CONTEXT_KINDS: Final[Mapping[str, tuple[type, str]]] = {
    **dict.fromkeys(("locale", "timeZone", "userAgent"), (str, "a string")),
    **dict.fromkeys(
        ("containerDimensions", "deviceCapabilities", "safeAreaInsets"), (Mapping, "a table")
    ),
}
_BY_KEY: Final = ("capabilities", "context", "policy", "styles")
_CONSENTS: Final = ("link", "message", "download", "sampling", "app-tool")
_FIELDS: Final[Mapping[str, _Read]] = {
    "title": _plain("title", str, "a string"),
    "host-info": _info,
    "capabilities": _merged("capabilities", _object_fault),
    "context": _merged("context", _context_fault),
    "display-modes": _words("display_modes", wire.DISPLAY_MODES),
    "methods": _words("methods", make=frozenset),
    "sends": _words("sends", make=frozenset),
    "permissions": _words("permissions", wire.PERMISSIONS),
    "sandbox": _words("sandbox"),
    "features": _words("features"),
    "start-height": _plain("start_height", int, "a whole number"),
    "denial": _word("denial", "error", "result"),
    "early-requests": _word("early_requests", "refuse", "answer"),
    "consent": _words("consent", _CONSENTS, make=frozenset),
    "refuses": _words(
        "refuses", ("link", "message", "download", "sampling", "mode"), make=frozenset
    ),
    "tool-info": _plain("tool_info", bool, "true or false"),
    "csp-ignored": _words("csp_ignored", wire.CSP_KEYS, make=frozenset),
    "policy": _merged("policy", _policy_fault),
    "styles": _styles,
    "hides-app-tools": _plain("hides_app_tools", bool, "true or false"),
    "honours-border": _plain("honours_border", bool, "true or false"),
    "input-early": _plain("input_early", bool, "true or false"),
    "app-tools": _plain("app_tools", bool, "true or false"),
    "html-bytes": _positive("html_bytes"),
    "read-seconds": _positive("read_seconds"),
    "quirks": _words("quirks", quirk_names()),
}
"""How each key of a table is read."""
