"""What was seen beside the inventory: calls, mounted Views, sources, and other things asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from mcpapps_cli.model import JsonObject, Uri

GIT_HEAD: Final = "git HEAD"
"""`Observed.baseline_name` of pages that are committed and may never have been released."""


@dataclass(frozen=True, slots=True)
class Called:
    """One sample call and its answer.

    Attributes:
        tool: The tool's name.
        args: The arguments sent.
        result: The `tools/call` result as received; None when there is none.
    """

    tool: str
    args: JsonObject
    result: JsonObject | None


@dataclass(frozen=True, slots=True)
class Blocked:
    """One thing that the policy of a mounted View blocked.

    Attributes:
        directive: The directive at fault, such as `connect-src`.
        url: What was blocked, as the browser reports it.
        line: 1-based line in the page, or None.
    """

    directive: str
    url: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Mounted:
    """What one View did in a browser.

    Attributes:
        uri: The View.
        tool: The tool whose call mounted it.
        initialize: Params of its first `ui/initialize`; None when it sent none.
        initialized: Whether it sent `ui/notifications/initialized`.
        early: Methods of requests that it sent before that, other than `ui/initialize`.
        methods: Every method that it sent.
        blocked: What the policy blocked.
        errors: Uncaught script errors, as the browser words them.
        refused: The storage that it reached for and that the frame refused.
        height: The largest height that it reported in CSS pixels; None when it reported none.
        pinged: Whether it answered the host's `ping`; None when it was not asked.
        visible: Whether something was to be seen before any data came; None when unknown.
    """

    uri: Uri
    tool: str
    initialize: JsonObject | None = None
    initialized: bool = False
    early: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    blocked: tuple[Blocked, ...] = ()
    errors: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    height: float | None = None
    pinged: bool | None = None
    visible: bool | None = None


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One Python file of the project; `path` is relative to its root."""

    path: PurePosixPath
    text: str


@dataclass(frozen=True, slots=True)
class Wheel:
    """A built wheel; `names` are the files in it."""

    path: PurePosixPath
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Observed:
    """Everything seen beside the inventory; what was not looked for is empty or None.

    Attributes:
        calls: The sample calls, in the order made.
        noise: Lines of the server's stdout that are no JSON-RPC messages.
        plain_tools: Names that `tools/list` has for a client without MCP Apps.
        mounted: What each View did in a browser.
        baseline: SHA-256 of the page that was served under each URI before.
        baseline_name: Where `baseline` comes from, as the user knows it.
        sources: The project's Python files.
        sdk: Distribution and version of the MCP SDK that the server runs on.
        wheel: The project's wheel.
        assets: HTTP status, or the reason why there is none, by URL that was fetched.
    """

    calls: tuple[Called, ...] = ()
    noise: tuple[str, ...] = ()
    plain_tools: frozenset[str] | None = None
    mounted: tuple[Mounted, ...] = ()
    baseline: Mapping[Uri, str] = field(default_factory=dict)
    baseline_name: str = ""
    sources: tuple[SourceFile, ...] = ()
    sdk: tuple[str, str] | None = None
    wheel: Wheel | None = None
    assets: Mapping[str, int | str] = field(default_factory=dict)


NOTHING = Observed()
