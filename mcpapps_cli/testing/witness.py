"""What one View and its host said to each other, noted in one thread and read in another."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mcpapps_cli import wire
from mcpapps_cli.model import JsonObject
from mcpapps_cli.stage.event import (
    MessageEvent,
    NoteEvent,
    StageEvent,
    StepEvent,
    ViolationEvent,
)


@dataclass(frozen=True, slots=True)
class Request:
    """A request of the View, or a notification, with what came of it.

    Attributes:
        method: Such as `tools/call`.
        params: As the View sent them.
        result: The host's answer; None for an error, a notification, or while it is open.
        error: The host's error; None for anything else.
    """

    method: str
    params: JsonObject
    result: JsonObject | None = None
    error: JsonObject | None = None

    @property
    def granted(self) -> bool:
        """Whether the host did what was asked."""
        return self.result is not None and self.result.get("isError") is not True


class Witness:
    """Takes the events of one View.

    Attributes:
        view: Its name in the stage, once it has one.
        steps: The newest event of every rung, in the order of the ladder.
        timeline: Every message, with whether it is the View's.
        violations: What its policy blocked.
        notes: Console lines, script errors, faults and whatever else is worth a line.
    """

    def __init__(self) -> None:
        self.view = ""
        self.steps: dict[str, StepEvent] = {}
        self.timeline: list[tuple[bool, Any]] = []
        self.violations: list[ViolationEvent] = []
        self.notes: list[NoteEvent] = []
        self._changed = threading.Condition()

    def take(self, event: StageEvent) -> None:
        """Note one event."""
        with self._changed:
            self.view = event.view or self.view
            match event:
                case StepEvent():
                    self.steps[event.step] = event
                case ViolationEvent():
                    self.violations.append(event)
                case NoteEvent():
                    self.notes.append(event)
                case MessageEvent():
                    self.timeline.append((event.direction == "view-to-host", event.message))
            self._changed.notify_all()

    def wait(self, enough: Callable[[], bool], seconds: float) -> bool:
        """Wait until something holds; return whether it does."""
        with self._changed:
            return self._changed.wait_for(enough, seconds)

    def wait_quiet(self, quiet: float, seconds: float) -> None:
        """Wait until nothing has happened for some time, or all of the seconds are over."""
        end = time.monotonic() + seconds
        with self._changed:
            while (left := end - time.monotonic()) > 0:
                if not self._changed.wait(min(quiet, left)):
                    return

    @property
    def sent(self) -> tuple[Any, ...]:
        """Every message that the View posted."""
        return tuple(message for from_view, message in tuple(self.timeline) if from_view)

    @property
    def received(self) -> tuple[JsonObject, ...]:
        """Every message that the View got."""
        return tuple(message for from_view, message in tuple(self.timeline) if not from_view)

    def reached(self, step: str) -> bool:
        """Whether a rung is reached."""
        return step in self.steps and self.steps[step].state == "ok"

    def stuck(self) -> bool:
        """Whether a rung is broken."""
        return any(step.state == "broken" for step in self.steps.values())

    def requests(self) -> tuple[Request, ...]:
        """Return every request and notification of the View, in order."""
        found: list[Request] = []
        # A View that is loaded anew begins to count again, so an id means the newest request.
        open_: dict[int | str, int] = {}
        for from_view, message in tuple(self.timeline):
            if not isinstance(message, Mapping):
                continue
            method, params, id_ = message.get("method"), message.get("params"), message.get("id")
            if from_view and isinstance(method, str):
                if not method.startswith(wire.SANDBOX_PREFIX):
                    if isinstance(id_, int | str):
                        open_[id_] = len(found)
                    found.append(Request(method, params if isinstance(params, Mapping) else {}))
            elif not from_view and method is None and id_ in open_:
                at = open_.pop(id_)
                result, error = message.get("result"), message.get("error")
                found[at] = replace(found[at], result=result, error=error)
        return tuple(found)

    def context(self) -> dict[str, Any]:
        """Return the host context as the View has it now; empty before the handshake."""
        context: dict[str, Any] = {}
        for message in self.received:
            result = message.get("result")
            if isinstance(result, Mapping) and isinstance(result.get("hostContext"), Mapping):
                context = dict(result["hostContext"])
            elif message.get("method") == wire.UI_HOST_CONTEXT_CHANGED:
                context.update(message.get("params", {}))
        return context
