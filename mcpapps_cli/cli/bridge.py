"""The options of `mcpapps bridge`."""

from pathlib import Path
from typing import Annotated

import typer

from mcpapps_cli.errors import ExitStatus


def bridge(
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="A .js or .mjs file; types go beside it.")
    ] = Path("mcpapps-bridge.mjs"),
    global_: Annotated[
        bool, typer.Option("--global", help="The classic script that defines `mcpapps`.")
    ] = False,
) -> ExitStatus:
    """Write the bridge and its types for another bundler."""
    from mcpapps_cli.commands.bridge import bridge as run

    return run(out, global_script=global_)
