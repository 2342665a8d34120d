"""The frozen values that flow between the layers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Json = Any
"""A JSON value as `json.loads` gives it."""
JsonObject = Mapping[str, Any]
"""A JSON object that nobody may change."""
Uri = str
"""A resource URI, normally `ui://...`."""
Pointer = str
"""A JSON Pointer (RFC 6901)."""
Severity = Literal["error", "warning", "info"]
Era = Literal["legacy", "modern"]
"""`legacy` is the initialize handshake (2025-11-25 and older), `modern` is 2026-07-28."""
EraChoice = Literal["auto", "legacy", "modern"]


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a text file.

    Attributes:
        path: The file as the user would name it (relative), or a resource URI.
        line: 1-based.
        column: 1-based, in characters.
        length: How many characters the fault spans; at least 1.
        source: The text of that line, without its end.
    """

    path: str
    line: int
    column: int
    length: int = 1
    source: str = ""


@dataclass(frozen=True, slots=True)
class Csp:
    """The four origin lists of `_meta.ui.csp` (specification, UI Resource Format).

    An absent `csp` is `None` where this type is used, not an empty `Csp`: the policies differ.
    """

    connect: tuple[str, ...] = ()
    resource: tuple[str, ...] = ()
    frame: tuple[str, ...] = ()
    base_uri: tuple[str, ...] = ()


Engine = Literal["auto", "none", "esbuild-py", "esbuild"]
PolicyMode = Literal["hash", "unsafe-inline", "none"]


@dataclass(frozen=True, slots=True)
class Building:
    """How a View is built; the defaults are those of the project file.

    Attributes:
        engine: For JavaScript that browsers do not run as it is; `auto` takes the least.
        policy: What the page's own policy allows scripts by; `none` leaves it out.
        allow_external: Whether origins that are used and not declared are added to `csp`.
        allow_paths: Absolute folders outside the repository whose files may be used.
        trim: What to leave out of packages; only `zod-locales` is known.
        max_size: Bytes that the page may have; None for any number.
    """

    engine: Engine = "auto"
    policy: PolicyMode = "hash"
    allow_external: bool = False
    allow_paths: tuple[Path, ...] = ()
    trim: tuple[str, ...] = ()
    max_size: int | None = None


@dataclass(frozen=True, slots=True)
class View:
    """A View as the project declares it under `[tool.mcpapps.views.NAME]`.

    Attributes:
        name: The table's name; the bundle is `<out>/<name>.html`.
        entry: Absolute path of the HTML page.
        uri: The `ui://` URI under which the server serves it.
        csp: The declared origins; None when the table has no `csp`.
        permissions: Any of `wire.PERMISSIONS`, in the declared order.
        domain: A host-specific sandbox domain, or None.
        prefers_border: None when not declared.
        hash_uri: Whether the content's hash becomes part of the URI.
        building: How it is built.
    """

    name: str
    entry: Path
    uri: Uri
    csp: Csp | None = None
    permissions: tuple[str, ...] = ()
    domain: str | None = None
    prefers_border: bool | None = None
    hash_uri: bool = False
    building: Building = Building()


@dataclass(frozen=True, slots=True)
class ServerSpec:
    """How to reach the user's server.

    Attributes:
        command: argv of the server; empty for one that runs already.
        cwd: The child's working directory.
        env: Added to the inherited environment.
        url: Streamable HTTP endpoint, or None for stdio. With `command`, where the started server
            listens; `{port}` in either is a port that `dev` chooses.
        headers: Sent with every HTTP request.
        label: How the server is shown to the user, such as `python server.py`.
        why: One line that says how the interpreter or command was chosen; may be empty.
        restart: `swap` starts the new server before the old one ends.
        standby_exclude: Modules that `dev` does not import ahead.
    """

    command: tuple[str, ...] = ()
    cwd: Path = field(default_factory=Path.cwd)
    env: JsonObject = field(default_factory=dict)
    url: str | None = None
    headers: JsonObject = field(default_factory=dict)
    label: str = ""
    why: str = ""
    restart: Literal["swap", "stop-first"] = "swap"
    standby_exclude: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SampleCall:
    """A tool call that `lint` may make, from `[tool.mcpapps.lint] calls`."""

    tool: str
    args: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Project:
    """A project folder and what its file says.

    Attributes:
        root: Absolute folder of `pyproject.toml` or `mcpapps.toml`, or the folder given.
        name: The project's name.
        out: Absolute folder where `bundle` writes.
        views: In the order of the file.
        server: None when the folder names no server.
        lint_ignore: Rule name to the reason why it is ignored.
        lint_calls: Sample calls.
        hosts: Name of a host profile to the table that changes it; `host.override` reads them.
    """

    root: Path
    name: str
    out: Path
    views: tuple[View, ...] = ()
    server: ServerSpec | None = None
    lint_ignore: Mapping[str, str] = field(default_factory=dict)
    lint_calls: tuple[SampleCall, ...] = ()
    hosts: Mapping[str, JsonObject] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Inlined:
    """A local file that became part of a bundle; `kind` is `script`, `style` or `image`."""

    kind: Literal["script", "style", "image", "bridge"]
    path: Path
    size: int


@dataclass(frozen=True, slots=True)
class Notice:
    """Something in a View that works here but not everywhere; no fault."""

    message: str
    help: str
    position: Position


@dataclass(frozen=True, slots=True)
class Share:
    """What a file or a package takes of a bundle.

    Attributes:
        name: A path from the project, a package, or `bridge`.
        size: Bytes.
        gzip: Bytes after compression; its part of the whole where it cannot be had alone.
    """

    name: str
    size: int
    gzip: int


@dataclass(frozen=True, slots=True)
class Bundle:
    """One self-contained HTML file and its metadata.

    Attributes:
        view: The View's name.
        uri: Its `ui://` URI.
        html: The document.
        meta: The `_meta.ui` object for listing and content.
        size: UTF-8 bytes of `html`.
        gzip: Bytes after gzip -9.
        sha256: Hex digest of the UTF-8 bytes.
        inlined: What was spliced in, in document order.
        external: Absolute URLs left in the document.
        inputs: Every local file that was read; a change in one makes the bundle stale.
        notices: What the author should know, in document order.
        engine: What made its scripts, such as `esbuild 0.28.2`; `none` when nothing had to.
        shares: What its bytes are made of, the largest first.
        hints: What would make it smaller, and what its size means.
    """

    view: str
    uri: Uri
    html: str
    meta: JsonObject
    size: int
    gzip: int
    sha256: str
    inlined: tuple[Inlined, ...] = ()
    external: tuple[str, ...] = ()
    inputs: tuple[Path, ...] = ()
    notices: tuple[Notice, ...] = ()
    engine: str = "none"
    shares: tuple[Share, ...] = ()
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Skip:
    """Something that could not be read or checked, and why.

    Attributes:
        subject: The thing as the user calls it: a URI, a tool, a method.
        reason: One clause without a full stop.
        answered: Whether the server did answer, so that the answer itself is at fault.
        minor: Whether nothing that a tool links to depends on it, so that it is only told.
    """

    subject: str
    reason: str
    answered: bool = False
    minor: bool = False


@dataclass(frozen=True, slots=True)
class Resource:
    """A UI resource as the server lists and serves it.

    Attributes:
        uri: As the tool or the listing names it.
        listing: The raw `resources/list` entry, or None when not listed.
        contents: Every raw item of the `resources/read` answer; empty when unread.
        content: The item chosen for `uri`, or None when it could not be read.
        html: Decoded text of `content`, or None.
        read_meta: `_meta` beside `contents`, where no host looks for it.
    """

    uri: Uri
    listing: JsonObject | None = None
    contents: tuple[JsonObject, ...] = ()
    content: JsonObject | None = None
    html: str | None = None
    read_meta: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class Inventory:
    """Everything a host would see of one server, as raw JSON.

    Attributes:
        era: Which handshake was used.
        protocol_version: The core revision agreed on.
        server_info: `serverInfo` as received.
        capabilities: The server's capabilities as received.
        tools: Raw entries of every page of `tools/list`.
        resources: Every UI resource: linked by a tool or listed with a `ui://` URI.
        unread: What could not be had, in the order met.
    """

    era: Era
    protocol_version: str
    server_info: JsonObject
    capabilities: JsonObject
    tools: tuple[JsonObject, ...] = ()
    resources: tuple[Resource, ...] = ()
    unread: tuple[Skip, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault that a rule found.

    Attributes:
        rule: Kebab-case name.
        code: `MA` and three digits; for display.
        severity: `error`, `warning` or `info`.
        subject: What it is about: `tool "chart"`, a URI, or a file.
        message: One sentence without a full stop.
        help: What to do.
        pointer: Where on the wire, such as `tools/chart#/_meta/ui/resourceUri`.
        position: Where in a text; exactly one of pointer and position is set.
        excerpt: The JSON at `pointer` on one line, such as `"domain": "x"`; may be empty.
        declared: Where the project's source declares what is at `pointer`, when that was found.
    """

    rule: str
    code: str
    severity: Severity
    subject: str
    message: str
    help: str
    pointer: Pointer | None = None
    position: Position | None = None
    excerpt: str = ""
    declared: Position | None = None


Verdict = Literal["works", "degraded", "blocked", "unknown"]


@dataclass(frozen=True, slots=True)
class Cell:
    """What one host makes of one View.

    Attributes:
        uri: The View.
        profile: The host's profile.
        verdict: The worst of its reasons; `works` without one.
        reasons: Verdict, what the View needs or does, the rule if there is one, and the source.
    """

    uri: Uri
    profile: str
    verdict: Verdict
    reasons: tuple[tuple[Verdict, str, str | None, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What `lint` found.

    Attributes:
        findings: Sorted by subject, place and code.
        not_checked: What could not be checked, and why.
        rules: How many rules ran.
        tools: How many tools were checked.
        resources: How many UI resources were checked.
        ui_tools: How many tools link a View.
        unused_ignores: Rules that the project ignores and that found nothing to ignore.
        matrix: What each host that was asked for makes of each View.
    """

    findings: tuple[Finding, ...] = ()
    not_checked: tuple[Skip, ...] = ()
    rules: int = 0
    tools: int = 0
    resources: int = 0
    ui_tools: int = 0
    unused_ignores: tuple[str, ...] = ()
    matrix: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class FileAction:
    """One file that `new` writes or leaves; `path` is relative to the target folder."""

    verb: Literal["create", "identical", "conflict", "overwrite"]
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What `new` would do, before anything is written."""

    target: Path
    template: str
    actions: tuple[FileAction, ...]
