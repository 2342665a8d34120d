"""The options of `mcpapps lint`."""

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


def lint(
    target: Target = None,
    module: Module = None,
    command: Command = None,
    url: Url = None,
    inventory: Annotated[
        Path | None, typer.Option("--inventory", metavar="FILE", help="Check a saved inventory.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Save what the server sent.")
    ] = None,
    format_: Annotated[
        str,
        typer.Option("--format", metavar="NAME", help="text, concise, json, github, sarif, junit."),
    ] = "text",
    select: Annotated[
        list[str] | None,
        typer.Option("--select", metavar="RULE", help="Only this rule; repeatable."),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option("--ignore", metavar="RULE", help="Not this rule; repeatable."),
    ] = None,
    call: Annotated[
        list[str] | None,
        typer.Option(
            "--call", metavar="TOOL=JSON", help="Call a tool and check its result; repeatable."
        ),
    ] = None,
    run_: Annotated[bool, typer.Option("--run", help="Mount the Views in a browser.")] = False,
    profile: Annotated[
        list[str] | None,
        typer.Option(
            "--profile", metavar="HOST", help="Check for this host too; or all; repeatable."
        ),
    ] = None,
    fail_on: Annotated[
        str, typer.Option("--fail-on", metavar="SEVERITY", help="error, warning, info or never.")
    ] = "error",
    allow_skips: Annotated[
        bool, typer.Option("--allow-skips", help="Exit 0 although something was not checked.")
    ] = False,
    require_ui: Annotated[
        bool, typer.Option("--require-ui", help="Exit 1 when no tool has a View.")
    ] = False,
    baseline: Annotated[
        Path | None,
        typer.Option("--baseline", metavar="FILE", help="Compare pages with a saved inventory."),
    ] = None,
    wheel: Annotated[
        Path | None, typer.Option("--wheel", metavar="FILE", help="Default: newest in dist.")
    ] = None,
    network: Annotated[
        bool, typer.Option("--network", help="Ask for the files that pages load.")
    ] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Correct the project's files.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show what --fix would change.")] = False,
    python: Python = None,
    env: Env = None,
    env_file: EnvFile = None,
    cwd: Cwd = None,
    header: Header = None,
    era: Era = "auto",
    timeout: Timeout = 15.0,
) -> ExitStatus:
    """Check tools, resources and pages from what the server really sends."""
    from mcpapps_cli.commands.lint import Options
    from mcpapps_cli.commands.lint import lint as run

    return run(
        resolver(target, module, command, url, python, env, env_file, cwd, header),
        Options(
            inventory=inventory,
            save=save,
            format=format_,
            select=select or [],
            ignore=ignore or [],
            calls=call or [],
            run=run_,
            profiles=profile or [],
            fail_on=fail_on,
            allow_skips=allow_skips,
            require_ui=require_ui,
            baseline=baseline,
            wheel=wheel,
            network=network,
            fix=fix,
            diff=diff,
            era=checked_era(era),
            timeout=timeout,
        ),
    )
