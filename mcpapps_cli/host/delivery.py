"""What the View is told of the call that created it, in the order the specification demands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mcpapps_cli import wire
from mcpapps_cli.model import JsonObject


@dataclass(slots=True)
class Delivery:
    """Keeps the input and the result of one call until they may be sent, and afterwards.

    `tool-input-partial` any number of times, then `tool-input` once, then one of `tool-result`
    and `tool-cancelled` (specification, Notifications). A cancellation may come without input.
    The methods that take something return why it is dropped, or None.
    """

    _partial: JsonObject | None = None
    _input: JsonObject | None = None
    _end: tuple[str, JsonObject] | None = None
    _input_sent: bool = False
    _end_sent: bool = False

    @property
    def ended(self) -> bool:
        """Whether the call has a result or is cancelled, sent or not."""
        return self._end is not None

    def take_partial(self, arguments: JsonObject) -> str | None:
        """Take a part of the arguments; only the newest one waits."""
        if self._input is not None or self._end is not None:
            return "a partial input came after the complete one and was dropped"
        self._partial = arguments
        return None

    def take_input(self, arguments: JsonObject) -> str | None:
        """Take the complete arguments."""
        if self._input is not None:
            return "a second tool-input was dropped: it is sent at most once"
        if self._cancelled:
            return "a tool-input was dropped: the call is cancelled"
        self._input, self._partial = arguments, None
        return None

    def take_result(self, result: JsonObject) -> str | None:
        """Take the result; it waits for the input."""
        return self._take_end(wire.UI_TOOL_RESULT, result)

    def take_cancelled(self, reason: str | None) -> str | None:
        """Take the end of a call that has no result."""
        params = {} if reason is None else {"reason": reason}
        return self._take_end(wire.UI_TOOL_CANCELLED, params)

    def _take_end(self, method: str, params: JsonObject) -> str | None:
        if self._end is not None:
            ended = "cancelled" if self._cancelled else "answered"
            return f"a second end of the call was dropped: it is already {ended}"
        self._end = (method, params)
        return None

    @property
    def _cancelled(self) -> bool:
        return self._end is not None and self._end[0] == wire.UI_TOOL_CANCELLED

    def due_early(self) -> Iterator[tuple[str, JsonObject]]:
        """Yield the input for a host that does not wait for `initialized`."""
        if self._input is not None and not self._input_sent:
            self._input_sent = True
            yield wire.UI_TOOL_INPUT, {"arguments": self._input}

    def due(self) -> Iterator[tuple[str, JsonObject]]:
        """Yield what may be sent now as method and params, each thing once per document."""
        if self._partial is not None:
            yield wire.UI_TOOL_INPUT_PARTIAL, {"arguments": self._partial}
            self._partial = None
        yield from self.due_early()
        if self._end is not None and not self._end_sent and (self._input_sent or self._cancelled):
            self._end_sent = True
            yield self._end

    def replay(self) -> None:
        """Start over for another document in the same frame."""
        self._input_sent = self._end_sent = False
