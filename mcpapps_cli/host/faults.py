"""Faults that a driver injects: what goes wrong between host, server and user on demand."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from mcpapps_cli import wire
from mcpapps_cli.errors import UserError
from mcpapps_cli.host.profiles import Profile, Refusal
from mcpapps_cli.model import JsonObject

Origin = Literal["host", "view"]
"""Who makes a request: the host for the call that mounts a View, or the View itself."""
Outcome = Literal["ask", "result", "error", "lost", "gone", "cancelled", "closed"]

SLOW_SECONDS: Final = 5.0
"""How long `slow-tool` takes without a number of its own."""
_SECONDS_MAX: Final = 3600.0

FAULTS: Final[dict[str, str]] = {
    "slow-tool": "a tool answers after 5 s, or after N with slow-tool=N",
    "error-result": "a tool answers with isError",
    "cancel": "the call that mounts the View is cancelled",
    "teardown": "the View is torn down while its call runs",
    "permission-refused": "no permission is granted",
    "link-refused": "links are declined",
    "message-refused": "messages are declined",
    "mode-refused": "display modes are declined",
    "reply-lost": "requests of the View are never answered",
    "server-gone": "the server ends during a call",
    "read-failing": "resources/read answers with an error",
    "session-per-call": "every tool call is made in a session of its own",
}
"""Name to what goes wrong."""
_REFUSED: Final[dict[str, Refusal]] = {
    "link-refused": "link",
    "message-refused": "message",
    "mode-refused": "mode",
}


@dataclass(frozen=True, slots=True)
class Treatment:
    """What a driver does with one request.

    Attributes:
        seconds: Wait as long before anything else.
        outcome: `ask`: make the request. `result`, `error`: answer with the field of that name
            and ask nobody. `lost`: make the request and drop the answer. `gone`, `cancelled`,
            `closed`: feed `ServerGone`, `ToolCancelled` or `CloseRequested` with `reason` instead
            of an answer; for the first, later requests fail too.
        result: A result.
        error: `{code, message}`.
        reason: For the events.
        new_session: Whether the request gets a session of its own.
    """

    seconds: float = 0.0
    outcome: Outcome = "ask"
    result: JsonObject | None = None
    error: JsonObject | None = None
    reason: str = ""
    new_session: bool = False


class Faults:
    """The faults that are switched on.

    Args:
        names: Keys of `FAULTS`; `slow-tool` may have a number of seconds, as in `slow-tool=2`.

    Raises:
        UserError: a name is unknown, `help` names the closest one; or a number is none.
    """

    def __init__(self, names: Iterable[str] = ()):
        self.active: dict[str, float] = dict(_read(name) for name in names)

    def profile(self, profile: Profile) -> Profile:
        """Return the host with what it refuses."""
        refused = {kind for name, kind in _REFUSED.items() if name in self.active}
        permissions = () if "permission-refused" in self.active else profile.permissions
        return replace(profile, refuses=profile.refuses | refused, permissions=permissions)

    def treat(self, method: str, *, origin: Origin) -> Treatment:
        """Return what happens to a request.

        Args:
            method: The request's method.
            origin: Who makes it.
        """
        if method == wire.RESOURCES_READ and "read-failing" in self.active:
            error = {"code": wire.INTERNAL_ERROR, "message": "injected: the read failed"}
            return Treatment(outcome="error", error=error)
        if method != wire.TOOLS_CALL:
            lost = origin == "view" and "reply-lost" in self.active
            return Treatment(outcome="lost" if lost else "ask")
        treatment = Treatment(
            seconds=self.active.get("slow-tool", 0.0),
            new_session="session-per-call" in self.active,
        )
        return replace(treatment, **self._call(origin))

    def _call(self, origin: Origin) -> dict[str, Any]:
        if "server-gone" in self.active:
            return {"outcome": "gone", "reason": "injected: the server ended"}
        if origin == "host" and "cancel" in self.active:
            return {"outcome": "cancelled", "reason": "injected: the call was cancelled"}
        if origin == "host" and "teardown" in self.active:
            return {"outcome": "closed", "reason": "injected: the host took the View away"}
        if origin == "view" and "reply-lost" in self.active:
            return {"outcome": "lost"}
        if "error-result" in self.active:
            content = [{"type": "text", "text": "injected: the tool failed"}]
            return {"outcome": "result", "result": {"content": content, "isError": True}}
        return {}


def _read(text: str) -> tuple[str, float]:
    name, equals, number = text.partition("=")
    if name not in FAULTS:
        close = difflib.get_close_matches(name, FAULTS, n=1)
        raise UserError(
            f'there is no fault "{name}"',
            help=f'did you mean "{close[0]}"?' if close else f"use one of {', '.join(FAULTS)}",
        )
    if not equals:
        return name, SLOW_SECONDS if name == "slow-tool" else 0.0
    if name != "slow-tool":
        raise UserError(f'the fault "{name}" takes no number', help=f'write "{name}"')
    try:
        seconds = float(number)
    except ValueError:
        seconds = -1.0
    # The comparison also refuses NaN.
    if not 0 <= seconds <= _SECONDS_MAX:
        raise UserError(
            f'"{number}" is no number of seconds', help="write slow-tool=2, or slow-tool=0.5"
        )
    return name, seconds
