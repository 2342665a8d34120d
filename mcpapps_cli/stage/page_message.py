"""What the host page says over its WebSocket: JSON objects with a `type`.

The page's own description is `inspector/protocol.js`; what it hears is in `host_message`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from mcpapps_cli.host.event import ProbeReport
from mcpapps_cli.model import JsonObject
from mcpapps_cli.stage.emulation import OriginKind, Setting

PROBE_KINDS = frozenset({"loaded", "error", "console", "painted", "listener", "storage", "network"})


@dataclass(frozen=True, slots=True)
class Call:
    """`call`: the user calls a tool.

    Attributes:
        tool: Its name.
        arguments: Its arguments; those of the first part when the call is held.
        context: The host context that the page can offer.
        server: Name of the tool's server; None when the name alone has to do.
        hold: Whether the View is mounted while its arguments are still being written.
    """

    tool: str
    arguments: JsonObject
    context: JsonObject
    server: str | None = None
    hold: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """`write`: more of the arguments of a held call, or all of them when `complete`."""

    view: str
    arguments: JsonObject
    complete: bool


@dataclass(frozen=True, slots=True)
class AppToolCall:
    """`call-app-tool`: a call of a tool that the View provides; `call` comes back with it."""

    view: str
    call: int
    name: str
    arguments: JsonObject


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
class HostSet:
    """`host`: another host is to be emulated; every View is mounted anew under it."""

    setting: Setting


@dataclass(frozen=True, slots=True)
class Button:
    """`cancel`, `call-again`, `teardown`, `reload` or `close`: a button of one View."""

    action: Literal["cancel", "call-again", "teardown", "reload", "close"]
    view: str


FromPage = (
    Call
    | Written
    | AppToolCall
    | Posted
    | Dropped
    | Probed
    | Answered
    | ContextSet
    | HostSet
    | Button
)


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
            arguments, context = fields.object("arguments"), fields.object("context")
            server, hold = fields.optional_text("server"), data.get("hold") is True
            return Call(fields.text("tool"), arguments, context, server, hold)
        case "write":
            complete = data.get("complete") is True
            return Written(fields.text("view"), fields.object("arguments"), complete)
        case "call-app-tool":
            name, arguments = fields.text("name"), fields.object("arguments")
            return AppToolCall(fields.text("view"), fields.number("call"), name, arguments)
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
            return ContextSet(fields.optional_text("view"), fields.object("changes"))
        case "host":
            return HostSet(_setting(fields))
        case "cancel" | "call-again" | "teardown" | "reload" | "close":
            return Button(kind, fields.text("view"))
        case _:
            raise ValueError(f'unknown type "{kind}"')


def _report(fields: _Fields) -> ProbeReport:
    kind = fields.text("kind")
    if kind not in PROBE_KINDS:
        raise ValueError(f'unknown probe report "{kind}"')
    return ProbeReport(cast(Any, kind), fields.object("detail"))


def _setting(fields: _Fields) -> Setting:
    origin = fields.text("origin")
    if origin not in get_args(OriginKind):
        raise ValueError(f'unknown origin "{origin}"')
    return Setting(
        profile=fields.text("profile"),
        quirks=fields.texts("quirks"),
        faults=fields.texts("faults"),
        origin=cast(Any, origin),
    )


class _Fields:
    """Typed access to one message."""

    def __init__(self, data: dict[str, Any]):
        self._data = data

    def text(self, name: str) -> str:
        value = self._data.get(name)
        if not isinstance(value, str):
            raise ValueError(f'"{name}" is not a string')
        return value

    def optional_text(self, name: str) -> str | None:
        return None if self._data.get(name) is None else self.text(name)

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._data.get(name)
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            raise ValueError(f'"{name}" is not a list of strings')
        return tuple(value)

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
