"""What is wrong with a View that was mounted: one line for each thing, and which are allowed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, Literal, get_args

from mcpapps_cli.errors import UserError

if TYPE_CHECKING:
    from mcpapps_cli.testing.witness import Witness

FaultKind = Literal["violation", "script-error", "fault", "ladder", "size", "tool-error"]
"""`violation` of its policy; `script-error` that nobody caught; `fault` against the specification;
`ladder` broken before something was painted; `size` that overflows or was never reported;
`tool-error`, a result with `isError`."""
KINDS: Final[tuple[FaultKind, ...]] = get_args(FaultKind)
_HARMLESS: Final = ("eval", "wasm-eval")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong.

    Attributes:
        kind: See `FaultKind`.
        text: What, in one line.
        help: What to do; None where that depends.
    """

    kind: FaultKind
    text: str
    help: str | None = None

    def __str__(self) -> str:
        """Return all of it in one line."""
        return f"{self.kind}: {self.text}" + (f" ({self.help})" if self.help else "")


class ViewFault(AssertionError):
    """A View did something wrong that the test does not allow.

    Attributes:
        faults: What.
    """

    def __init__(self, message: str, faults: Sequence[Fault] = ()):
        super().__init__(message)
        self.faults = tuple(faults)


class Allowance:
    """What a test lets pass.

    Args:
        entries: Kinds, such as `violation`; `violation: fonts.example.com` is only for those
            whose text holds what stands after the colon.

    Raises:
        UserError: an entry names no kind.
    """

    def __init__(self, entries: Iterable[str] = ()):
        self._entries: list[tuple[str, str]] = []
        if isinstance(entries, str):
            entries = (entries,)
        for entry in entries:
            kind, _, part = entry.partition(":")
            if kind.strip() not in KINDS:
                close = get_close_matches(kind, KINDS, 1)
                known = f'did you mean "{close[0]}"?' if close else f"use {', '.join(KINDS)}"
                raise UserError(f'"{kind}" cannot be allowed', help=known)
            self._entries.append((kind.strip(), part.strip()))

    def __add__(self, other: Allowance) -> Allowance:
        """Return what lets pass what either does."""
        both = Allowance()
        both._entries = [*self._entries, *other._entries]
        return both

    def left(self, faults: Iterable[Fault]) -> tuple[Fault, ...]:
        """Return the faults that are not let pass."""
        return tuple(
            fault
            for fault in faults
            if not any(kind == fault.kind and part in fault.text for kind, part in self._entries)
        )


def faults_of(seen: Witness) -> Iterator[Fault]:
    """Yield what is wrong with a View, each thing once, the cause before its effect."""
    from mcpapps_cli.host.event import Violation
    from mcpapps_cli.stage.report import remedy

    for violation in dict.fromkeys(seen.violations):
        if violation.blocked in _HARMLESS:
            # Libraries such as Zod try it once and carry on without.
            continue
        line = f" at line {violation.line}" if violation.line else ""
        key, origin = remedy(Violation(violation.directive, violation.blocked))
        declare = f'declare {key} = ["{origin}"]' if key else None
        what = violation.blocked or "something"
        yield Fault("violation", f"{violation.directive} blocked {what}{line}", declare)
    for note in seen.notes:
        if note.kind == "script-error":
            yield Fault("script-error", note.text.removeprefix("script error: "))
        elif note.kind == "fault" and note.level != "info":
            yield Fault("fault", note.text)
    for step in seen.steps.values():
        if step.state == "broken":
            why = step.cause or "no reason is known"
            rule = f"see `mcpapps explain {step.rule}`" if step.rule else None
            yield Fault("ladder", f'broken at "{step.step}": {why}{_detail(step.detail)}', rule)


def _detail(detail: object) -> str:
    if not isinstance(detail, dict) or not detail:
        return ""
    shown = ", ".join(f"{key} {value}" for key, value in detail.items() if value is not None)
    return f" ({shown[:300]})"
