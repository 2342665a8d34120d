"""The commands and their options; the one place that catches errors and ends the process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn, cast

import typer
from typer.core import TyperGroup

from mcpapps_cli import __version__
from mcpapps_cli.errors import ExitStatus, McpAppsError, UserError
from mcpapps_cli.options import (
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
)

if TYPE_CHECKING:
    from mcpapps_cli.model import EraChoice, Project

# Typer brings its own copy of click in newer releases; its base classes are reached through it.
_UsageError: Any = typer.BadParameter.__bases__[0]
_ClickException: Any = _UsageError.__bases__[0]


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


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=False,
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


@app.command()
def new(
    directory: Annotated[Path | None, typer.Argument(metavar="[DIR]", help="New folder.")] = None,
    template: Annotated[
        str | None, typer.Option("--template", "-t", metavar="NAME", help="Default: vanilla.")
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Project name. Default: the folder's.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show, write nothing.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace files.")] = False,
    list_: Annotated[bool, typer.Option("--list", help="List the templates.")] = False,
) -> ExitStatus:
    """Start a project from a template."""
    from mcpapps_cli.commands.new import new as run

    return run(
        directory,
        template=template,
        name=name,
        yes=yes,
        dry_run=dry_run,
        overwrite=overwrite,
        list_templates=list_,
    )


@app.command()
def dev(
    target: Target = None,
    module: Module = None,
    command: Command = None,
    url: Url = None,
    port: Annotated[int | None, typer.Option("--port", min=1, max=65535)] = None,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Open a browser.")] = True,
    json_log: Annotated[
        bool, typer.Option("--json-log", help="One JSON object per line on stdout.")
    ] = False,
    probe: Annotated[
        bool, typer.Option("--probe/--no-probe", help="Diagnostics inside the View.")
    ] = True,
    standby: Annotated[
        bool, typer.Option("--standby/--no-standby", help="Import ahead for the next restart.")
    ] = True,
    share_mcp: Annotated[
        bool, typer.Option("--share-mcp", help="Serve the current server to other MCP clients.")
    ] = False,
    profile: Annotated[str, typer.Option("--profile", help="The host to emulate.")] = "spec",
    quirk: Annotated[
        list[str] | None, typer.Option("--quirk", help="What that host does wrong; repeatable.")
    ] = None,
    fault: Annotated[
        list[str] | None, typer.Option("--fault", help="What goes wrong on demand; repeatable.")
    ] = None,
    origin: Annotated[
        str, typer.Option("--origin", help="Origin of Views: profile, opaque or own.")
    ] = "profile",
    record: Annotated[
        Path | None, typer.Option("--record", help="Write every message to this file.")
    ] = None,
    replay: Annotated[
        Path | None, typer.Option("--replay", help="Play a recording instead of a server.")
    ] = None,
    sandbox_port: Annotated[
        int | None, typer.Option("--sandbox-port", min=1, max=65535, help="The second port.")
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option("--allow-host", help="Another Host header; repeatable.")
    ] = None,
    public_url: Annotated[
        str | None, typer.Option("--public-url", help="Where the first port is forwarded to.")
    ] = None,
    sandbox_url: Annotated[
        str | None, typer.Option("--sandbox-url", help="Where the second port is forwarded to.")
    ] = None,
    python: Python = None,
    env: Env = None,
    env_file: EnvFile = None,
    cwd: Cwd = None,
    header: Header = None,
    era: Era = "auto",
    timeout: Timeout = 15.0,
) -> ExitStatus:
    """Run the server and preview its Views, reloading on save."""
    from functools import partial

    import mcpapps_cli.commands.dev as command_module
    from mcpapps_cli.errors import UserError
    from mcpapps_cli.stage import Addresses, Stage

    if origin not in ("profile", "opaque", "own"):
        raise UserError(f'there is no origin "{origin}"', help="use profile, opaque or own")
    make_stage = partial(
        Stage,
        profile=profile,
        quirks=tuple(quirk or ()),
        faults=tuple(fault or ()),
        origin=cast(Literal["profile", "opaque", "own"], origin),
        record=record,
        sandbox_port=sandbox_port,
        addresses=Addresses(tuple(allow_host or ()), public_url, sandbox_url),
    )
    if replay is not None:
        return command_module.replay(
            replay,
            port=port,
            open_browser=open_,
            json_log=json_log,
            probe=probe,
            make_stage=make_stage,
        )
    return command_module.dev(
        _project(target, module, command, url, python, env, env_file, cwd, header),
        port=port,
        open_browser=open_,
        json_log=json_log,
        probe=probe,
        era=_era(era),
        timeout=timeout,
        standby=standby,
        share=share_mcp,
        make_stage=make_stage,
    )


@app.command()
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
    format_: Annotated[
        str, typer.Option("--format", metavar="text|json", help="Default: text.")
    ] = "text",
    engine: Annotated[
        str | None, typer.Option("--engine", metavar="NAME", help="Default: each View's.")
    ] = None,
    esbuild: Annotated[
        Path | None, typer.Option("--esbuild", metavar="FILE", help="The esbuild to use.")
    ] = None,
    fetch: Annotated[
        bool, typer.Option("--fetch-esbuild", help="Fetch esbuild when it is needed and missing.")
    ] = False,
    policy: Annotated[
        str | None, typer.Option("--csp", metavar="NAME", help="Default: each View's.")
    ] = None,
    allow_external: Annotated[
        bool, typer.Option("--allow-external", help="As if every View allowed it.")
    ] = False,
    trim: Annotated[
        list[str] | None, typer.Option("--trim", metavar="WHAT", help="Beside each View's.")
    ] = None,
    max_size: Annotated[
        str | None, typer.Option("--max-size", metavar="SIZE", help="Default: each View's.")
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
        format_=format_,
        engine=engine,
        esbuild=esbuild,
        fetch=fetch,
        policy=policy,
        allow_external=allow_external,
        trim=trim or [],
        max_size=max_size,
    )


@app.command()
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
        list[str] | None, typer.Option("--select", metavar="RULE", help="Only these rules.")
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="RULE", help="Not these rules.")
    ] = None,
    call: Annotated[
        list[str] | None,
        typer.Option("--call", metavar="TOOL=JSON", help="Call a tool and check its result."),
    ] = None,
    run_: Annotated[bool, typer.Option("--run", help="Mount the Views in a browser.")] = False,
    profile: Annotated[
        list[str] | None,
        typer.Option("--profile", metavar="HOST", help="Check for this host too, or for all."),
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
        _project(target, module, command, url, python, env, env_file, cwd, header),
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
            era=_era(era),
            timeout=timeout,
        ),
    )


@app.command()
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


@app.command()
def explain(
    rule: Annotated[str | None, typer.Argument(metavar="[RULE]", help="Name or code.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the rules.")] = False,
    format_: Annotated[
        str, typer.Option("--format", metavar="text|json", help="Of the list.")
    ] = "text",
) -> ExitStatus:
    """Explain a lint rule."""
    from mcpapps_cli.commands.explain import explain as run

    return run(rule, list_rules=list_, format_=format_)


@app.command()
def types(
    target: Target = None,
    module: Module = None,
    command: Command = None,
    url: Url = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="NAME.d.ts, or NAME.js for JSDoc."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 when out of date.")
    ] = False,
    inventory: Annotated[
        Path | None, typer.Option("--inventory", metavar="FILE", help="Read a saved inventory.")
    ] = None,
    python: Python = None,
    env: Env = None,
    env_file: EnvFile = None,
    cwd: Cwd = None,
    header: Header = None,
    era: Era = "auto",
    timeout: Timeout = 15.0,
) -> ExitStatus:
    """Write TypeScript types of the server's tools."""
    from mcpapps_cli.commands.types import types as run

    return run(
        _project(target, module, command, url, python, env, env_file, cwd, header),
        out=out,
        check=check,
        inventory=inventory,
        era=_era(era),
        timeout=timeout,
    )


@app.command()
def doctor(
    target: Target = None,
    module: Module = None,
    command: Command = None,
    url: Url = None,
    public_url: Annotated[
        str | None, typer.Option("--public-url", help="Where clients will reach the server.")
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
    python: Python = None,
    env: Env = None,
    env_file: EnvFile = None,
    cwd: Cwd = None,
    header: Header = None,
    era: Era = "auto",
    timeout: Timeout = 15.0,
) -> ExitStatus:
    """Show what of this machine and project would be used."""
    from mcpapps_cli.commands.doctor import doctor as run

    return run(
        _project(target, module, command, url, python, env, env_file, cwd, header),
        public_url=public_url,
        as_json=json_,
        era=_era(era),
        timeout=timeout,
    )


def _project(
    target: str | None,
    module: str | None,
    command: str | None,
    url: str | None,
    python: str | None,
    env: list[str] | None,
    env_file: Path | None,
    cwd: Path | None,
    headers: list[str] | None,
) -> Callable[[], Project]:
    from mcpapps_cli.config import resolve_target

    return partial(
        resolve_target,
        target,
        module=module,
        command=command,
        url=url,
        python=python,
        env=env or (),
        env_file=env_file,
        cwd=cwd,
        headers=headers or (),
    )


def _era(value: str) -> EraChoice:
    if value not in ("auto", "legacy", "modern"):
        raise UserError(f'"{value}" is not an era', help="use auto, legacy or modern")
    return cast("EraChoice", value)


def run(args: list[str]) -> ExitStatus:
    """Run one command line and return how it ended; every error is written here."""
    try:
        status = app(args, prog_name="mcpapps", standalone_mode=False)
        return status if isinstance(status, ExitStatus) else ExitStatus.OK
    except McpAppsError as exc:
        from mcpapps_cli import console

        console.error(exc)
        return ExitStatus.USAGE
    except _ClickException as exc:
        from mcpapps_cli import console

        console.error(_usage_error(exc))
        return ExitStatus.USAGE
    except (KeyboardInterrupt, typer.Abort):
        return ExitStatus.INTERRUPTED
    except BrokenPipeError:
        # The reader of stdout has gone, as in `mcpapps lint | head`; nothing is wrong.
        return ExitStatus.OK
    except Exception as exc:
        from mcpapps_cli.commands.fault import report_fault

        return report_fault(exc)


def _usage_error(exc: Any) -> UserError:
    message = str(exc.format_message()).rstrip(".")
    command = exc.ctx.command_path if getattr(exc, "ctx", None) else "mcpapps"
    return UserError(message[:1].lower() + message[1:], help=f"see {command} --help")


def main() -> NoReturn:
    """Entry point of the commands `mcpapps` and `mcpapps-cli`."""
    sys.exit(int(run(sys.argv[1:])))
