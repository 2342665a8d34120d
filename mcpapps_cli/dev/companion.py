"""A server that runs beside the project's own, in the same conversation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from pathlib import Path

from mcpapps_cli.dev.event import DevEvent, ServerFailed, ServerOutput, ServerReady
from mcpapps_cli.dev.guard import Guard
from mcpapps_cli.dev.keeper import Keeper
from mcpapps_cli.dev.standby import Reserve
from mcpapps_cli.dev.supervisor import Supervisor
from mcpapps_cli.dev.trace import own_files
from mcpapps_cli.dev.watch import ChangeKind, classify, read_graph
from mcpapps_cli.model import EraChoice, JsonObject, Project, ServerSpec
from mcpapps_cli.stage.event import NoteEvent


class Companion:
    """Keeps one more server running: it is started again when it dies, or when its files change.

    Args:
        name: Its name, which its events carry.
        spec: What to start.
        project: The project it runs beside.
        guard: Told of every process.
        on_event: Told everything that happens.
        on_swapped: Awaited when a new server has taken over.
        on_lost: Called with the reason when it has ended by itself.
        on_notification: Called with method and params of each of its notifications.
        era: The handshake to use.
        timeout: Seconds that it gets to answer.
        ui: Whether it is told that its client shows Views.
        standby: Whether an interpreter waits for its next start.

    Attributes:
        supervisor: The current server; the `Backend` of a stage.
        keeper: Starts it anew.
    """

    def __init__(
        self,
        name: str,
        spec: ServerSpec,
        *,
        project: Project,
        guard: Guard,
        on_event: Callable[[DevEvent], None],
        on_swapped: Callable[[Companion], Awaitable[None]],
        on_lost: Callable[[Companion, str], None],
        on_notification: Callable[[Companion, str, JsonObject], None],
        era: EraChoice,
        timeout: float,
        ui: bool,
        standby: bool,
    ):
        self.name = name
        self.spec = spec
        self._on_event = on_event
        # Its Views are not built here, and the project's own files are not its own.
        self._project = replace(project, name=name, server=spec, views=())
        self._reserve = Reserve(
            guard, exclude=spec.standby_exclude, enabled=standby, on_note=self._note
        )
        self.supervisor = Supervisor(
            self._project,
            reserve=self._reserve,
            on_event=self._hear,
            on_gone=lambda pause: self.keeper.ask(pause),
            on_lost=lambda reason: on_lost(self, reason),
            on_notification=lambda method, params: on_notification(self, method, params),
            era=era,
            timeout=timeout,
            ui=ui,
        )
        self.keeper = Keeper(
            self.supervisor.restart,
            on_swapped=lambda: on_swapped(self),
            is_elsewhere=lambda: not spec.command,
        )

    async def close(self) -> None:
        """End the server and the interpreter that waits."""
        await self.supervisor.close()
        await self._reserve.close()

    def is_concerned(self, paths: Iterable[Path]) -> bool:
        """Whether a changed path is one of the server's own files."""
        graph = read_graph({}, self.supervisor.trace())
        failed = self.supervisor.failed
        sources = {
            path
            for path in paths
            if classify(path, self._project, graph, failed=failed)[0] is ChangeKind.SERVER
        }
        return bool(sources - self.supervisor.own_writes(sources))

    def files(self) -> frozenset[Path]:
        """Return the files of the server's own modules, as far as they are known."""
        traced = self.supervisor.trace()
        return frozenset() if traced is None else frozenset(own_files(*traced))

    def _hear(self, event: DevEvent) -> None:
        if isinstance(event, ServerReady | ServerFailed | ServerOutput):
            self._on_event(replace(event, server=self.name))
        elif isinstance(event, NoteEvent):
            self._on_event(replace(event, text=f"{self.name}: {event.text}"))
        else:
            self._on_event(event)

    def _note(self, text: str) -> None:
        self._on_event(NoteEvent(None, None, "info", f"{self.name}: {text}"))
