"""The events of a dev session as lines for a person: one for each thing that happened."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from mcpapps_cli import console
from mcpapps_cli.dev import event as events
from mcpapps_cli.frame import frame
from mcpapps_cli.model import JsonObject, Position
from mcpapps_cli.stage.event import NoteEvent, StepEvent, ViolationEvent
from mcpapps_cli.words import count, cut

_WIDTH = 28
_SHOWN = 2
_KEYS = "r reload   s restart server   o open   l lint   q quit"


class Lines:
    """Writes events to the terminal.

    A change and what came of it share a line, so the change waits until that is known.

    Args:
        keys: Whether keys do something, which is then said.
        now: The time that a line begins with.
    """

    def __init__(self, *, keys: bool, now: Callable[[], datetime] = datetime.now):
        self._keys = keys
        self._now = now
        self._changed = ""
        self._built: list[str] = []
        # Names of the servers that do not run; None is the project's own.
        self._failed: set[str | None] = set()

    def __call__(self, event: events.DevEvent) -> None:
        """Write what there is to say about an event."""
        match event:
            case events.Ready():
                self._ready(event)
            case events.Changed(paths):
                self._changed = _named(paths) + " changed"
                self._built = []
            case events.BundleReady(written=True) if self._changed:
                self._line(f"rebuilt {event.view} in {event.ms} ms, re-mounted")
            case events.BundleReady(written=True):
                self._line(f"bundled {event.view} in {event.ms} ms ({event.size / 1000:.1f} kB)")
            case events.BuildFailed():
                self._line(f"{event.view}: build failed, the last good View stays")
                _error(event.error)
            case events.ServerReady():
                warm = "" if event.warm else ", cold"
                name = event.server or "server"
                self._line(f"{name} restarted in {event.ms} ms{warm}")
                self._failed.discard(event.server)
            case events.ServerFailed():
                name = f"{event.server}: " if event.server else ""
                self._line(name + event.error["message"])
                _error(event.error, title=False)
                self._failed.add(event.server)
            case events.ServerOutput(noise=True):
                name = f'server "{event.server}"' if event.server else "server"
                console.warning(
                    f'the {name} wrote a line to stdout that is no message: "{cut(event.line)}"',
                    "log to stderr; stdout belongs to the protocol",
                )
            case events.ServerOutput():
                console.labelled(f"  {event.server or 'server'}  ", event.line)
            case events.LintReport():
                self._lint(event)
            case StepEvent(state="broken"):
                self._line(f"{event.tool}: {event.step} broken: {event.cause}")
            case StepEvent(step="painted", state="ok"):
                self._line(f"{event.tool}: painted")
            case ViolationEvent():
                place = f" (line {event.line})" if event.line else ""
                self._line(f"{event.tool}: {event.directive} blocked {event.blocked}{place}")
            case NoteEvent(level="error" | "warning") | NoteEvent(view=None, tool=None):
                self._line(f"{event.tool}: {event.text}" if event.tool else event.text)
            case _:
                pass

    def _line(self, text: str) -> None:
        changed = f"{self._changed:<{_WIDTH}}  " if self._changed else ""
        self._changed = ""
        console.labelled(self._now().strftime("%H:%M:%S  "), changed + text)

    def _ready(self, event: events.Ready) -> None:
        console.note()
        console.labelled("  Host     ", event.url)
        console.labelled("  Sandbox  ", event.sandbox)
        tools = f"{count(len(event.tools), 'tool')}, {len(event.ui_tools)} with a View"
        console.labelled("  Server   ", f"{event.server}   {tools}")
        if event.mcp is not None:
            console.labelled("  MCP      ", event.mcp)
        if self._keys:
            console.note(f"\n  {_KEYS}", "dim")
        console.note()
        if not event.ui_tools and None not in self._failed:
            console.warning("no tool of this server links a View", "see _meta.ui.resourceUri")

    def _lint(self, event: events.LintReport) -> None:
        for finding in event.gone:
            self._line(f"lint: gone: {finding['rule']} ({finding['subject']})")
        for finding in event.new:
            console.labelled(
                f"{finding['severity']}[{finding['code']}]",
                f": {finding['message']} ({finding['subject']})",
                finding["severity"],
            )
            console.labelled(" help", f": {finding['help']}", "info")
        self._line(f"lint: {count(event.errors, 'error')} and {count(event.warnings, 'warning')}")


def _error(error: JsonObject, *, title: bool = True) -> None:
    if title:
        console.labelled("error", f": {error['message']}", "error")
    if "position" in error:
        console.note(frame(Position(**error["position"])))
    for line in error.get("details", ()):
        console.note(f"   | {line}", "dim")
    if "help" in error:
        console.labelled(" help", f": {error['help']}", "info")


def _named(paths: tuple[str, ...]) -> str:
    more = len(paths) - _SHOWN
    return ", ".join(paths[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
