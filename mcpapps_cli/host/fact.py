"""A profile as a list to be shown: every value, what is known of it, and where from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from mcpapps_cli.host.profiles import DEFAULT, Profile, Source, load_profile

_DESCRIPTION: Final = ("name", "title", "source", "sources", "unknown")
_BY_KEY: Final = ("capabilities", "context", "policy")


@dataclass(frozen=True, slots=True)
class Fact:
    """One value of a profile.

    Attributes:
        name: Dotted, such as `context.locale`.
        value: A JSON value; None also for what is unknown and has no default of ours.
        source: Where it comes from; None when nobody knows, and `value` is the specification's.
        differs: Whether it is another one than that of the profile `spec`.
    """

    name: str
    value: Any
    source: Source | None
    differs: bool


def profile_facts(profile: Profile) -> tuple[Fact, ...]:
    """Return every value of a profile, also those that only are known to be unknown."""
    spec = load_profile(DEFAULT)
    known = dict(_values(profile))
    usual = dict(_values(spec))
    missing = {name: None for name in sorted(profile.unknown) if name not in known}
    return tuple(
        Fact(name, value, profile.source_of(name), value != usual.get(name))
        for name, value in {**known, **missing}.items()
    )


def _values(profile: Profile) -> Iterator[tuple[str, Any]]:
    for field in fields(profile):
        value = getattr(profile, field.name)
        if field.name in _DESCRIPTION:
            continue
        if field.name in _BY_KEY and isinstance(value, Mapping):
            yield from ((f"{field.name}.{key}", _json(entry)) for key, entry in value.items())
        elif field.name == "styles":
            for theme, variables in value.items():
                yield f"styles.{theme}", _json(variables)
        else:
            yield field.name, _json(value)


def _json(value: Any) -> Any:
    match value:
        case frozenset():
            return sorted(value)
        case tuple() | list():
            return [_json(entry) for entry in value]
        case Mapping():
            return {key: _json(entry) for key, entry in value.items()}
        case _:
            return value
