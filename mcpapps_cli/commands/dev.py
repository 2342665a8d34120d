"""`mcpapps dev`: a session until it is interrupted, told as lines or as JSON objects."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import webbrowser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from mcpapps_cli import __version__, console
from mcpapps_cli.commands.dev_lines import Lines
from mcpapps_cli.dev import event as events
from mcpapps_cli.dev.keys import read_keys
from mcpapps_cli.dev.session import Session
from mcpapps_cli.errors import ExitStatus
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.model import EraChoice, Project, ServerSpec

if TYPE_CHECKING:
    from mcpapps_cli.stage import Stage


def dev(
    resolve: Callable[[], Project],
    *,
    port: int | None,
    open_browser: bool,
    json_log: bool,
    probe: bool,
    era: EraChoice,
    timeout: float,
    standby: bool = True,
    share: bool = False,
    servers: Mapping[str, ServerSpec] | None = None,
    ui: bool = True,
    make_stage: Callable[..., Stage],
) -> ExitStatus:
    """Run a session until it is interrupted, which is its normal end.

    Args:
        resolve: Reads the project and its server.
        port: The host page's port; None takes the next free one.
        open_browser: Whether to open the host page, where there is a display.
        json_log: Whether to write events as JSON to stdout, and nothing else.
        probe: Whether the diagnostics probe is put into the View's document.
        era: The handshake to use.
        timeout: Seconds that the server gets to answer.
        standby: Whether interpreters wait for the next start of a Python server.
        share: Whether other MCP clients may reach the current server.
        servers: Servers that run beside the project's own, by name.
        ui: Whether servers are told that their client shows Views.
        make_stage: Makes the stage with the emulated host that was chosen.

    Raises:
        UserError: A command does not exist, a port is taken, or the project is gone.
    """
    keys = console.is_terminal() and not json_log
    write = _JsonLog() if json_log else Lines(keys=keys)

    def on_event(event: events.DevEvent) -> None:
        write(event)
        if isinstance(event, events.Ready) and open_browser and _has_display():
            webbrowser.open(event.url)

    session = Session(
        resolve,
        on_event=on_event,
        port=port,
        probe=probe,
        era=era,
        timeout=timeout,
        standby=standby,
        share=share,
        servers=servers,
        ui=ui,
        make_stage=make_stage,
    )
    if not json_log:
        console.note(f"  mcpapps {__version__}   {session.project.name}", "bold")
        if session.project.server is not None and session.project.server.why:
            console.note(f"  {session.project.server.why}", "dim")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_until_stopped(session, keys))
    return ExitStatus.OK


def replay(
    file: Path,
    *,
    port: int | None,
    open_browser: bool,
    json_log: bool,
    probe: bool,
    make_stage: Callable[..., Stage],
) -> ExitStatus:
    """Show the Views of a recording, whose server does not run, until it is interrupted.

    Raises:
        UserError: The file is no recording, or a port is taken.
    """
    from mcpapps_cli.stage import PlayedBackend, open_recording

    backend = PlayedBackend(open_recording(file), label=str(file))
    write = _JsonLog() if json_log else Lines(keys=False)
    tools = backend.inventory().tools

    async def run() -> None:
        async with make_stage(backend, port=port, probe=probe, on_event=write) as stage:
            names = tuple(str(tool.get("name", "")) for tool in tools)
            linked = tuple(
                str(tool.get("name", "")) for tool in tools if apps_metadata(tool).resource_uri
            )
            write(events.Ready(stage.url, stage.sandbox_url, backend.label, names, linked))
            if open_browser and _has_display():
                webbrowser.open(stage.url)
            await asyncio.Event().wait()

    async def until_stopped() -> None:
        task = asyncio.ensure_future(run())
        _cancel_on_signals(task)
        with contextlib.suppress(asyncio.CancelledError):
            await task

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(until_stopped())
    return ExitStatus.OK


async def _until_stopped(session: Session, keys: bool) -> None:
    task = asyncio.ensure_future(session.run())
    _cancel_on_signals(task)
    actions: dict[str, Callable[[], object]] = {
        "r": session.reload,
        "s": session.restart,
        "o": lambda: webbrowser.open(session.url),
        "l": session.lint,
        "q": task.cancel,
    }
    # Cancelled means that somebody wants it to end.
    with (
        read_keys(actions) if keys else contextlib.nullcontext(),
        contextlib.suppress(asyncio.CancelledError),
    ):
        await task


def _cancel_on_signals(task: asyncio.Future[None]) -> None:
    if sys.platform == "win32":
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # Whoever ignores SIGHUP, as nohup does, wants it to outlive the terminal.
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, task.cancel)


def _has_display() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class _JsonLog:
    """Writes one object a line; the first is `ready`, and what came before it follows it."""

    def __init__(self) -> None:
        self._held: list[events.DevEvent] | None = []

    def __call__(self, event: events.DevEvent) -> None:
        if self._held is None:
            _write(event)
        elif isinstance(event, events.Ready):
            held, self._held = self._held, None
            for each in (event, *held):
                _write(each)
        else:
            self._held.append(event)


def _write(event: events.DevEvent) -> None:
    console.out(json.dumps(events.event_json(event), separators=(",", ":")))
