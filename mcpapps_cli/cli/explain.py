"""The options of `mcpapps explain`."""

from typing import Annotated

import typer

from mcpapps_cli.cli.options import checked_format
from mcpapps_cli.errors import ExitStatus


def explain(
    rule: Annotated[str | None, typer.Argument(metavar="[RULE]", help="Name or code.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the rules.")] = False,
    format_: Annotated[
        str, typer.Option("--format", metavar="text|json", help="Of the list.")
    ] = "text",
) -> ExitStatus:
    """Explain a lint rule."""
    from mcpapps_cli.commands.explain import explain as run

    return run(rule, list_rules=list_, format_=checked_format(format_))
