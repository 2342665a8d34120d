"""The Python file in which a project's server is, found without running it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from mcpapps_cli.errors import UserError
from mcpapps_cli.model import Project

_GUESSES: Final = ("server.py", "main.py", "app.py")
_RUNNERS: Final = ("uv", "uvx", "run", "poetry", "pdm", "hatch", "pipenv")
_OTHER: Final = (".ts", ".tsx", ".mts", ".js", ".mjs", ".cjs", ".go", ".rs", ".rb", ".java")
_PROGRAMS: Final = ("node", "npm", "npx", "pnpm", "yarn", "bun", "bunx", "deno", "tsx", "ts-node")


class OtherLanguage(UserError):
    """The server is not written in Python, so that nothing can be added to it."""


def find_server_file(project: Project, given: Path | None = None) -> Path:
    """Return the file of the project's server.

    Args:
        project: The project as its file says it.
        given: What the user named. Default: what the server's command runs, or a file with one
            of the usual names.

    Raises:
        OtherLanguage: It is not Python.
        UserError: There is none, or it cannot be told.
    """
    if given is not None:
        if given.suffix in _OTHER:
            raise OtherLanguage(f'"{given}" is not Python')
        if not given.is_file():
            raise UserError(f'"{given}" does not exist', help="give the path of the server's file")
        return given.resolve()
    root, server = project.root, project.server
    if server is None:
        found = [root / name for name in _GUESSES if (root / name).is_file()]
        if found:
            return found[0]
        raise UserError(f'"{project.name}" names no server', help="name its file with --server")
    if not server.command:
        raise UserError(
            f'the server of "{project.name}" is reached at "{server.url}"',
            help="name its file with --server",
        )
    command = list(server.command)
    for path in _candidates(command, root, server.cwd):
        if path.is_file():
            return path.resolve()
    if any(word in _PROGRAMS or word.endswith(_OTHER) for word in command):
        raise OtherLanguage(f'"{" ".join(command)}" does not run Python')
    raise UserError(
        f'no file of the server was found for "{" ".join(command)}"',
        help="name it with --server",
    )


def _candidates(command: Sequence[str], root: Path, cwd: Path) -> Iterator[Path]:
    folders = dict.fromkeys((cwd, root, cwd / "src", root / "src"))
    for index, word in enumerate(command):
        if word == "-m" and index + 1 < len(command):
            yield from _module(command[index + 1], folders)
        elif word.partition(":")[0].endswith(".py"):
            yield from (folder / word.partition(":")[0] for folder in folders)
    # The command of an installed project, such as `weather` or `uv run weather`.
    scripts = _scripts(root)
    for word in command:
        if word in scripts:
            yield from _module(scripts[word].partition(":")[0], folders)
        if word not in _RUNNERS and not word.startswith("-"):
            break


def _module(name: str, folders: dict[Path, None]) -> Iterator[Path]:
    path = Path(*name.split("."))
    for folder in folders:
        yield folder / path.with_suffix(".py")
        yield folder / path / "__main__.py"
        yield folder / path / "server.py"
        yield folder / path / "__init__.py"


def _scripts(root: Path) -> dict[str, str]:
    file = root / "pyproject.toml"
    if not file.is_file():
        return {}
    table = tomllib.loads(file.read_bytes().decode("utf-8")).get("project", {})
    scripts = table.get("scripts", {}) if isinstance(table, dict) else {}
    return {name: value for name, value in scripts.items() if isinstance(value, str)}
