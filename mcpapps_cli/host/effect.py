"""What the engine wants done: its outputs, carried out by a driver in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from mcpapps_cli.model import JsonObject

StepName = Literal[
    "server",
    "tool",
    "resource",
    "mime",
    "html",
    "frame",
    "initialize",
    "initialized",
    "input",
    "result",
    "painted",
]
STEPS: tuple[StepName, ...] = StepName.__args__  # type: ignore[attr-defined]
StepState = Literal["ok", "broken", "unknown"]
NoteKind = Literal["host", "console", "script-error", "storage", "network", "fault"]
"""What a note is about: the host itself, a console or log line of the View, what the probe caught,
or something that the specification forbids a View."""


@dataclass(frozen=True, slots=True)
class Mount:
    """Create the frame; the View's HTML follows by `Send` once the proxy is ready.

    Attributes:
        policy: Text of the Content-Security-Policy header of the proxy page.
        allow: The `allow` attribute of both frames; may be empty.
        sandbox: The inner frame's `sandbox` tokens.
        border: Whether to draw a border; None when the View does not say.
    """

    policy: str
    allow: str
    sandbox: str
    border: bool | None


@dataclass(frozen=True, slots=True)
class Send:
    """Post `message` (a JSON-RPC object) into the frame."""

    message: JsonObject


@dataclass(frozen=True, slots=True)
class Reveal:
    """Make the frame visible: the handshake is complete."""


@dataclass(frozen=True, slots=True)
class Resize:
    """Give the frame a new size in CSS pixels; None leaves an axis alone."""

    width: int | None
    height: int | None


@dataclass(frozen=True, slots=True)
class SetMode:
    """Show the View in another display mode."""

    mode: str


@dataclass(frozen=True, slots=True)
class Unmount:
    """Remove the frame; nothing follows.

    `silent` tells that the View was asked to go and did not answer in time.
    """

    reason: str
    silent: bool = False


@dataclass(frozen=True, slots=True)
class CallServer:
    """Send a request to the server; answer with `ServerReply` of the same number."""

    request: int
    method: str
    params: JsonObject


@dataclass(frozen=True, slots=True)
class CancelServer:
    """Cancel the server request with that number; no reply is expected any more."""

    request: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class AskUser:
    """Ask the user; answer with `UserAnswer` of the same number.

    `kind` is `link`, `message`, `download` or `sampling`, and `detail` the View's params; or
    `app-tool`, a call of one of the View's own tools, and `detail` its `name` and `arguments`.
    """

    request: int
    kind: Literal["link", "message", "download", "sampling", "app-tool"]
    detail: JsonObject


@dataclass(frozen=True, slots=True)
class ModelContext:
    """The View replaced what the model is told in future turns."""

    params: JsonObject


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """The View added a message to the conversation."""

    params: JsonObject


@dataclass(frozen=True, slots=True)
class AppTools:
    """The View's own tools changed to these raw entries; none when its document is gone."""

    tools: tuple[JsonObject, ...]


@dataclass(frozen=True, slots=True)
class AppToolResult:
    """The answer to the event `CallAppTool` with the same number.

    Exactly one of `result` and `error` is set; `error` is `{code, message, data?}`.
    """

    call: int
    result: JsonObject | None = None
    error: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """Something worth showing that is no step: a refused call, an unknown method, a log line."""

    level: Literal["info", "warning", "error"]
    text: str
    detail: Any = None
    kind: NoteKind = "host"


@dataclass(frozen=True, slots=True)
class Step:
    """A rung of the ladder reached a state; `cause` and `rule` explain `broken`.

    A later `Step` of the same name replaces the earlier one: something late mends a rung that was
    broken by its deadline, and evidence breaks one that was thought to be well.

    Attributes:
        step: The rung.
        state: Its state from now on.
        cause: Slug of `ladder.CAUSES`; None unless broken or unknown.
        rule: The lint rule that explains the cause; None when no rule does.
        detail: What was seen: the script error with its line, the path of a rejected parameter.
    """

    step: StepName
    state: StepState
    cause: str | None = None
    rule: str | None = None
    detail: Any = None


@dataclass(frozen=True, slots=True)
class StartTimer:
    """Start or restart a timer; fire `TimerFired(name)` once after `seconds`."""

    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class StopTimer:
    """Stop a timer; a stopped timer never fires."""

    name: str


Effect = (
    Mount
    | Send
    | Reveal
    | Resize
    | SetMode
    | Unmount
    | CallServer
    | CancelServer
    | AskUser
    | ModelContext
    | ChatMessage
    | AppTools
    | AppToolResult
    | Note
    | Step
    | StartTimer
    | StopTimer
)
