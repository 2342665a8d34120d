"""The options of `mcpapps bundle`."""

from pathlib import Path
from typing import Annotated

import typer

from mcpapps_cli.cli.options import Format, checked_format
from mcpapps_cli.errors import ExitStatus


def bundle(
    views: Annotated[
        list[str] | None, typer.Argument(metavar="[VIEW]...", help="Default: every View.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 when out of date.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Default: the project's.")
    ] = None,
    project: Annotated[
        Path | None, typer.Option("--project", metavar="DIR", help="Default: here.")
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Build again on every change.")] = False,
    format_: Format = "text",
    engine: Annotated[
        str | None,
        typer.Option("--engine", metavar="NAME", help="auto, none, esbuild-py or esbuild."),
    ] = None,
    esbuild: Annotated[
        Path | None, typer.Option("--esbuild", metavar="FILE", help="The esbuild to use.")
    ] = None,
    fetch: Annotated[
        bool, typer.Option("--fetch-esbuild", help="Fetch esbuild when it is needed and missing.")
    ] = False,
    policy: Annotated[
        str | None,
        typer.Option("--csp", metavar="NAME", help="hash, unsafe-inline or none."),
    ] = None,
    allow_external: Annotated[
        bool, typer.Option("--allow-external", help="Add the origins that Views use to csp.")
    ] = False,
    trim: Annotated[
        list[str] | None,
        typer.Option("--trim", metavar="WHAT", help="What to leave out: zod-locales."),
    ] = None,
    max_size: Annotated[
        str | None, typer.Option("--max-size", metavar="SIZE", help='Of a page, such as "500 kB".')
    ] = None,
) -> ExitStatus:
    """Turn a View into one self-contained HTML file."""
    from mcpapps_cli.commands.bundle import bundle as run

    return run(
        views or [],
        check=check,
        out=out,
        folder=project,
        watch=watch,
        format_=checked_format(format_),
        engine=engine,
        esbuild=esbuild,
        fetch=fetch,
        policy=policy,
        allow_external=allow_external,
        trim=trim or [],
        max_size=max_size,
    )
