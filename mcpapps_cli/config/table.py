"""Reading of one TOML table that collects every fault instead of stopping at the first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

T = TypeVar("T")


class Table:
    """A TOML table, its dotted name and the list that its faults go to."""

    def __init__(self, values: Any, name: str, faults: list[str], *, known: Iterable[str]):
        self.name = name
        self.faults = faults
        self.values: Mapping[str, Any] = values if isinstance(values, Mapping) else {}
        if not isinstance(values, Mapping):
            faults.append(f"[{name}] is not a table")
        keys = tuple(known)
        for key in self.values:
            if keys and key not in keys:
                close = get_close_matches(key, keys, 1)
                faults.append(f"[{name}] {key}: unknown key{_hint(close)}")

    def get(self, key: str, kind: type[T], default: T) -> T:
        """Return the value when it has the type `kind`, else `default` (and note a fault)."""
        value = self.values.get(key, default)
        # bool is a subclass of int; TOML keeps them apart, so do we.
        if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
            return value
        if key in self.values:
            self.fault(key, f"{value!r} is not {_KINDS.get(kind, kind.__name__)}")
        return default

    def optional(self, key: str, kind: type[T]) -> T | None:
        """Return the value, or None when the key is absent or of another type (a fault)."""
        if key not in self.values:
            return None
        value = self.values[key]
        if isinstance(value, kind):
            return value
        self.fault(key, f"{value!r} is not {_KINDS.get(kind, kind.__name__)}")
        return None

    def strings(self, key: str) -> tuple[str, ...]:
        """Return a list of strings as a tuple; anything else in it is a fault."""
        values = self.get(key, list, [])
        wrong = [value for value in values if not isinstance(value, str)]
        for value in wrong:
            self.fault(key, f"{value!r} is not a string")
        return tuple(value for value in values if isinstance(value, str))

    def string_table(self, key: str) -> dict[str, str]:
        """Return a table of strings; numbers and booleans in it are faults."""
        found: dict[str, str] = {}
        for name, value in self.get(key, dict, {}).items():
            if isinstance(value, str):
                found[name] = value
            else:
                self.fault(f"{key}.{name}", f"{value!r} is not a string")
        return found

    def fault(self, key: str, text: str) -> None:
        """Note a fault of one key."""
        self.faults.append(f"[{self.name}] {key}: {text}")


_KINDS: dict[type, str] = {
    str: "a string",
    bool: "true or false",
    list: "a list",
    dict: "a table",
    int: "a whole number",
}


def _hint(close: list[str]) -> str:
    return f', did you mean "{close[0]}"?' if close else ""
