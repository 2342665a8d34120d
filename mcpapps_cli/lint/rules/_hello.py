"""What a page says first."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Place,
    Served,
    sent,
)
from mcpapps_cli.wire import INITIALIZE, UI_INITIALIZE

MINIFIED = (
    'var a="ui/initialize",b="ui/notifications/initialized",c="ui/notifications/size-changed";'
    "var e={protocolVersion:f,appInfo:g,appCapabilities:{}};"
    "function d(m){parent.postMessage(m,`*`)}"
)

ESCAPED = MINIFIED.replace("/", "\\/")


def core_initialize(served: Served) -> Place | None:
    """Where a page sends the `initialize` of MCP itself, and no `ui/initialize`."""
    if served.mentions(UI_INITIALIZE):
        return None
    for message in sent(served, INITIALIZE):
        if message.exact:
            return served.at_node(message.code, message.name)
    return None


def is_silent(served: Served, method: str) -> bool:
    """Whether the page surely never sends `method`: code from elsewhere might."""
    return not served.external_code and not served.mentions(method)
