"""The tools that a View itself provides (draft, App-Provided Tools): listed, called, bounded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from mcpapps_cli import wire
from mcpapps_cli.host import message
from mcpapps_cli.host.effect import (
    AppToolResult,
    AppTools,
    AskUser,
    Effect,
    Note,
    Send,
    StartTimer,
    StopTimer,
)
from mcpapps_cli.host.event import CallAppTool
from mcpapps_cli.host.message import Response, shorten
from mcpapps_cli.model import JsonObject

TOOLS_MAX: Final = 50
"""Tools of one View that are taken."""
SECONDS: Final = 30.0
"""What a View gets to answer `tools/list` or `tools/call`."""
RESULT_BYTES: Final = 10 * 2**20
"""Largest result, in UTF-8 bytes of its JSON text."""
OPEN_MAX: Final = 16
"""Calls of one View's tools that may be open at once."""
RELIST_SECONDS: Final = 1.0
"""Shortest time between two listings that the View asks for."""
TIMER: Final = "app-tool"
_LIST_TIMER: Final = f"{TIMER}-list"
_RELIST_TIMER: Final = f"{TIMER}-relist"


@dataclass(frozen=True, slots=True)
class _Call:
    number: int
    name: str


class Shelf:
    """The tools of one View and the requests for them that are open.

    Args:
        ids: JSON-RPC ids of requests to the View.
        numbers: Numbers of questions to the user.
        confirms: Whether a call that is not declared read-only is asked about first.

    Attributes:
        tools: The newest complete list, as received.
    """

    def __init__(self, ids: Iterator[int], numbers: Iterator[int], *, confirms: bool):
        self.tools: tuple[JsonObject, ...] = ()
        self._ids = ids
        self._numbers = numbers
        self._confirms = confirms
        self._declared: JsonObject | None = None
        self._followed = self._waiting = self._dirty = self._resting = self._listed = False
        self._ready = False
        self._listing: int | None = None
        self._found: list[JsonObject] = []
        self._calls: dict[int, _Call] = {}
        self._asked: dict[int, CallAppTool] = {}

    def declare(self, capability: object) -> None:
        """Take `appCapabilities.tools` of `ui/initialize`; None when the View has no tools."""
        self._declared = capability if isinstance(capability, Mapping) else None

    def open(self, *, unasked: bool) -> Iterator[Effect]:
        """Take the View's `initialized`: requests may be sent from now on."""
        self._ready = True
        if self._declared is not None and (unasked or self._waiting):
            yield from self.refresh()

    def refresh(self) -> Iterator[Effect]:
        """Ask for the tools; the answer is the effect `AppTools`. Changes are followed then."""
        self._followed = True
        if not self._ready:
            self._waiting = True
        elif self._declared is None:
            yield Note("info", "the View provides no tools")
            yield AppTools(())
        elif self._listing is not None:
            self._dirty = True
        else:
            self._found.clear()
            yield from self._ask_page(None)

    @property
    def announces_changes(self) -> bool:
        """Whether the View declared `listChanged`."""
        return self._declared is not None and self._declared.get("listChanged") is True

    def changed(self) -> Iterator[Effect]:
        """Take `notifications/tools/list_changed` of the View."""
        if self._followed and self._resting:
            self._dirty = True
        elif self._followed:
            yield from self._relist()

    def call(self, event: CallAppTool) -> Iterator[Effect]:
        """Call a tool, after the user has agreed where the host asks; always answered."""
        refusal = self._refusal(event.name)
        if refusal is not None:
            yield _failed(event.call, *refusal)
        elif self._confirms and not self._is_read_only(event.name):
            number = next(self._numbers)
            self._asked[number] = event
            detail = {"name": event.name, "arguments": event.arguments}
            yield AskUser(number, "app-tool", detail)
        else:
            yield from self._send(event)

    def answer(self, number: int, *, allowed: bool) -> Iterator[Effect]:
        """Take the user's answer to a question of `call`."""
        event = self._asked.pop(number)
        if allowed:
            yield from self._send(event)
        else:
            text = f'the user declined the tool "{shorten(event.name)}"'
            yield _failed(event.call, wire.IMPLEMENTATION_ERROR, text)

    def asks(self, number: int) -> bool:
        """Whether a question of that number waits."""
        return number in self._asked

    def cancel(self, call: int, reason: str | None) -> Iterator[Effect]:
        """Give a call up."""
        for id_ in [id_ for id_, open_ in self._calls.items() if open_.number == call]:
            yield from self._give_up(id_, reason or "the host cancelled the call")

    def awaits(self, id_: object) -> bool:
        """Whether a request of that id is open."""
        return id_ == self._listing or id_ in self._calls

    def respond(self, response: Response) -> Iterator[Effect]:
        """Take the View's answer to an open request."""
        if response.id == self._listing:
            yield StopTimer(_LIST_TIMER)
            yield from self._take_page(response)
            return
        assert isinstance(response.id, int)
        call = self._calls.pop(response.id)
        yield StopTimer(f"{TIMER}:{response.id}")
        if response.result is None:
            yield AppToolResult(call.number, error=_sound(response.error))
        elif not isinstance(response.result.get("content"), list | tuple):
            text = f'the result of "{shorten(call.name)}" has no content array'
            yield _failed(call.number, wire.INTERNAL_ERROR, text)
        elif message.byte_length(response.result) > RESULT_BYTES:
            text = f'the result of "{shorten(call.name)}" has more than {RESULT_BYTES} bytes'
            yield _failed(call.number, wire.INTERNAL_ERROR, text)
        else:
            yield AppToolResult(call.number, result=response.result)

    def time_out(self, name: str) -> Iterator[Effect]:
        """Take the end of a timer whose name begins with `TIMER`."""
        if name == _RELIST_TIMER:
            self._resting = False
            if self._dirty:
                yield from self._relist()
        elif name == _LIST_TIMER:
            self._listing = None
            text = f"the View did not answer {wire.TOOLS_LIST} in time"
            yield Note("warning", text, kind="fault")
        else:
            id_ = int(name.rpartition(":")[2])
            yield from self._give_up(id_, f"no answer within {SECONDS:g} s")

    def end(self, reason: str) -> Iterator[Effect]:
        """Forget everything: tools live only as long as the document that provides them."""
        for id_, call in self._calls.items():
            yield StopTimer(f"{TIMER}:{id_}")
            yield _failed(call.number, wire.IMPLEMENTATION_ERROR, f"the View is gone: {reason}")
        for event in self._asked.values():
            yield _failed(event.call, wire.IMPLEMENTATION_ERROR, f"the View is gone: {reason}")
        yield StopTimer(_LIST_TIMER)
        yield StopTimer(_RELIST_TIMER)
        if self.tools:
            yield AppTools(())
        self.tools = ()
        self._calls.clear()
        self._asked.clear()
        self._listing = self._declared = None
        self._ready = self._dirty = self._resting = self._listed = False

    def _refusal(self, name: str) -> tuple[int, str] | None:
        if not self._ready:
            return wire.IMPLEMENTATION_ERROR, "the View is not open"
        if self._declared is None:
            return wire.METHOD_NOT_FOUND, "the View provides no tools"
        if self._listed and not any(tool["name"] == name for tool in self.tools):
            return wire.INVALID_PARAMS, f'the View provides no tool "{shorten(name)}"'
        if len(self._calls) + len(self._asked) >= OPEN_MAX:
            return wire.IMPLEMENTATION_ERROR, f"{OPEN_MAX} calls of the View's tools are open"
        return None

    def _is_read_only(self, name: str) -> bool:
        tool = next((tool for tool in self.tools if tool["name"] == name), {})
        hints = tool.get("annotations")
        return isinstance(hints, Mapping) and hints.get("readOnlyHint") is True

    def _send(self, event: CallAppTool) -> Iterator[Effect]:
        id_ = next(self._ids)
        self._calls[id_] = _Call(event.call, event.name)
        params = {"name": event.name, "arguments": event.arguments}
        yield Send(message.request(id_, wire.TOOLS_CALL, params))
        yield StartTimer(f"{TIMER}:{id_}", SECONDS)

    def _give_up(self, id_: int, reason: str) -> Iterator[Effect]:
        call = self._calls.pop(id_)
        yield StopTimer(f"{TIMER}:{id_}")
        params = {"requestId": id_, "reason": reason}
        yield Send(message.notification(wire.CANCELLED, params))
        yield _failed(call.number, wire.IMPLEMENTATION_ERROR, reason)

    def _relist(self) -> Iterator[Effect]:
        self._dirty, self._resting = False, True
        yield StartTimer(_RELIST_TIMER, RELIST_SECONDS)
        yield from self.refresh()

    def _ask_page(self, cursor: str | None) -> Iterator[Effect]:
        self._listing = next(self._ids)
        params = {} if cursor is None else {"cursor": cursor}
        yield Send(message.request(self._listing, wire.TOOLS_LIST, params))
        yield StartTimer(_LIST_TIMER, SECONDS)

    def _take_page(self, response: Response) -> Iterator[Effect]:
        self._listing = None
        if response.result is None:
            error = _sound(response.error)
            text = f"the View answered {wire.TOOLS_LIST} with error {error['code']}"
            yield Note("warning", f"{text}: {shorten(error['message'])}", error, "fault")
            return
        page, cursor = response.result.get("tools"), response.result.get("nextCursor")
        before = len(self._found)
        yield from self._keep(page if isinstance(page, list | tuple) else ())
        # A page without anything new would be asked for without end.
        if isinstance(cursor, str) and before < len(self._found) < TOOLS_MAX:
            yield from self._ask_page(cursor)
            return
        self._listed = True
        self.tools = tuple(self._found)
        yield AppTools(self.tools)
        if self._dirty and not self._resting:
            yield from self._relist()

    def _keep(self, page: list[Any] | tuple[Any, ...]) -> Iterator[Effect]:
        names = {tool["name"] for tool in self._found}
        faulty = 0
        for tool in page:
            name = tool.get("name") if isinstance(tool, Mapping) else None
            if not isinstance(name, str) or not name or name in names:
                faulty += 1
            elif len(self._found) >= TOOLS_MAX:
                yield Note("warning", f"only {TOOLS_MAX} tools of the View are taken")
                break
            else:
                names.add(name)
                self._found.append(tool)
        if faulty:
            text = "the View listed tools without a name, or with one it has listed already"
            yield Note("warning", text, {"dropped": faulty}, "fault")


def _failed(call: int, code: int, text: str) -> AppToolResult:
    return AppToolResult(call, error={"code": code, "message": text})


def _sound(error: JsonObject | None) -> dict[str, Any]:
    given = error or {}
    code, text = given.get("code"), given.get("message")
    if isinstance(code, int) and isinstance(text, str):
        return dict(given)
    return {"code": wire.INTERNAL_ERROR, "message": "the View sent a malformed error"}
