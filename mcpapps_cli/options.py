"""The options that every command which meets a server has in common."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
Url = Annotated[str | None, typer.Option("--url", help="A streamable HTTP endpoint.")]
Python = Annotated[str | None, typer.Option("--python", help="The project's interpreter.")]
Env = Annotated[
    list[str] | None,
    typer.Option("--env", metavar="NAME=VALUE", help="Set in the server's environment."),
]
EnvFile = Annotated[
    Path | None, typer.Option("--env-file", metavar="FILE", help="A file of NAME=VALUE lines.")
]
Cwd = Annotated[
    Path | None, typer.Option("--cwd", metavar="DIR", help="The server's working directory.")
]
Header = Annotated[
    list[str] | None,
    typer.Option("--header", metavar='"NAME: VALUE"', help="HTTP header; ${VAR} is replaced."),
]
Era = Annotated[str, typer.Option("--era", metavar="auto|legacy|modern", help="MCP handshake.")]
Timeout = Annotated[float, typer.Option("--timeout", metavar="S", help="Seconds for the server.")]
