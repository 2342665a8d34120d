"""What the host page says over its WebSocket: JSON objects with a `type`.

The page's own description is `inspector/protocol.js`; what it hears is in `host_message`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, cast

from mcpapps_cli.host.event import ProbeReport
from mcpapps_cli.model import JsonObject

PROBE_KINDS = frozenset({"loaded", "error", "console", "painted", "listener", "storage", "network"})


@dataclass(frozen=True, slots=True)
class Call:
    """`call`: the user calls a tool; `context` is the host context the page can offer."""

    tool: str
    arguments: JsonObject
    context: JsonObject


@dataclass(frozen=True, slots=True)
class Posted:
    """`posted`: the frame posted a message; `frame` tells mounts of one View apart."""

    view: str
    frame: int
    message: Any


@dataclass(frozen=True, slots=True)
class Dropped:
    """`dropped`: the page let `count` messages of the frame go, and why."""

    view: str
    frame: int
    count: int
    reason: str


@dataclass(frozen=True, slots=True)
class Probed:
    """`probe`: the diagnostics probe or the proxy page reported something."""

    view: str
    frame: int
    report: ProbeReport


@dataclass(frozen=True, slots=True)
class Answered:
    """`answer`: the user's answer to `ask`."""

    view: str
    request: int
    allowed: bool
    result: JsonObject | None


@dataclass(frozen=True, slots=True)
class ContextSet:
    """`context`: whole top-level keys of the host context changed, for one View or for all."""

    view: str | None
    changes: JsonObject


@dataclass(frozen=True, slots=True)
class ProfileSet:
    """`profile`: another host profile; every View is mounted anew under it."""

    name: str


@dataclass(frozen=True, slots=True)
class Button:
    """`cancel`, `teardown`, `reload` or `close`: a button of one View."""

    action: Literal["cancel", "teardown", "reload", "close"]
    view: str


FromPage = Call | Posted | Dropped | Probed | Answered | ContextSet | ProfileSet | Button


def read_message(text: str) -> FromPage:
    """Return what the page said.

    Raises:
        ValueError: it is not one of the messages above.
    """
    try:
        data = json.loads(text)
    except RecursionError as exc:
        raise ValueError("nested too deeply") from exc
    if not isinstance(data, dict):
        raise ValueError("not an object")
    fields = _Fields(data)
    match kind := data.get("type"):
        case "call":
            return Call(fields.text("tool"), fields.object("arguments"), fields.object("context"))
        case "posted":
            return Posted(fields.text("view"), fields.number("frame"), data.get("message"))
        case "dropped":
            count, reason = fields.number("count"), fields.text("reason")
            return Dropped(fields.text("view"), fields.number("frame"), count, reason)
        case "probe":
            return Probed(fields.text("view"), fields.number("frame"), _report(fields))
        case "answer":
            result = fields.object("result") if data.get("result") is not None else None
            allowed = data.get("allowed") is True
            return Answered(fields.text("view"), fields.number("request"), allowed, result)
        case "context":
            view = fields.text("view") if data.get("view") is not None else None
            return ContextSet(view, fields.object("changes"))
        case "profile":
            return ProfileSet(fields.text("name"))
        case "cancel" | "teardown" | "reload" | "close":
            return Button(kind, fields.text("view"))
        case _:
            raise ValueError(f'unknown type "{kind}"')


def _report(fields: _Fields) -> ProbeReport:
    kind = fields.text("kind")
    if kind not in PROBE_KINDS:
        raise ValueError(f'unknown probe report "{kind}"')
    return ProbeReport(cast(Any, kind), fields.object("detail"))


class _Fields:
    """Typed access to one message."""

    def __init__(self, data: dict[str, Any]):
        self._data = data

    def text(self, name: str) -> str:
        value = self._data.get(name)
        if not isinstance(value, str):
            raise ValueError(f'"{name}" is not a string')
        return value

    def number(self, name: str) -> int:
        value = self._data.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(f'"{name}" is not an integer')
        return value

    def object(self, name: str) -> dict[str, Any]:
        value = self._data.get(name)
        if not isinstance(value, dict):
            raise ValueError(f'"{name}" is not an object')
        return value
