"""The top of the command line: its help page, its version, the closest match for a wrong word."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from mcpapps_cli import __version__
from mcpapps_cli.errors import UserError


class Commands(TyperGroup):
    """The top-level group: a short list of commands, and a closest match for a wrong one."""

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
        """Return the commands in the order in which they are declared."""
        return list(self.commands)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command; a name that does not exist is a user's error."""
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            from difflib import get_close_matches

            close = get_close_matches(args[0], self.commands, 1)
            raise UserError(
                f'no command "{args[0]}"',
                help=f'did you mean "{close[0]}"?' if close else "see mcpapps --help",
            )
        return super().resolve_command(ctx, args)


HELP_NAMES = {"help_option_names": ["-h", "--help"]}

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
