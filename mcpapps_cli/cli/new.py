"""The options of `mcpapps new`."""

from pathlib import Path
from typing import Annotated

import typer

from mcpapps_cli.errors import ExitStatus, UserError


def new(
    directory: Annotated[str | None, typer.Argument(metavar="[DIR]", help="New folder.")] = None,
    template: Annotated[
        str | None, typer.Option("--template", "-t", metavar="NAME", help="Default: vanilla.")
    ] = None,
    sdk: Annotated[
        str,
        typer.Option("--sdk", metavar="mcp|fastmcp|mcp1", help="What the server stands on."),
    ] = "mcp",
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="Project name. Default: the folder's."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show, write nothing.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace files.")] = False,
    list_: Annotated[bool, typer.Option("--list", help="List the templates.")] = False,
) -> ExitStatus:
    """Start a project from a template."""
    from mcpapps_cli.commands.new import new as run

    # A path cannot tell an empty word, such as an unset variable's, from the folder one is in.
    if directory == "":
        raise UserError('"" is no folder', help='name one; "." is the one you are in')
    return run(
        None if directory is None else Path(directory),
        template=template,
        sdk=sdk,
        name=name,
        yes=yes,
        dry_run=dry_run,
        overwrite=overwrite,
        list_templates=list_,
    )
