"""The options of `mcpapps doctor`."""

from typing import Annotated

import typer

from mcpapps_cli.cli.options import (
    Command,
    Cwd,
    Env,
    EnvFile,
    Era,
    Format,
    Header,
    Module,
    Python,
    Target,
    Timeout,
    Url,
    checked_era,
    checked_format,
    resolver,
)
from mcpapps_cli.errors import ExitStatus


def doctor(
    target: Target = None,
    module: Module = None,
    command: Command = None,
    url: Url = None,
    public_url: Annotated[
        str | None,
        typer.Option("--public-url", metavar="URL", help="Where clients will reach the server."),
    ] = None,
    format_: Format = "text",
    python: Python = None,
    env: Env = None,
    env_file: EnvFile = None,
    cwd: Cwd = None,
    header: Header = None,
    era: Era = "auto",
    timeout: Timeout = 15.0,
) -> ExitStatus:
    """Show what of this machine and project would be used."""
    from mcpapps_cli.commands.doctor import doctor as run

    return run(
        resolver(target, module, command, url, python, env, env_file, cwd, header),
        public_url=public_url,
        format_=checked_format(format_),
        era=checked_era(era),
        timeout=timeout,
    )
