"""A recording played: as the server of a live View, or as a View against a fresh engine."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final, TypeGuard

from mcpapps_cli import wire
from mcpapps_cli.errors import RpcError
from mcpapps_cli.host import effect as fx
from mcpapps_cli.host import event as ev
from mcpapps_cli.host.engine import Engine
from mcpapps_cli.host.message import same_json, shorten
from mcpapps_cli.host.mounting import Mounting
from mcpapps_cli.host.record import Frame, Recording
from mcpapps_cli.model import JsonObject


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server once answered.

    Attributes:
        result: The result, or None for an error.
        error: `{code, message, data?}`, or None for a result.
        progress: Params of the progress notifications, without their token.
        seconds: How long the server took.
    """

    result: JsonObject | None
    error: JsonObject | None
    progress: tuple[JsonObject, ...] = ()
    seconds: float = 0.0


@dataclass(slots=True)
class _Exchange:
    id: int | str
    method: str
    params: JsonObject
    at: float
    progress: list[JsonObject] = field(default_factory=list)
    answer: Answer | None = None


class ReplayServer:
    """Answers requests as the recorded server did; a `memory.Server`, and easily a backend.

    An answer is found by method and params, `_meta` aside. Equal requests get their answers in the
    recorded order, and the last one again when there are no more. A request that was never
    recorded fails with -32000.

    Args:
        recording: With at least one answered request.
    """

    def __init__(self, recording: Recording):
        # An answer is known only once every later frame has been read.
        exchanges = list(_exchanges(recording))
        self._exchanges = [exchange for exchange in exchanges if exchange.answer is not None]
        self._used: set[int] = set()

    def answer(self, method: str, params: JsonObject) -> Answer | None:
        """Return the next answer to a request, or None when it was never recorded."""
        if (index := self._next(method, params)) is None:
            return None
        self._used.add(index)
        return self._exchanges[index].answer

    def recorded_id(self, method: str, params: JsonObject) -> int | str | None:
        """Return the id of the request that is answered next, or None when there is none."""
        index = self._next(method, params)
        return None if index is None else self._exchanges[index].id

    def _next(self, method: str, params: JsonObject) -> int | None:
        wanted = _without_meta(params)
        found = [
            index
            for index, exchange in enumerate(self._exchanges)
            if exchange.method == method and same_json(_without_meta(exchange.params), wanted)
        ]
        unused = (index for index in found if index not in self._used)
        return next(unused, found[-1] if found else None)

    async def __call__(
        self, method: str, params: JsonObject, progress: Callable[[JsonObject], None]
    ) -> JsonObject | None:
        """Answer at once, progress first.

        Raises:
            RpcError: the recorded error, or there is no recorded answer.
        """
        answer = self.answer(method, params)
        if answer is None:
            name = params.get("name", params.get("uri"))
            what = f'{method} of "{shorten(name)}"' if isinstance(name, str) else method
            raise RpcError(wire.IMPLEMENTATION_ERROR, f"the recording has no answer to {what}")
        for update in answer.progress:
            progress(update)
        if answer.error is not None:
            code, text = answer.error.get("code"), answer.error.get("message")
            raise RpcError(
                code if isinstance(code, int) else wire.INTERNAL_ERROR,
                str(text),
                answer.error.get("data"),
            )
        return answer.result


@dataclass(frozen=True, slots=True)
class Difference:
    """A message to the View that is not the recorded one.

    Attributes:
        frame: Number of the recorded frame, from 0; the number of frames after the last one.
        recorded: What the View got then; None when nothing.
        now: What it gets now; None when nothing.
    """

    frame: int
    recorded: Any
    now: Any


def replay_view(recording: Recording, mounting: Mounting) -> tuple[Difference, ...]:
    """Play what a View and its server said against a fresh engine.

    Everything that the host did by itself is taken from the frames to the View, so a recording is
    a whole test case: it returns nothing as long as the View hears what it heard then. Ids of
    requests to the View are taken as recorded.

    Args:
        recording: With the frames of one View.
        mounting: What was mounted, in the recorded profile.
    """
    return tuple(_Play(recording, mounting).run())


class _Play:
    def __init__(self, recording: Recording, mounting: Mounting):
        self._frames = recording.frames
        self._engine = Engine(mounting, ids=count(1))
        self._said: deque[Any] = deque()
        self._calls: deque[int] = deque()
        self._asked: deque[int] = deque()
        self._sent: dict[Any, int] = {}
        self._ids: dict[Any, Any] = {}

    def run(self) -> Iterator[Difference]:
        self._take(self._engine.start())
        for index, frame in enumerate(self._frames):
            match (frame.sender, frame.receiver):
                case ("view", "host"):
                    self._feed(ev.ViewMessage(self._as_now(frame.message)))
                case ("host", "view"):
                    yield from self._expect(index, frame)
                case ("host", "server"):
                    self._note_call(frame.message)
                case _:
                    self._hear_server(frame.message)
        for rest in self._said:
            yield Difference(len(self._frames), None, rest)

    def _feed(self, event: ev.Event) -> None:
        self._take(self._engine.handle(event))

    def _take(self, effects: tuple[fx.Effect, ...]) -> None:
        for effect in effects:
            if isinstance(effect, fx.Send):
                self._said.append(effect.message)
            elif isinstance(effect, fx.CallServer):
                self._calls.append(effect.request)
            elif isinstance(effect, fx.AskUser):
                self._asked.append(effect.request)

    def _expect(self, index: int, frame: Frame) -> Iterator[Difference]:
        recorded = frame.message
        if not self._said and (event := self._cause_of(recorded)) is not None:
            self._feed(event)
        if not self._said:
            yield Difference(index, recorded, None)
            return
        now = self._said.popleft()
        if _is_request(now) and _is_request(recorded):
            self._ids[recorded["id"]] = now["id"]
            now = {**now, "id": recorded["id"]}
        if not same_json(now, recorded):
            yield Difference(index, recorded, now)

    def _cause_of(self, recorded: Any) -> ev.Event | None:
        """Return the event that makes a host say `recorded`, when no message of the View did."""
        if not isinstance(recorded, Mapping):
            return None
        if "method" not in recorded and self._asked:
            result = recorded.get("result")
            allowed = isinstance(result, Mapping) and result.get("isError") is not True
            return ev.UserAnswer(self._asked.popleft(), allowed, result if allowed else None)
        make = _CAUSES.get(recorded.get("method", ""))
        params = recorded.get("params")
        return make(params if isinstance(params, Mapping) else {}) if make is not None else None

    def _as_now(self, message: Any) -> Any:
        """Return an answer of the View under the id that the request has now."""
        if isinstance(message, Mapping) and "method" not in message and _hashable(message):
            return {**message, "id": self._ids.get(message["id"], message["id"])}
        return message

    def _note_call(self, message: Any) -> None:
        # The host's own calls, such as the one that mounts the View, are no effects of its engine.
        if self._calls and isinstance(message, Mapping) and _hashable(message):
            self._sent[message["id"]] = self._calls.popleft()

    def _hear_server(self, message: Any) -> None:
        if not isinstance(message, Mapping):
            return
        method, params = message.get("method"), message.get("params")
        given = params if isinstance(params, Mapping) else {}
        if method == wire.PROGRESS:
            number = self._sent.get(given.get("progressToken"))
            if number is not None:
                self._feed(ev.ServerProgress(number, _without_token(given)))
        elif isinstance(method, str):
            self._feed(ev.ServerNotification(method, given))
        elif _hashable(message) and message["id"] in self._sent:
            number = self._sent.pop(message["id"])
            result, error = message.get("result"), message.get("error")
            self._feed(ev.ServerReply(number, result=result, error=error))


_CAUSES: Final[Mapping[str, Callable[[JsonObject], ev.Event]]] = {
    wire.UI_TOOL_INPUT_PARTIAL: lambda params: ev.ToolInputPartial(params.get("arguments", {})),
    wire.UI_TOOL_INPUT: lambda params: ev.ToolInput(params.get("arguments", {})),
    wire.UI_TOOL_RESULT: lambda params: ev.ToolResult(params),
    wire.UI_TOOL_CANCELLED: lambda params: ev.ToolCancelled(params.get("reason")),
    wire.UI_HOST_CONTEXT_CHANGED: lambda params: ev.ContextChange(params),
    wire.UI_RESOURCE_TEARDOWN: lambda params: ev.CloseRequested(params.get("reason", "")),
    wire.TOOLS_LIST: lambda params: ev.ListAppTools(),
    wire.TOOLS_CALL: lambda params: ev.CallAppTool(
        0, params.get("name", ""), params.get("arguments", {})
    ),
}


def _exchanges(recording: Recording) -> Iterator[_Exchange]:
    open_: dict[Any, _Exchange] = {}
    for frame in recording.of_server():
        message = frame.message
        if not isinstance(message, Mapping):
            continue
        params = message.get("params")
        given = params if isinstance(params, Mapping) else {}
        if frame.sender == "host" and isinstance(message.get("method"), str):
            if _hashable(message):
                exchange = _Exchange(message["id"], message["method"], given, frame.at)
                open_[message["id"]] = exchange
                yield exchange
        elif message.get("method") == wire.PROGRESS:
            if (exchange_ := open_.get(given.get("progressToken"))) is not None:
                exchange_.progress.append(_without_token(given))
        elif _hashable(message) and (done := open_.pop(message["id"], None)) is not None:
            done.answer = Answer(
                message.get("result"),
                message.get("error"),
                tuple(done.progress),
                max(0.0, frame.at - done.at),
            )


def _is_request(message: Any) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(message, Mapping) and "method" in message and _hashable(message)


def _hashable(message: Mapping[str, Any]) -> bool:
    return isinstance(message.get("id"), int | str)


def _without_meta(params: JsonObject) -> dict[str, Any]:
    return {key: value for key, value in params.items() if key != "_meta"}


def _without_token(params: JsonObject) -> dict[str, Any]:
    return {key: value for key, value in params.items() if key != "progressToken"}
