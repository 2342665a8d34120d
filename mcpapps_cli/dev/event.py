"""What happens in a dev session, and its form in `--json-log`."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Any

from mcpapps_cli.errors import McpAppsError, SourceError
from mcpapps_cli.model import JsonObject
from mcpapps_cli.stage.event import StageEvent


@dataclass(frozen=True, slots=True)
class Ready:
    """The host page can be opened.

    Attributes:
        url: The host page with its token; append `&tool=NAME&args=JSON` to call a tool.
        sandbox: The second origin.
        server: How the server was started.
        tools: Names of all tools, in the server's order.
        ui_tools: Names of those that link a View.
        mcp: Where other MCP clients reach the current server; None when that is not offered.
    """

    url: str
    sandbox: str
    server: str
    tools: tuple[str, ...]
    ui_tools: tuple[str, ...]
    mcp: str | None = None


@dataclass(frozen=True, slots=True)
class Changed:
    """Files changed on disk; paths are relative to the project."""

    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BundleReady:
    """A View was rebuilt; `written` is false when the result was the same."""

    view: str
    uri: str
    size: int
    ms: int
    written: bool


@dataclass(frozen=True, slots=True)
class BuildFailed:
    """A View could not be built; the last good one stays."""

    view: str
    error: JsonObject


@dataclass(frozen=True, slots=True)
class ServerReady:
    """A new generation of the server answers.

    Attributes:
        generation: Counts the servers of the session from 1.
        tools: Names of its tools.
        ms: Milliseconds from the start to the answer.
        warm: Whether it ran in an interpreter that had waited for it.
        server: Name of a server beside the project's own; None for that one.
    """

    generation: int
    tools: tuple[str, ...]
    ms: int
    warm: bool = False
    server: str | None = None


@dataclass(frozen=True, slots=True)
class ServerFailed:
    """A new generation failed, or the running one ended; `server` is as in `ServerReady`."""

    error: JsonObject
    server: str | None = None


@dataclass(frozen=True, slots=True)
class ServerOutput:
    """A line of the server's stderr, or (`noise`) a stdout line that is no JSON-RPC message.

    `server` is as in `ServerReady`.
    """

    line: str
    noise: bool = False
    server: str | None = None


@dataclass(frozen=True, slots=True)
class LintReport:
    """What the rules find now and did not find before, and the other way round.

    Attributes:
        new: Findings that came, each as `lint --format json` has it; all of them when asked for.
        gone: Findings that went.
        errors: How many errors there are now.
        warnings: How many warnings there are now.
    """

    new: tuple[JsonObject, ...]
    gone: tuple[JsonObject, ...]
    errors: int
    warnings: int


DevEvent = (
    Ready
    | Changed
    | BundleReady
    | BuildFailed
    | ServerReady
    | ServerFailed
    | ServerOutput
    | LintReport
    | StageEvent
)


def event_json(event: DevEvent) -> dict[str, Any]:
    """Return the event as one JSON object; absent values are left out."""
    name = re.sub(r"(?<!^)(?=[A-Z])", "-", type(event).__name__.removesuffix("Event")).lower()
    values = {field.name: getattr(event, field.name) for field in fields(event)}
    return {"event": name, **{key: value for key, value in values.items() if value is not None}}


def error_json(error: McpAppsError) -> dict[str, Any]:
    """Return what the terminal and the overlay both show of an error."""
    payload: dict[str, Any] = {"message": error.message}
    if error.help:
        payload["help"] = error.help
    if error.details:
        payload["details"] = list(error.details)
    if isinstance(error, SourceError):
        payload["position"] = {
            field.name: getattr(error.position, field.name) for field in fields(error.position)
        }
    return payload
