"""The options of `mcpapps test`."""

from __future__ import annotations

from pathlib import Path
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


def test(
    target: Target = None,
    module: Module = None,
    command: Command = None,
    url: Url = None,
    profile: Annotated[
        list[str] | None,
        typer.Option("--profile", metavar="HOST", help="Default: spec; or all; repeatable."),
    ] = None,
    theme: Annotated[
        list[str] | None,
        typer.Option("--theme", metavar="light|dark", help="Default: both; repeatable."),
    ] = None,
    mode: Annotated[
        list[str] | None,
        typer.Option(
            "--mode", metavar="MODE", help="inline (default), fullscreen or pip; repeatable."
        ),
    ] = None,
    size: Annotated[
        list[str] | None,
        typer.Option("--size", metavar="W[xH]", help="In pixels; default: the host's; repeatable."),
    ] = None,
    call: Annotated[
        list[str] | None,
        typer.Option(
            "--call", metavar="TOOL=JSON", help="Call a tool, not the project's calls; repeatable."
        ),
    ] = None,
    recording: Annotated[
        list[Path] | None,
        typer.Option(
            "--recording", metavar="FILE", help="Calls that dev --record wrote; repeatable."
        ),
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option(
            "--allow", metavar="KIND", help="What may be wrong, such as violation; repeatable."
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Default: reports/mcpapps-test.html."),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML too.")
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
    """Try the Views in many hosts; a report with pictures."""
    from mcpapps_cli.commands.test import Options
    from mcpapps_cli.commands.test import test as run

    return run(
        resolver(target, module, command, url, python, env, env_file, cwd, header),
        Options(
            profiles=profile or [],
            themes=theme or [],
            modes=mode or [],
            sizes=size or [],
            calls=call or [],
            recordings=recording or [],
            allow=allow or [],
            report=report,
            junit=junit,
            format=checked_format(format_),
            era=checked_era(era),
            timeout=timeout,
        ),
    )
