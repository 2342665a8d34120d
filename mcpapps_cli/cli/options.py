"""The options that several commands have in common, foremost those that name the server."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from mcpapps_cli.errors import UserError

if TYPE_CHECKING:
    from mcpapps_cli.model import EraChoice, Project

Target = Annotated[
    str | None,
    typer.Argument(
        metavar="[TARGET]",
        help="Project folder (default: here), file.py, file.py:object, URL, or .mcp.json entry.",
    ),
]
Module = Annotated[
    str | None, typer.Option("--module", "-m", metavar="NAME", help="Run python -m NAME.")
]
Command = Annotated[
    str | None, typer.Option("--command", metavar="LINE", help="The server's whole command line.")
]
Url = Annotated[
    str | None, typer.Option("--url", metavar="URL", help="A streamable HTTP endpoint.")
]
Python = Annotated[
    str | None, typer.Option("--python", metavar="FILE", help="The project's interpreter.")
]
Env = Annotated[
    list[str] | None,
    typer.Option(
        "--env", metavar="NAME=VALUE", help="Set in the server's environment; repeatable."
    ),
]
EnvFile = Annotated[
    Path | None, typer.Option("--env-file", metavar="FILE", help="A file of NAME=VALUE lines.")
]
Cwd = Annotated[
    Path | None, typer.Option("--cwd", metavar="DIR", help="The server's working directory.")
]
Header = Annotated[
    list[str] | None,
    typer.Option(
        "--header", metavar='"NAME: VALUE"', help="HTTP header; ${VAR} is replaced; repeatable."
    ),
]
Era = Annotated[str, typer.Option("--era", metavar="auto|legacy|modern", help="MCP handshake.")]
Timeout = Annotated[
    float, typer.Option("--timeout", metavar="S", min=0.1, help="Seconds for the server.")
]
Format = Annotated[
    str, typer.Option("--format", metavar="text|json", help="What is written to stdout.")
]


def resolver(
    target: str | None,
    module: str | None,
    command: str | None,
    url: str | None,
    python: str | None,
    env: list[str] | None,
    env_file: Path | None,
    cwd: Path | None,
    headers: list[str] | None,
) -> Callable[[], Project]:
    """Return what reads the project and its server; called again when the project changes."""
    from mcpapps_cli.config.target import resolve_target

    return partial(
        resolve_target,
        target,
        module=module,
        command=command,
        url=url,
        python=python,
        env=env or (),
        env_file=env_file,
        cwd=cwd,
        headers=headers or (),
    )


def checked_format(value: str) -> str:
    """Return `text` or `json`, as `--format` names it.

    Raises:
        UserError: It names neither.
    """
    if value not in ("text", "json"):
        raise UserError(f'"{value}" is not a format', help="use text or json")
    return value


def checked_era(value: str) -> EraChoice:
    """Return the era that `--era` names.

    Raises:
        UserError: It names none.
    """
    if value not in ("auto", "legacy", "modern"):
        raise UserError(f'"{value}" is not an era', help="use auto, legacy or modern")
    return cast("EraChoice", value)
