"""What a stage tells the program around it: steps, violations, messages, notes, paint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from mcpapps_cli.host.effect import NoteKind, StepName, StepState

Direction = Literal["view-to-host", "host-to-view"]


@dataclass(frozen=True, slots=True)
class StepEvent:
    """A rung of a View's ladder reached a state; `host.effect.Step` says what the fields mean."""

    view: str
    tool: str
    step: StepName
    state: StepState
    cause: str | None = None
    rule: str | None = None
    detail: Any = None


@dataclass(frozen=True, slots=True)
class ViolationEvent:
    """The browser refused something under the View's policy.

    Attributes:
        view: The View's number in this stage, such as `v1`.
        tool: The tool whose call mounted it.
        directive: The effective directive, such as `connect-src`.
        blocked: The URL, or a word such as `inline` or `eval`.
        line: 1-based line in the View's document, or None.
    """

    view: str
    tool: str
    directive: str
    blocked: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class MessageEvent:
    """One JSON-RPC message crossed between a View and its host."""

    view: str
    tool: str
    direction: Direction
    message: Any


@dataclass(frozen=True, slots=True)
class NoteEvent:
    """Something worth showing that is no step, such as a refused call or a console line."""

    view: str | None
    tool: str | None
    level: Literal["info", "warning", "error"]
    text: str
    kind: NoteKind = "host"


@dataclass(frozen=True, slots=True)
class PaintEvent:
    """Something of a View can be seen.

    Attributes:
        view: The View's number in this stage, such as `v1`.
        tool: The tool whose call mounted it.
        result: Whether the View had its result by then.
    """

    view: str
    tool: str
    result: bool


StageEvent = StepEvent | ViolationEvent | MessageEvent | NoteEvent | PaintEvent
