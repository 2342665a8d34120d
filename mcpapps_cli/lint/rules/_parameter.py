"""Parameters of what a View asks of its host."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcpapps_cli.lint.rule import (
    Inline,
    Served,
    sent,
)
from mcpapps_cli.wire import UI_MESSAGE, UI_OPEN_LINK

if TYPE_CHECKING:
    from mcpapps_cli.markup.code import Node


def parameters(served: Served, method: str, key: str) -> Iterator[tuple[Inline, Node]]:
    """The value of one parameter, wherever a page writes out a message or calls the SDK for it."""
    name = {UI_MESSAGE: "sendMessage", UI_OPEN_LINK: "openLink"}[method]
    for message in sent(served, method):
        if (value := message.code.members(message.params).get(key)) is not None:
            yield message.code, value
    for code in served.code:
        for call in code.calls(f".{name}"):
            if call.arguments and (value := code.members(call.arguments[0]).get(key)) is not None:
                yield code, value
