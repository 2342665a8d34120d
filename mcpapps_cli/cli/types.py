"""The options of `mcpapps types`."""

from pathlib import Path
from typing import Annotated

import typer

from mcpapps_cli.cli.options import (
    Command,
    Cwd,
    Env,
    EnvFile,
    Era,
    Header,
    Module,
    Python,
    Target,
    Timeout,
    Url,
    checked_era,
    resolver,
)
from mcpapps_cli.errors import ExitStatus


def types(
    target: Target = None,
    module: Module = None,
    command: Command = None,
    url: Url = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="NAME.d.ts, or NAME.js for JSDoc."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 when out of date.")
    ] = False,
    inventory: Annotated[
        Path | None, typer.Option("--inventory", metavar="FILE", help="Read a saved inventory.")
    ] = None,
    python: Python = None,
    env: Env = None,
    env_file: EnvFile = None,
    cwd: Cwd = None,
    header: Header = None,
    era: Era = "auto",
    timeout: Timeout = 15.0,
) -> ExitStatus:
    """Write TypeScript types of the server's tools."""
    from mcpapps_cli.commands.types import types as run

    return run(
        resolver(target, module, command, url, python, env, env_file, cwd, header),
        out=out,
        check=check,
        inventory=inventory,
        era=checked_era(era),
        timeout=timeout,
    )
