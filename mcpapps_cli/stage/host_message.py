"""What the host page hears over its WebSocket: JSON objects with a `type`.

The page's own description is `inspector/protocol.js`; what it says is in `page_message`.
"""

from __future__ import annotations

import json
from typing import Any, Literal, NotRequired, TypedDict

from mcpapps_cli.model import JsonObject


class ToolEntry(TypedDict):
    """A tool as the page lists it; `server` is the name of its server."""

    name: str
    server: str
    title: str | None
    description: str | None
    inputSchema: Any
    view: str | None
    visibility: list[str]


class ServerEntry(TypedDict):
    """The server as the page shows it."""

    name: str
    label: str
    era: str
    protocolVersion: str
    generation: int


class HostEntry(TypedDict):
    """The emulated host: what was chosen, and what comes of it.

    `context` is what the host itself says of its context, `styles` its variables by theme,
    `unknown` the dotted names of what no source gives, and `sources` where the other values come
    from.
    """

    profile: str
    title: str
    modes: list[str]
    quirks: list[str]
    faults: list[str]
    origin: str
    context: JsonObject
    styles: JsonObject
    unknown: list[str]
    sources: list[SourceEntry]


class SourceEntry(TypedDict):
    """Where a value of a profile comes from; `name` is empty for all that is not named."""

    name: str
    text: str
    date: str
    kind: str


class Choice(TypedDict):
    """One entry of a list to choose from."""

    name: str
    title: str


class Hello(TypedDict):
    """`hello`, the first message: everything the page needs before a call.

    A page that names itself `page` when it connects again finds its Views: then `resumed` is true,
    and an `opened` follows for each of them.
    """

    type: Literal["hello"]
    page: str
    resumed: bool
    server: ServerEntry
    tools: list[ToolEntry]
    host: HostEntry
    profiles: list[str]
    quirks: list[Choice]
    faults: list[Choice]
    probe: bool
    ui: bool
    sandbox: str
    version: str


class HostChanged(TypedDict):
    """`host`: another host is emulated from now on, and these are the tools as it sees them."""

    type: Literal["host"]
    host: HostEntry
    profiles: list[str]
    tools: list[ToolEntry]


class InventoryChanged(TypedDict):
    """`inventory`: the tools changed."""

    type: Literal["inventory"]
    server: ServerEntry
    tools: list[ToolEntry]


class Opened(TypedDict):
    """`opened`: a call began; `uri` is None for a tool without a View.

    With `hold` its arguments are still being written, and come with `write`.
    """

    type: Literal["opened"]
    view: str
    server: str
    tool: str
    arguments: JsonObject
    uri: str | None
    hold: bool


class MountFrame(TypedDict):
    """`mount`: create the outer frame, invisible, 150 px high."""

    type: Literal["mount"]
    view: str
    frame: int
    url: str
    channel: str
    allow: str
    sandbox: str
    border: bool | None
    own: bool
    declared: JsonObject | None
    policy: str


class ReserveFrame(TypedDict):
    """`reserve`: create the frame that the next `mount` may use, out of sight and idle."""

    type: Literal["reserve"]
    view: str
    frame: int
    url: str
    channel: str
    allow: str
    sandbox: str


class SendToFrame(TypedDict):
    """`send`: post `message` into the frame."""

    type: Literal["send"]
    view: str
    frame: int
    message: JsonObject


class RevealFrame(TypedDict):
    """`reveal`: make the frame visible."""

    type: Literal["reveal"]
    view: str
    frame: int


class ResizeFrame(TypedDict):
    """`resize`: a new size in CSS pixels; None leaves an axis alone."""

    type: Literal["resize"]
    view: str
    frame: int
    width: int | None
    height: int | None


class SetFrameMode(TypedDict):
    """`mode`: show the View in another display mode."""

    type: Literal["mode"]
    view: str
    frame: int
    mode: str


class UnmountFrame(TypedDict):
    """`unmount`: remove the frame; when `replaced`, once the next one can be seen."""

    type: Literal["unmount"]
    view: str
    frame: int
    reason: str
    replaced: bool


class StepReached(TypedDict):
    """`step`: a rung of the ladder reached a state."""

    type: Literal["step"]
    view: str
    step: str
    state: str
    cause: str | None
    rule: str | None
    detail: Any


class Noted(TypedDict):
    """`note`: something worth showing."""

    type: Literal["note"]
    view: str | None
    level: str
    text: str
    detail: Any


class Excerpt(TypedDict):
    """Part of a line of the View's document; the fault spans `length` characters from `at`."""

    text: str
    at: int
    length: int


class Violated(TypedDict):
    """`violation`: the browser refused something; `key` and `origin` would allow it."""

    type: Literal["violation"]
    view: str
    directive: str
    blocked: str
    line: int | None
    column: int | None
    source: str | None
    sample: str | None
    key: str | None
    origin: str | None
    excerpt: Excerpt | None


class Finished(TypedDict):
    """`finished`: the tool call ended, with exactly one of the two."""

    type: Literal["finished"]
    view: str
    result: NotRequired[JsonObject]
    error: NotRequired[str]


class ResultOutdated(TypedDict):
    """`outdated`: the result's schema has changed since; the tool may be called again."""

    type: Literal["outdated"]
    view: str


class Asked(TypedDict):
    """`ask`: ask the user; answer with `answer`."""

    type: Literal["ask"]
    view: str
    request: int
    kind: str
    detail: JsonObject


class ModelTold(TypedDict):
    """`model`: the View changed what the model is told (`context`) or spoke (`message`)."""

    type: Literal["model"]
    view: str
    kind: Literal["context", "message"]
    params: JsonObject


class ViewTools(TypedDict):
    """`app-tools`: the tools that the View itself provides, as raw entries."""

    type: Literal["app-tools"]
    view: str
    tools: list[JsonObject]


class ViewToolResult(TypedDict):
    """`app-tool-result`: the answer to `call-app-tool`, with exactly one of the two."""

    type: Literal["app-tool-result"]
    view: str
    call: int
    result: NotRequired[JsonObject]
    error: NotRequired[JsonObject]


class Closed(TypedDict):
    """`closed`: the View is gone for good."""

    type: Literal["closed"]
    view: str


class Overlay(TypedDict):
    """`overlay`: a build error over the Views; None takes it away."""

    type: Literal["overlay"]
    error: JsonObject | None


ToPage = (
    Hello
    | HostChanged
    | InventoryChanged
    | Opened
    | MountFrame
    | ReserveFrame
    | SendToFrame
    | RevealFrame
    | ResizeFrame
    | SetFrameMode
    | UnmountFrame
    | StepReached
    | Noted
    | Violated
    | Finished
    | ResultOutdated
    | Asked
    | ModelTold
    | ViewTools
    | ViewToolResult
    | Closed
    | Overlay
)


def write_message(message: ToPage) -> str:
    """Return the JSON text of a message.

    Raises:
        ValueError: it holds a number that JSON does not know.
    """
    # ASCII: a lone surrogate that a View sent could not be encoded as UTF-8.
    return json.dumps(message, allow_nan=False, separators=(",", ":"))
