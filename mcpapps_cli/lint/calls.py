"""What the scripts of a page connect to and send, as far as it is written down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mcpapps_cli.lint.served import Inline, Served
from mcpapps_cli.wire import TOOLS_CALL

if TYPE_CHECKING:
    from mcpapps_cli.markup.code import Node

# A call and the index of the argument that is the URL.
_CONNECTS: Final = {
    "fetch": 0,
    "navigator.sendBeacon": 0,
    "WebSocket": 0,
    "EventSource": 0,
    "Request": 0,
    "WebTransport": 0,
    "axios": 0,
    **{
        f"axios.{verb}": 0
        for verb in ("get", "post", "put", "patch", "delete", "head", "options", "request")
    },
    ".open": 1,
}
_URL: Final = re.compile(r"(?:https?|wss?)://[^/?#\s]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Connection:
    """A URL to which a script connects; `exact` when the whole of it is written down."""

    url: str
    start: int
    end: int
    exact: bool


def connections(served: Served) -> Iterator[Connection]:
    """Yield the URL of every fetch, socket, beacon or request of a page, with its offsets.

    Of a template the text before its first value counts, when the whole origin is in it.
    """
    if "://" not in served.text:
        return
    for code in served.code:
        for path, index in _CONNECTS.items():
            for call in code.calls(path):
                # `window.open` opens a window; only XMLHttpRequest takes the URL second.
                if call.path != "open" and len(call.arguments) > index:
                    yield from _connection(code, call.arguments[index])


def _connection(code: Inline, node: Node) -> Iterator[Connection]:
    start = code.script.start + node.start_byte + 1
    if (value := code.string(node)) is not None and _URL.match(value):
        yield Connection(value, start, code.script.start + node.end_byte - 1, True)
    elif (head := code.head(node)) is not None:
        match = _URL.match(head)
        if match and match.end() < len(head):
            yield Connection(head, start, start + len(head), False)


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that a script writes out: `{method: "..."}`, or a call with the name first.

    Attributes:
        method: Its name.
        code: The script.
        name: The string with the name.
        params: The parameters, when they are written there.
        exact: Whether it is surely a message; a name as an argument only looks like one.
    """

    method: str
    code: Inline
    name: Node
    params: Node | None
    exact: bool


def sent(served: Served, method: str) -> Iterator[Sent]:
    """Yield the messages of a page whose method is `method`, or begins with it if it ends in `/`.

    What a script only compares with, as a host's message, is not among them.
    """
    for code in served.code:
        for literal, node in code.strings(method):
            found = literal.value
            if found != method and not (method.endswith("/") and found.startswith(method)):
                continue
            parent = node.parent
            if code.key_of(node) == "method" and parent is not None and parent.parent is not None:
                params = code.members(parent.parent).get("params")
                yield Sent(found, code, node, params, True)
            elif parent is not None and parent.type == "arguments":
                following = node.next_named_sibling
                yield Sent(found, code, node, following, False)


def tool_calls(served: Served) -> Iterator[tuple[str, Inline, Node]]:
    """Yield every tool that a page calls by a literal name, with the node of the name."""
    for code in served.code:
        for call in code.calls(".callServerTool", ".callTool", "callServerTool", "callTool"):
            if call.arguments:
                yield from _named(code, call.arguments[0])
    for message in sent(served, TOOLS_CALL):
        if message.params is not None:
            yield from _named(message.code, message.params)


def _named(code: Inline, node: Node) -> Iterator[tuple[str, Inline, Node]]:
    name = node if node.type in ("string", "template_string") else code.members(node).get("name")
    value = code.string(name)
    if name is not None and value is not None:
        yield value, code, name


def listens(served: Served) -> bool:
    """Whether a page takes messages with a listener of its own."""
    return any(
        any(call.arguments and code.string(call.arguments[0]) == "message" for call in calls)
        or any(True for _ in code.words("onmessage"))
        for code in served.code
        for calls in [code.calls("addEventListener")]
    )
