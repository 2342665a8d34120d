"""`mcpapps dev`: the session's events as lines, or as JSON objects."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import webbrowser
from collections.abc import Callable
from datetime import datetime

from mcpapps_cli import __version__, console
from mcpapps_cli.dev import event as events
from mcpapps_cli.dev.session import Session
from mcpapps_cli.errors import ExitStatus
from mcpapps_cli.frame import frame
from mcpapps_cli.model import EraChoice, JsonObject, Position, Project
from mcpapps_cli.stage.event import NoteEvent, StepEvent, ViolationEvent


def dev(
    resolve: Callable[[], Project],
    *,
    port: int | None,
    open_browser: bool,
    json_log: bool,
    probe: bool,
    era: EraChoice,
    timeout: float,
) -> ExitStatus:
    """Run a session until it is interrupted, which is its normal end."""
    write = _write_json if json_log else _write_line

    def on_event(event: events.DevEvent) -> None:
        write(event)
        if isinstance(event, events.Ready) and open_browser and _has_display():
            webbrowser.open(event.url)

    session = Session(resolve, on_event=on_event, port=port, probe=probe, era=era, timeout=timeout)
    if not json_log:
        console.note(f"  mcpapps {__version__}   {session.project.name}", "bold")
        if session.project.server is not None and session.project.server.why:
            console.note(f"  {session.project.server.why}", "dim")
    asyncio.run(_until_stopped(session))
    return ExitStatus.OK


async def _until_stopped(session: Session) -> None:
    task = asyncio.ensure_future(session.run())
    loop = asyncio.get_running_loop()
    if sys.platform != "win32":
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, task.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await task


def _has_display() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _write_json(event: events.DevEvent) -> None:
    console.out(json.dumps(events.event_json(event), ensure_ascii=False, separators=(",", ":")))


def _write_line(event: events.DevEvent) -> None:
    match event:
        case events.Ready():
            _write_ready(event)
        case events.Changed():
            _line(f"{', '.join(event.paths[:3])}{_more(len(event.paths) - 3)} changed")
        case events.BundleReady(written=True):
            _line(f"bundled {event.view} in {event.ms} ms ({event.size / 1000:.1f} kB)")
        case events.BuildFailed():
            _line(f"{event.view}: build failed, the last good View stays")
            _write_error(event.error)
        case events.ServerReady():
            _line(f"server restarted in {event.ms} ms")
        case events.ServerFailed():
            _line("server failed")
            _write_error(event.error)
        case events.ServerOutput(noise=True):
            console.warning(
                f'the server wrote a line to stdout that is no message: "{event.line[:200]}"',
                "log to stderr; stdout belongs to the protocol",
            )
        case events.ServerOutput():
            console.labelled("server  ", event.line)
        case StepEvent(state="broken"):
            _line(f"{event.tool}: {event.step} broken: {event.cause}")
        case StepEvent(step="painted", state="ok"):
            _line(f"{event.tool}: painted")
        case ViolationEvent():
            place = f" (line {event.line})" if event.line else ""
            _line(f"{event.tool}: {event.directive} blocked {event.blocked}{place}")
        case NoteEvent(level="error" | "warning"):
            _line(f"{event.tool or 'host'}: {event.text}")
        case _:
            pass


def _write_ready(event: events.Ready) -> None:
    count, with_view = len(event.tools), len(event.ui_tools)
    console.note()
    console.labelled("  Host     ", event.url)
    console.labelled("  Sandbox  ", event.sandbox)
    tools = f"{count} tool{'' if count == 1 else 's'}, {with_view} with a View"
    console.labelled("  Server   ", f"{event.server}   {tools}")
    console.note()
    if not event.ui_tools:
        console.warning("no tool of this server links a View", "see _meta.ui.resourceUri")


def _write_error(error: JsonObject) -> None:
    console.labelled("error", f": {error['message']}", "error")
    if "position" in error:
        console.note(frame(Position(**error["position"])))
    for line in error.get("details", ()):
        console.note(f"   | {line}", "dim")
    if "help" in error:
        console.labelled(" help", f": {error['help']}", "info")


def _line(text: str) -> None:
    console.labelled(datetime.now().strftime("%H:%M:%S  "), text)


def _more(count: int) -> str:
    return f" and {count} more" if count > 0 else ""
