"""The options of `mcpapps dev`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

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

if TYPE_CHECKING:
    from mcpapps_cli.stage import Backend, Stage


def dev(
    target: Target = None,
    module: Module = None,
    command: Command = None,
    url: Url = None,
    port: Annotated[
        int | None,
        typer.Option("--port", metavar="N", min=1, max=65535, help="Default: the next free one."),
    ] = None,
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
    server: Annotated[
        list[str] | None,
        typer.Option(
            "--server", metavar="NAME=COMMAND", help="Another server beside this; repeatable."
        ),
    ] = None,
    ui: Annotated[
        bool, typer.Option("--ui/--no-ui", help="Tell servers that their client shows Views.")
    ] = True,
    profile: Annotated[
        str, typer.Option("--profile", metavar="HOST", help="The host to emulate.")
    ] = "spec",
    quirk: Annotated[
        list[str] | None,
        typer.Option("--quirk", metavar="NAME", help="What that host does wrong; repeatable."),
    ] = None,
    fault: Annotated[
        list[str] | None,
        typer.Option("--fault", metavar="NAME", help="What goes wrong on demand; repeatable."),
    ] = None,
    origin: Annotated[
        str, typer.Option("--origin", metavar="profile|opaque|own", help="Origin of Views.")
    ] = "profile",
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Write every message to it.")
    ] = None,
    replay: Annotated[
        Path | None,
        typer.Option("--replay", metavar="FILE", help="Play a recording instead of a server."),
    ] = None,
    sandbox_port: Annotated[
        int | None,
        typer.Option(
            "--sandbox-port",
            metavar="N",
            min=1,
            max=65535,
            help="Default: a free one after --port.",
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="Another Host header; repeatable."),
    ] = None,
    public_url: Annotated[
        str | None,
        typer.Option("--public-url", metavar="URL", help="Where the first port is forwarded to."),
    ] = None,
    sandbox_url: Annotated[
        str | None,
        typer.Option("--sandbox-url", metavar="URL", help="Where the second port is forwarded to."),
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
    import mcpapps_cli.commands.dev as command_module
    from mcpapps_cli.config.companions import resolve_servers
    from mcpapps_cli.errors import UserError
    from mcpapps_cli.stage.address import Addresses

    if origin not in ("profile", "opaque", "own"):
        raise UserError(f'there is no origin "{origin}"', help="use profile, opaque or own")
    addresses = Addresses(tuple(allow_host or ()), public_url, sandbox_url)

    def make_stage(backend: "Backend", **more: Any) -> "Stage":
        # Imported when it is made: the server starts meanwhile.
        from mcpapps_cli.stage import Stage

        return Stage(
            backend,
            profile=profile,
            quirks=tuple(quirk or ()),
            faults=tuple(fault or ()),
            origin=cast(Literal["profile", "opaque", "own"], origin),
            record=record,
            sandbox_port=sandbox_port,
            addresses=addresses,
            **more,
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
        resolver(target, module, command, url, python, env, env_file, cwd, header),
        port=port,
        open_browser=open_,
        json_log=json_log,
        probe=probe,
        era=checked_era(era),
        timeout=timeout,
        standby=standby,
        share=share_mcp,
        servers=resolve_servers(server or (), python=python),
        ui=ui,
        make_stage=make_stage,
    )
