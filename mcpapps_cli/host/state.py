"""What the engine knows of one View, and the two ways to speak to it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from itertools import count
from typing import Any, Final, Literal

from mcpapps_cli.host import message
from mcpapps_cli.host.app_tools import Shelf
from mcpapps_cli.host.consent import Desk
from mcpapps_cli.host.context import Context, first_context
from mcpapps_cli.host.delivery import Delivery
from mcpapps_cli.host.effect import Effect, Note, Send
from mcpapps_cli.host.ladder import Ladder
from mcpapps_cli.host.mounting import Mounting
from mcpapps_cli.host.relay import Relay
from mcpapps_cli.host.size import Size
from mcpapps_cli.model import JsonObject

COMPLAINTS_MAX: Final = 20
"""Faulty messages of one View that are noted; a hostile one could send them without end."""


class Phase(IntEnum):
    """How far the View has come."""

    SANDBOX = 0
    """The frame is there, its proxy page is not ready."""
    LOADING = 1
    """The proxy page has the document."""
    ANSWERED = 2
    """`ui/initialize` is answered."""
    READY = 3
    """The View has sent `initialized`: the host may speak."""
    CLOSING = 4
    """`ui/resource-teardown` is sent."""
    CLOSED = 5
    """The frame is gone."""


class State:
    """One View's state; the modules beside this one read and change it.

    Attributes:
        unsent_context: Changes since `ui/initialize` was answered.
        unsent_changes: `list_changed` notifications by method, the newest of each.
        declared_modes: The View's `availableDisplayModes`; None when it declared none.
        model_context: The newest `ui/update-model-context` params.
        early_size: A size reported before the handshake ended.
        document: The name the probe gives the document.
        loads: How often the proxy page reported a load of the frame.
        greetings: How often `ui/initialize` was accepted.
    """

    def __init__(self, mounting: Mounting, ids: Iterator[int]):
        numbers = count(1)
        self.mounting = mounting
        self.profile = mounting.profile
        self.phase = Phase.SANDBOX
        self.tools = mounting.tools
        self.context: Context
        self.context, self.context_faults = first_context(mounting)
        self.unsent_context: Context = {}
        self.unsent_changes: dict[str, JsonObject] = {}
        self.declared_modes: tuple[str, ...] | None = None
        self.model_context: JsonObject | None = None
        self.early_size: JsonObject | None = None
        self.listener_seen = False
        self.revealed = False
        self.document: object = None
        self.loads = 0
        self.greetings = 0
        self.ladder = Ladder()
        self.delivery = Delivery()
        self.size = Size(mounting.profile.start_height)
        self.relay = Relay(numbers)
        self.desk = Desk(mounting.profile, numbers)
        self.app_tools = Shelf(ids, numbers, confirms="app-tool" in mounting.profile.consent)
        self._complaints = 0

    @property
    def mode(self) -> str:
        """The display mode the View is in."""
        mode = self.context.get("displayMode")
        return mode if isinstance(mode, str) else "inline"

    def forget_document(self) -> None:
        """Start over for another document; what the call brought is kept for it."""
        self.phase = Phase.LOADING
        self.declared_modes = self.early_size = None
        self.listener_seen = False
        self.loads = self.greetings = 0
        self.unsent_context.clear()
        self.desk.forget_all()
        self.ladder.start_over()
        self.delivery.replay()

    def tell(self, method: str, params: JsonObject) -> Iterator[Effect]:
        """Notify the View; nothing may be sent before its `initialized` (specification)."""
        if self.phase is Phase.READY:
            self.size.delivered()
            yield Send(message.notification(method, params))

    def complain(
        self, text: str, detail: Any = None, *, level: Literal["info", "warning"] = "warning"
    ) -> Iterator[Effect]:
        """Note a faulty message, up to `COMPLAINTS_MAX` of them."""
        self._complaints += 1
        if self._complaints <= COMPLAINTS_MAX:
            yield Note(level, text, detail, "fault")
        if self._complaints == COMPLAINTS_MAX:
            yield Note("warning", "further faulty messages of this View are not shown")
