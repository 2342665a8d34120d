"""The top of the command line: its help page, its version, the closest match for a wrong word."""

from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

from mcpapps_cli import __version__
from mcpapps_cli.errors import UserError

COMMANDS: Final = {
    "new": "Start a project from a template.",
    "add": "Add a View or a tool to a project.",
    "dev": "Run the server and preview its Views, reloading on save.",
    "bundle": "Turn a View into one self-contained HTML file.",
    "lint": "Check tools, resources and pages from what the server really sends.",
    "test": "Try the Views in many hosts; a report with pictures.",
    "bridge": "Write the bridge and its types for another bundler.",
    "explain": "Explain a lint rule.",
    "types": "Write TypeScript types of the server's tools.",
    "doctor": "Show what of this machine and project would be used.",
}
"""Every command in the order of the help page; each is in the module of its name."""

_HELP_NAMES: Final = {"help_option_names": ["-h", "--help"]}


def make_app(**settings: Any) -> typer.Typer:
    """Return a part of the command line that has our ways: plain help pages, no completion."""
    return typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=_HELP_NAMES,
        **settings,
    )


class Words(TyperGroup):
    """A group of commands that knows the closest match for a wrong word."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command; a name that does not exist is a user's error."""
        names = self.list_commands(ctx)
        if args and not args[0].startswith("-") and args[0] not in names:
            from difflib import get_close_matches

            close = get_close_matches(args[0], names, 1)
            raise UserError(
                f'no command "{args[0]}"',
                help=f'did you mean "{close[0]}"?' if close else f"see {ctx.command_path} --help",
            )
        return super().resolve_command(ctx, args)


class Commands(Words):
    """The top-level group: it reads the options of the command that is called and of no other."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take `help COMMAND` for `COMMAND --help`."""
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help page without any decoration."""
        lines = ["Usage: mcpapps <command> [options]", ""]
        lines += [f"  {name:<9} {summary}" for name, summary in COMMANDS.items()]
        lines += ["", "`mcpapps <command> --help` for options, `mcpapps --version`."]
        formatter.write("\n".join(lines) + "\n")

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the commands in the order in which they are declared."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command, made from its function; None when there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        found = getattr(import_module(f"mcpapps_cli.cli.{cmd_name}"), cmd_name)
        if not isinstance(found, typer.Typer):
            function, found = found, make_app()
            # Named, for where Python runs without docstrings.
            summary = COMMANDS[cmd_name]
            found.command(cmd_name, help=summary, context_settings=_HELP_NAMES)(function)
        return get_command(found)


app = make_app(cls=Commands, no_args_is_help=False)


@app.callback(invoke_without_command=True)
def _top(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        typer.echo(f"mcpapps {__version__}")
    elif ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())
