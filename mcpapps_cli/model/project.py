"""A project as its file declares it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from mcpapps_cli.model.names import Engine, JsonObject, PolicyMode, Uri


@dataclass(frozen=True, slots=True)
class Csp:
    """The four origin lists of `_meta.ui.csp` (specification, UI Resource Format).

    An absent `csp` is `None` where this type is used, not an empty `Csp`: the policies differ.
    """

    connect: tuple[str, ...] = ()
    resource: tuple[str, ...] = ()
    frame: tuple[str, ...] = ()
    base_uri: tuple[str, ...] = ()


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
