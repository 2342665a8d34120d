"""The top of the command line: its help page, its version, the closest match for a wrong word."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any, Final

import typer
import typer.main
from typer.core import TyperGroup

from mcpapps_cli import __version__
from mcpapps_cli.cli.values import Command, Light
from mcpapps_cli.errors import UserError

COMMANDS: Final = ("new", "dev", "bundle", "lint", "bridge", "explain", "types", "doctor")
"""Every command, as the help page lists them; each is the function of that name in its module."""
HELP_NAMES: Final = {"help_option_names": ["-h", "--help"]}


class Commands(Light, TyperGroup):
    """The top-level group: a short list of commands, and a closest match for a wrong one.

    A command is read when it is asked for: the options of all would take longer than most runs.
    """

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help page without any decoration."""
        lines = ["Usage: mcpapps <command> [options]", ""]
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                lines.append(f"  {name:<9} {command.get_short_help_str(70)}")
        lines += ["", "`mcpapps <command> --help` for options, `mcpapps --version`."]
        formatter.write("\n".join(lines) + "\n")

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, name: str) -> Any:
        """Return the command of that name; None if there is none."""
        if name not in COMMANDS:
            return None
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        function = getattr(import_module(f"mcpapps_cli.cli.{name}"), name)
        alone.command(name, cls=Command, context_settings=HELP_NAMES)(function)
        return typer.main.get_command(alone)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command; a name that does not exist is a user's error."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from difflib import get_close_matches

            close = get_close_matches(args[0], COMMANDS, 1)
            raise UserError(
                f'no command "{args[0]}"',
                help=f'did you mean "{close[0]}"?' if close else "see mcpapps --help",
            )
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=False,
    context_settings=HELP_NAMES,
)


@app.callback(invoke_without_command=True)
def _top(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        typer.echo(f"mcpapps {__version__}")
    elif ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())
