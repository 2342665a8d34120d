"""The project: where its root is and what `[tool.mcpapps]` says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from mcpapps_cli import wire
from mcpapps_cli.config.building import KEYS as BUILDING_KEYS
from mcpapps_cli.config.building import read_building
from mcpapps_cli.config.options import read_env_file, split_command
from mcpapps_cli.config.table import Table
from mcpapps_cli.errors import ConfigError
from mcpapps_cli.model import Csp, Project, SampleCall, ServerSpec, View
from mcpapps_cli.words import count

_TOP = ("name", "out", "views", "server", "lint", "hosts")
_VIEW = (
    *("entry", "uri", "hash-uri", "prefers-border", "permissions"),
    *("csp", "domain", *BUILDING_KEYS),
)
_SERVER = ("command", "cwd", "env", "env-file", "url", "headers", "restart", "standby-exclude")
_VIEW_NAME = r"[A-Za-z0-9][A-Za-z0-9_-]*"


def find_root(folder: Path) -> Path:
    """Return the nearest folder, going up, whose file has `[tool.mcpapps]`; else `folder`."""
    folder = folder.resolve()
    for candidate in (folder, *folder.parents):
        if (candidate / "mcpapps.toml").is_file():
            return candidate
        file = candidate / "pyproject.toml"
        # A broken pyproject.toml counts only where it says so itself; `read_project` reports it.
        if file.is_file() and b"[tool.mcpapps" in file.read_bytes():
            return candidate
    return folder


def read_project(folder: Path) -> Project:
    """Return the project that `folder` belongs to.

    Args:
        folder: Any folder inside the project.

    Raises:
        ConfigError: The file cannot be read; every fault is in `details`.
    """
    root = find_root(folder)
    file, document = _load(root)
    settings = document
    if file is not None and file.name == "pyproject.toml":
        settings = document.get("tool", {}).get("mcpapps", {})
    metadata = document.get("project", {}) if isinstance(document.get("project"), dict) else {}

    faults: list[str] = []
    top = Table(settings, "tool.mcpapps", faults, known=_TOP)
    name = top.get("name", str, str(metadata.get("name") or root.name))
    views = tuple(
        _read_view(root, view_name, values, faults)
        for view_name, values in top.get("views", dict, {}).items()
    )
    _note_shared_uris(views, faults)
    server = _read_server(root, top.values["server"], faults) if "server" in top.values else None
    lint = Table(top.values.get("lint", {}), "tool.mcpapps.lint", faults, known=("ignore", "calls"))
    project = Project(
        root=root,
        name=name,
        out=_inside(root, top, "out", top.get("out", str, "built")),
        views=views,
        server=server,
        lint_ignore=_read_ignores(lint),
        lint_calls=_read_calls(lint),
        hosts=_read_hosts(top),
    )
    if faults:
        raise ConfigError(
            f'"{file.name if file else root}" has {count(len(faults), "fault")}',
            help="correct the lines above" if len(faults) > 1 else "correct the line above",
            details=tuple(faults),
        )
    return project


def _load(root: Path) -> tuple[Path | None, dict[str, Any]]:
    for name in ("mcpapps.toml", "pyproject.toml"):
        file = root / name
        if not file.is_file():
            continue
        try:
            return file, tomllib.loads(file.read_bytes().decode("utf-8"))
        except tomllib.TOMLDecodeError as exc:
            raise ConfigError(f'"{name}" is not valid TOML: {exc}', help=f"correct {file}") from exc
        except UnicodeDecodeError as exc:
            raise ConfigError(
                f'"{name}" is not UTF-8 at byte {exc.start}', help=f"save {file} as UTF-8"
            ) from exc
        except OSError as exc:
            raise ConfigError(
                f'"{name}" cannot be read: {exc.strerror}', help=f"check {file}"
            ) from exc
    return None, {}


def _read_view(root: Path, name: str, values: Any, faults: list[str]) -> View:
    table = Table(values, f"tool.mcpapps.views.{name}", faults, known=_VIEW)
    if not re.fullmatch(_VIEW_NAME, name):
        faults.append(
            f"[{table.name}] name: {name!r} may have letters, digits, - and _ only, "
            "since it becomes a file name"
        )
    entry = table.get("entry", str, "")
    if not entry and "entry" not in table.values:
        table.fault("entry", "is missing; it names the View's HTML file")
    uri = table.get("uri", str, "")
    if "uri" not in table.values:
        table.fault("uri", "is missing, such as ui://app/view.html")
    elif uri and (not uri.startswith(wire.URI_SCHEME) or len(uri) == len(wire.URI_SCHEME)):
        table.fault("uri", f"{uri!r} does not start with {wire.URI_SCHEME}")
    elif not uri.isascii() or any(char.isspace() for char in uri):
        table.fault("uri", f"{uri!r} has a space or a character outside ASCII")
    permissions = table.strings("permissions")
    for permission in permissions:
        if permission not in wire.PERMISSIONS:
            table.fault("permissions", f"{permission!r} is not one of {_list(wire.PERMISSIONS)}")
    return View(
        name=name,
        entry=_inside(root, table, "entry", entry or "."),
        uri=uri,
        csp=_read_csp(table) if "csp" in table.values else None,
        permissions=permissions,
        domain=table.optional("domain", str),
        prefers_border=table.optional("prefers-border", bool),
        hash_uri=table.get("hash-uri", bool, False),
        building=read_building(root, table),
    )


def _read_csp(view: Table) -> Csp:
    table = Table(view.values["csp"], f"{view.name}.csp", view.faults, known=wire.CSP_KEYS)
    return Csp(*(table.strings(key) for key in wire.CSP_KEYS))


def _note_shared_uris(views: tuple[View, ...], faults: list[str]) -> None:
    seen: dict[str, str] = {}
    for view in views:
        if view.uri and view.uri in seen:
            faults.append(
                f"[tool.mcpapps.views.{view.name}] uri: {view.uri!r} is the URI of "
                f"{seen[view.uri]} too"
            )
        seen.setdefault(view.uri, view.name)


def _read_server(root: Path, values: Any, faults: list[str]) -> ServerSpec:
    table = Table(values, "tool.mcpapps.server", faults, known=_SERVER)
    command: tuple[str, ...] = ()
    if isinstance(table.values.get("command"), str):
        command = split_command(table.values["command"], faults, "[tool.mcpapps.server] command")
    elif "command" in table.values:
        command = table.strings("command")
    url = table.optional("url", str)
    if "url" not in table.values and "command" not in table.values:
        table.fault("command", "is missing (or url)")
    if url is not None and not url.startswith(("http://", "https://")):
        table.fault("url", f"{url!r} does not start with http:// or https://")
    restart = table.get("restart", str, "swap")
    if restart not in ("swap", "stop-first"):
        table.fault("restart", f'{restart!r} is not "swap" or "stop-first"')
    env_file = table.optional("env-file", str)
    env = read_env_file(root / env_file, faults) if env_file else {}
    return ServerSpec(
        command=command,
        cwd=_inside(root, table, "cwd", table.get("cwd", str, ".")),
        env={**env, **table.string_table("env")},
        url=url,
        headers=table.string_table("headers"),
        restart="stop-first" if restart == "stop-first" else "swap",
        standby_exclude=table.strings("standby-exclude"),
    )


def _read_ignores(lint: Table) -> dict[str, str]:
    ignores = lint.string_table("ignore")
    for rule, reason in ignores.items():
        if not reason.strip():
            lint.fault(f"ignore.{rule}", "needs a reason")
    return ignores


def _read_calls(lint: Table) -> tuple[SampleCall, ...]:
    calls = []
    for index, values in enumerate(lint.get("calls", list, [])):
        table = Table(values, f"{lint.name}.calls.{index}", lint.faults, known=("tool", "args"))
        tool = table.get("tool", str, "")
        if not tool:
            table.fault("tool", "is missing")
        calls.append(SampleCall(tool, table.get("args", dict, {})))
    return tuple(calls)


def _read_hosts(top: Table) -> dict[str, dict[str, Any]]:
    # What a host may say is known further up; here each only has to be a table.
    hosts: dict[str, dict[str, Any]] = {}
    for name, values in top.get("hosts", dict, {}).items():
        if isinstance(values, dict):
            hosts[name] = values
        else:
            top.fault(f"hosts.{name}", f"{values!r} is not a table")
    return hosts


def _inside(root: Path, table: Table, key: str, value: str) -> Path:
    path = (root / value).resolve()
    if not path.is_relative_to(root):
        table.fault(key, f"{value!r} is outside the project")
    return path


def _list(words: tuple[str, ...]) -> str:
    return ", ".join(words)
