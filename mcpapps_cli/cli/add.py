"""The options of `mcpapps add view` and `mcpapps add tool`."""

from pathlib import Path
from typing import Annotated

import typer

from mcpapps_cli.cli.group import COMMANDS, Words, make_app
from mcpapps_cli.errors import ExitStatus

Folder = Annotated[Path | None, typer.Option("--project", metavar="DIR", help="Default: here.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show, write nothing.")]
Diff = Annotated[bool, typer.Option("--diff", help="Show every line, write nothing.")]

add = make_app(cls=Words)


@add.callback(invoke_without_command=True, help=COMMANDS["add"])
def _alone(ctx: typer.Context) -> None:
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


@add.command(help="Add a View: its page, style and script, its table, its bundle.")
def view(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Becomes the file's name and part of the URI.")
    ],
    project: Folder = None,
    dry_run: DryRun = False,
    diff: Diff = False,
) -> ExitStatus:
    """Run `mcpapps add view`."""
    from mcpapps_cli.commands.add import add_view

    return add_view(name, folder=project, dry_run=dry_run, diff=diff)


@add.command(help="Add a tool to the server, linked with a View.")
def tool(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The tool's name and its function's.")
    ],
    view: Annotated[
        str | None, typer.Option("--view", metavar="VIEW", help="Default: the only one.")
    ] = None,
    server: Annotated[
        Path | None,
        typer.Option("--server", metavar="FILE", help="Default: what the project runs."),
    ] = None,
    project: Folder = None,
    dry_run: DryRun = False,
    diff: Diff = False,
) -> ExitStatus:
    """Run `mcpapps add tool`."""
    from mcpapps_cli.commands.add import add_tool

    return add_tool(name, view=view, server=server, folder=project, dry_run=dry_run, diff=diff)
