"""The call that a View belongs to: made at once, once written, or when its server is there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from mcpapps_cli import wire
from mcpapps_cli.errors import McpAppsError
from mcpapps_cli.host import event
from mcpapps_cli.stage.channel import Channel
from mcpapps_cli.stage.page_message import Call
from mcpapps_cli.stage.prepare import find_tool

if TYPE_CHECKING:
    from mcpapps_cli.model import JsonObject

Outcome = event.ToolResult | event.ToolCancelled


class ToolCall:
    """One call of a tool; it ends once, until it is made again.

    Args:
        call: What is called.
        channel: Where the request goes.
        reserve_id: Gives the id that it will have there.
        tools: Returns the tools that the server lists now; None when it has not answered yet.
        spawn: Runs something in a task of the View.
        on_outcome: Told how it ended.

    Attributes:
        tool: The tool's name.
        arguments: Its arguments, as far as they are written.
        request_id: The id of the request; the View is told it before there is a result, and may
            hand it to a tool of its server.
        held: Whether they are still being written, or were when the call was cancelled.
        owed: Whether the call waits for the server's first answer.
        outcome: How it ended; None while it has not.
    """

    def __init__(
        self,
        call: Call,
        *,
        channel: Channel,
        reserve_id: Callable[[str, JsonObject], int],
        tools: Callable[[], tuple[JsonObject, ...] | None],
        spawn: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]],
        on_outcome: Callable[[Outcome], None],
    ):
        self.tool = call.tool
        self.arguments = call.arguments
        self.held = call.hold
        self._reserve_id = reserve_id
        self.renew()
        self.owed = False
        self.outcome: Outcome | None = None
        self._channel = channel
        self._tools = tools
        self._spawn = spawn
        self._on_outcome = on_outcome
        # What the tool promised of its result when it was called.
        self._schema: object = None
        self._task: asyncio.Task[None] | None = None

    def entry(self) -> JsonObject | None:
        """Return the tool as it is listed now; None when it is not."""
        return find_tool(self._tools() or (), self.tool)

    def begin(self) -> None:
        """Make the call, unless it waits for its arguments or the server, or was cancelled."""
        self.owed = self._tools() is None
        if self.owed:
            return
        entry = self.entry()
        if entry is None:
            self.finish(event.ToolCancelled(f'the server has no tool "{self.tool}"'))
            return
        self._schema = entry.get("outputSchema")
        if not self.held and self.outcome is None:
            self._task = self._spawn(self._make())

    def complete(self, arguments: JsonObject) -> None:
        """Make a call that was held, with all its arguments."""
        self.held = False
        self.arguments = arguments
        self._task = self._spawn(self._make())

    def renew(self) -> None:
        """Take the id of a call that is to be made: one made again is another request."""
        self.request_id = self._reserve_id(wire.TOOLS_CALL, self._params())

    def repeat(self) -> None:
        """Make the renewed call with the same arguments; one that is under way is given up."""
        if self._task is not None:
            self._task.cancel()
        entry = self.entry()
        self.outcome = None
        self._schema = entry.get("outputSchema") if entry is not None else None
        self._task = self._spawn(self._make())

    def cancel(self) -> None:
        """Cancel the call unless it has ended, also one that waits for input or server."""
        if self._task is not None:
            self._task.cancel()
        self.finish(event.ToolCancelled("cancelled by the user"))

    def finish(self, outcome: Outcome) -> None:
        """Take the end of the call; only the first one counts."""
        if self.outcome is None:
            self.outcome = outcome
            self._on_outcome(outcome)

    def is_outdated(self) -> bool:
        """Whether the tool promises another kind of result now than when it answered."""
        entry = self.entry()
        answered = entry is not None and self.outcome is not None and not self.held
        return answered and entry is not None and entry.get("outputSchema") != self._schema

    def heed(self, task: asyncio.Task[None]) -> None:
        """Take note that a task of the View has ended."""
        if task is self._task and task.cancelled():
            # The server asked the user, and the page that showed the question has gone.
            self.finish(event.ToolCancelled("a question of the server was left unanswered"))

    async def _make(self) -> None:
        try:
            result = await self._channel.request(
                wire.TOOLS_CALL, self._params(), origin="host", request_id=self.request_id
            )
        except McpAppsError as exc:
            self.finish(event.ToolCancelled(exc.message))
        else:
            self.finish(event.ToolResult(result))

    def _params(self) -> JsonObject:
        return {"name": self.tool, "arguments": self.arguments}
