"""TARGET: the many ways to say which server a command talks to, resolved to one `ServerSpec`."""

from __future__ import annotations

import ast
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mcpapps_cli.config.client_file import find_entry
from mcpapps_cli.config.interpreter import find_interpreter
from mcpapps_cli.config.options import expand, read_env_file, refuse, split_command, split_pair
from mcpapps_cli.config.project import read_project
from mcpapps_cli.errors import ConfigError
from mcpapps_cli.model import Project, ServerSpec

_GUESSES = ("server.py", "main.py", "app.py")
_CHILD = Path(__file__).resolve().parent.parent / "child.py"
_OBJECT = r"(?P<file>.+\.py):(?P<object>[A-Za-z_][\w.]*)"


def resolve_target(
    target: str | None = None,
    *,
    module: str | None = None,
    command: str | None = None,
    url: str | None = None,
    python: str | None = None,
    env: Sequence[str] = (),
    env_file: Path | None = None,
    cwd: Path | None = None,
    headers: Sequence[str] = (),
    environ: Mapping[str, str] = os.environ,
    here: Path | None = None,
) -> Project:
    """Return the project with its `server` set.

    Args:
        target: A folder, `file.py`, `file.py:object`, a URL, or the name of an entry in
            `.mcp.json` or `.vscode/mcp.json`. Default: the project around `here`.
        module: Run as `python -m module`.
        command: A whole command line.
        url: A streamable HTTP endpoint.
        python: The interpreter, a path or a name on PATH.
        env: `NAME=VALUE` entries; they win over every other source.
        env_file: A file of such lines.
        cwd: The server's working directory. Default: the project's root.
        headers: `Name: value` entries; `${VAR}` is replaced from the environment.
        environ: The environment that is looked at.
        here: The folder that relative names start from. Default: the current one.

    Raises:
        ConfigError: TARGET or an option cannot be used; every fault is named.
    """
    here = (here or Path.cwd()).resolve()
    given = [name for name in (target, module, command) if name is not None]
    if len(given) > 1 or (url is not None and (target is not None or module is not None)):
        raise ConfigError(
            "TARGET, --module, --command and --url exclude each other",
            help="give only one, or --command with the --url at which it will listen",
        )
    faults: list[str] = []
    listed = read_env_file(env_file, faults, named="--env-file") if env_file else {}
    extra = {**listed, **_read_env(env, faults)}
    project = _locate(target, module, command, url, python, environ, here, faults)
    server = project.server
    assert server is not None
    if cwd is not None and not cwd.is_dir():
        faults.append(f'--cwd: "{cwd}" is not a folder')
    spec = replace(
        server,
        cwd=cwd.resolve() if cwd is not None else server.cwd,
        env={**server.env, **extra},
        headers=_read_headers({**server.headers}, headers, environ, faults),
    )
    refuse(faults)
    return replace(project, server=spec)


def _locate(
    target: str | None,
    module: str | None,
    command: str | None,
    url: str | None,
    python: str | None,
    environ: Mapping[str, str],
    here: Path,
    faults: list[str],
) -> Project:
    address = url if url is not None else target
    if url is not None and command is not None:
        started = _locate(target, module, command, None, python, environ, here, faults)
        assert started.server is not None
        return replace(started, server=replace(started.server, url=url))
    if address is not None and address.startswith(("http://", "https://")):
        return replace(read_project(here), server=ServerSpec(url=address, cwd=here, label=address))
    if url is not None:
        raise ConfigError(f'"{url}" is not an http or https URL', help="start it with http://")
    if command is not None:
        argv = split_command(command, faults, "--command")
        project = read_project(here)
        return replace(project, server=command_spec(argv, here, project.root, python, environ))
    if module is not None:
        project = read_project(here)
        argv = ("python", "-m", module)
        return replace(project, server=command_spec(argv, here, project.root, python, environ))
    if target is None:
        return _folder_project(here, python, environ)
    return _named(target, python, environ, here)


def _named(target: str, python: str | None, environ: Mapping[str, str], here: Path) -> Project:
    path = here / target
    if path.is_dir():
        return _folder_project(path.resolve(), python, environ)
    match = re.fullmatch(_OBJECT, target)
    file = here / match["file"] if match else path
    if file.is_file() and file.suffix == ".py":
        return _file_project(file.resolve(), match["object"] if match else None, python, environ)
    entry = find_entry(target, here, environ)
    if entry is not None:
        return replace(read_project(here), server=entry)
    if match or target.endswith(".py"):
        raise ConfigError(f'"{file}" does not exist', help="give the path of the server's file")
    raise ConfigError(
        f'"{target}" is no folder, no Python file, no URL and no entry of .mcp.json',
        help='give a folder or file, or use --command "..." or --url',
    )


def _folder_project(folder: Path, python: str | None, environ: Mapping[str, str]) -> Project:
    project = read_project(folder)
    if project.server is not None:
        server = project.server
        if not server.command:
            return replace(project, server=replace(server, label=server.url or ""))
        started = command_spec(server.command, server.cwd, project.root, python, environ)
        return replace(
            project,
            server=replace(server, command=started.command, label=started.label, why=started.why),
        )
    for name in _GUESSES:
        if (folder / name).is_file():
            found = _file_project(folder / name, None, python, environ)
            assert found.server is not None
            pin = f'[tool.mcpapps.server] command = "python {name}"'
            why = f"server: {name} (found; pin it with {pin})"
            return replace(found, server=replace(found.server, why=why))
    raise ConfigError(
        f'"{folder}" names no server',
        help='add [tool.mcpapps.server] command = "python server.py", or give a file, '
        "--command or --url",
    )


def _file_project(
    file: Path, name: str | None, python: str | None, environ: Mapping[str, str]
) -> Project:
    project = read_project(file.parent)
    interpreter, why = find_interpreter(project.root, python=python, script=file, environ=environ)
    shown = file.relative_to(project.root) if file.is_relative_to(project.root) else file
    if name is None and _runs_itself(file):
        argv = (*interpreter, str(file))
        label = f"python {shown}"
    else:
        argv = (*interpreter, str(_CHILD), str(file), *([name] if name else []))
        label = f"{shown}:{name}" if name else str(shown)
    server = ServerSpec(command=argv, cwd=project.root, label=label, why=why)
    return replace(project, server=server)


def _runs_itself(file: Path) -> bool:
    """Whether running the file starts a server: a `__main__` block or a call at its top level."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return True  # Python itself gives the best message.
    for node in tree.body:
        if isinstance(node, ast.If) and "__name__" in ast.dump(node.test):
            return True
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = node.value.func
            if isinstance(called, ast.Attribute) and called.attr in ("run", "run_until_complete"):
                return True
            if isinstance(called, ast.Name) and called.id in ("main", "run", "serve"):
                return True
    return False


def command_spec(
    argv: tuple[str, ...],
    cwd: Path,
    root: Path,
    python: str | None,
    environ: Mapping[str, str],
) -> ServerSpec:
    """Return the server that a command starts; `python` is the project's interpreter.

    Raises:
        ConfigError: The command is empty.
    """
    if not argv:
        raise ConfigError("the server's command is empty", help="give the program and its options")
    label = shlex.join(argv)
    if argv[0] not in ("python", "python3"):
        return ServerSpec(command=argv, cwd=cwd, label=label)
    interpreter, why = find_interpreter(root, python=python, environ=environ)
    return ServerSpec(command=(*interpreter, *argv[1:]), cwd=cwd, label=label, why=why)


def _read_env(entries: Sequence[str], faults: list[str]) -> dict[str, str]:
    pairs = (split_pair(entry, "--env", "NAME=VALUE", faults) for entry in entries)
    return dict(pair for pair in pairs if pair is not None)


def _read_headers(
    table: dict[str, Any], entries: Sequence[str], environ: Mapping[str, str], faults: list[str]
) -> dict[str, str]:
    for entry in entries:
        pair = split_pair(entry, "--header", '"Name: value"', faults, separator=":")
        if pair is not None:
            table[pair[0]] = pair[1].strip()
    return {name: expand(value, environ, faults, name) for name, value in table.items()}
