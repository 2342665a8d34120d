"""What may be wrong with somebody's `_meta`, each fault with its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

ProblemKind = Literal["shape", "unknown-key", "alias", "misplaced", "conflict", "value"]
"""What is wrong: a JSON type, a key nobody reads, a misspelt key, a key at the wrong level,
two keys that disagree, or a value outside its set."""
Placement = Literal["entry", "listing"]
"""Which argument of `apps_metadata` something came from: the first, or `listing`."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing about the metadata that a host may not understand.

    Attributes:
        pointer: JSON Pointer from the entry, such as `/_meta/ui/visibility`.
        message: What is wrong, lower case, no full stop.
        kind: The sort of fault.
        placement: Which of the two arguments of `apps_metadata` the pointer starts from.
    """

    pointer: str
    message: str
    kind: ProblemKind = "shape"
    placement: Placement = "entry"


class Problems(list[Problem]):
    """The problems met so far, and which of the two arguments is being read."""

    placement: Placement = "entry"

    def note(self, pointer: str, message: str, kind: ProblemKind = "shape") -> None:
        """Add a problem."""
        self.append(Problem(pointer, message, kind, self.placement))

    def wrong_type(self, pointer: str, value: object, wanted: str) -> None:
        """Add that a value has another JSON type than it should."""
        self.note(pointer, f"must be {wanted}, not {json_type(value)}")


def pointer_to(at: str, key: object) -> str:
    """Return the JSON Pointer of a member of the object at `at`."""
    escaped = printable(key).replace("~", "~0").replace("/", "~1")
    return f"{at}/{escaped}"


def shown(value: object) -> str:
    """Return a value as a message shows it: printable, at most 80 characters."""
    text = printable(value)
    return text if len(text) <= 80 else f"{text[:79]}…"


def printable(value: object) -> str:
    """Return a string that every terminal can print."""
    # Only strings are shown: the text of anything else may be endless, or fail to be made.
    if not isinstance(value, str):
        return f"<{json_type(value)}>"
    # JSON may carry half a surrogate pair, which no terminal can print.
    return value.encode("utf-8", "backslashreplace").decode("utf-8")


def json_type(value: object) -> str:
    """Return the name of a value's JSON type, with its article."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case Mapping():
            return "an object"
        case list() | tuple():
            return "an array"
        case _:
            return type(value).__name__
