"""What can happen to one mounted View: the inputs of the engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from mcpapps_cli.model import JsonObject

TEARDOWN_SECONDS = 2.0
"""What a View gets to answer `ui/resource-teardown`."""
HURRIED_TEARDOWN_SECONDS = 0.2
"""What it gets before it is loaded anew, when it did not answer the last one."""


@dataclass(frozen=True, slots=True)
class ViewMessage:
    """Something the frame posted: the proxy's `sandbox-proxy-ready` or a message of the View."""

    message: Any


@dataclass(frozen=True, slots=True)
class ToolInputPartial:
    """The model has written a part of the arguments."""

    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class ToolInput:
    """The arguments are complete."""

    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The server answered the call that created this View; `result` is the raw CallToolResult."""

    result: JsonObject


@dataclass(frozen=True, slots=True)
class ToolCancelled:
    """The call that created this View ended without a result (cancelled or failed)."""

    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ServerReply:
    """The answer to the effect `CallServer` with the same `request` number.

    Exactly one of `result` and `error` is set; `error` is `{code, message, data?}` as received.
    """

    request: int
    result: JsonObject | None = None
    error: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class ServerProgress:
    """`notifications/progress` for the effect `CallServer` with the same `request` number."""

    request: int
    params: JsonObject


@dataclass(frozen=True, slots=True)
class ServerNotification:
    """A notification of the server that belongs to no request, such as `list_changed`."""

    method: str
    params: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolsListed:
    """The server's tools were listed again; a mounted View may call these from now on."""

    tools: tuple[JsonObject, ...]


@dataclass(frozen=True, slots=True)
class ServerGone:
    """The server ended; open requests will get no answer."""

    reason: str


@dataclass(frozen=True, slots=True)
class TimerFired:
    """The timer that the effect `StartTimer` started ran out."""

    name: str


@dataclass(frozen=True, slots=True)
class ContextChange:
    """The host's context changed; whole top-level keys replace the old ones."""

    context: JsonObject


@dataclass(frozen=True, slots=True)
class UserAnswer:
    """The answer to the effect `AskUser` with the same `request` number."""

    request: int
    allowed: bool
    result: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """What the diagnostics probe in the View's document, or the sandbox page, observed.

    `loaded`: the document finished loading. `error`: an uncaught script error or rejection.
    `console`: a console line. `painted`: something visible. `listener`: a message listener was
    added. `storage`: storage was refused. `network`: a request failed though the policy allowed
    it.

    Attributes:
        kind: See above.
        detail: Any of these keys, all optional. `document`: names the document, so that a View
            that navigates or reloads itself is noticed. `error`, `storage`: `message`, `line`,
            `column`, `source`, `stack`; `api` for `storage`. `console`: `level`, `text`. `painted`:
            `result`, false when the result was not delivered yet; only what is visible after it
            counts, so it is to be looked at again then. `loaded`: `by`, which is `sandbox` for the
            frame's load event.
            `listener`: nothing when a listener was added; `{method, present}` when a message of
            that method was delivered, `present` telling whether the View had a listener then.
            `network`: `url`, and `cors`: true when an answer came but lacked the permission,
            false when none came, absent when the request was not repeated to find out, because
            only what is declared may be asked again.
    """

    kind: Literal["loaded", "error", "console", "painted", "listener", "storage", "network"]
    detail: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Violation:
    """A Content-Security-Policy report of the View's document."""

    directive: str
    blocked: str
    line: int | None = None
    column: int | None = None
    source: str | None = None
    sample: str | None = None


@dataclass(frozen=True, slots=True)
class CloseRequested:
    """The host wants to unmount the View, and waits `patience` seconds for its answer."""

    reason: str
    patience: float = TEARDOWN_SECONDS


@dataclass(frozen=True, slots=True)
class PingRequested:
    """The View is to be asked whether it lives; before the handshake is done it is not."""


@dataclass(frozen=True, slots=True)
class ListAppTools:
    """The host wants the tools that the View itself provides; the effect `AppTools` follows."""


@dataclass(frozen=True, slots=True)
class CallAppTool:
    """The host calls a tool of the View; `AppToolResult` with the same `call` follows."""

    call: int
    name: str
    arguments: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CancelAppTool:
    """The host gives up the call with that number."""

    call: int
    reason: str | None = None


Event = (
    ViewMessage
    | ToolInputPartial
    | ToolInput
    | ToolResult
    | ToolCancelled
    | ServerReply
    | ServerProgress
    | ServerNotification
    | ToolsListed
    | ServerGone
    | TimerFired
    | ContextChange
    | UserAnswer
    | ProbeReport
    | Violation
    | CloseRequested
    | PingRequested
    | ListAppTools
    | CallAppTool
    | CancelAppTool
)
