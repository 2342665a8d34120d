"""The options of `mcpapps doctor`."""

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


def doctor(
    target: Target = None,
    module: Module = None,
    command: Command = None,
    url: Url = None,
    public_url: Annotated[
        str | None, typer.Option("--public-url", help="Where clients will reach the server.")
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
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
        as_json=json_,
        era=checked_era(era),
        timeout=timeout,
    )
