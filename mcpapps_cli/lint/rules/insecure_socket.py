"""WebSockets without encryption."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    as_object,
    connections,
    is_loopback,
    issue,
    page,
    rule,
    server,
)
from mcpapps_cli.model import JsonObject

_PLAIN = 'new WebSocket("ws://live.example.com/");'


def _open(origin: str) -> JsonObject:
    return {"csp": {"connectDomains": [origin]}, "prefersBorder": True}


@rule(
    "MA214",
    "warning",
    why="A page from https may not open ws://, and one host rewrites the scheme of every origin.",
    fix="use wss://",
    source=(issue("openai/codex#30560"),),
    bad=server(page(more=_PLAIN, meta=_open("ws://live.example.com"))),
    good=server(page(more=_PLAIN.replace("ws:", "wss:"), meta=_open("wss://live.example.com"))),
    near=(
        server(page(more='const text = "ws://live.example.com";')),
        server(page("<p>ws://live.example.com</p>\n")),
    ),
    evidence="static",
)
def insecure_socket(subject: Subject) -> Faults:
    """A View opens or declares a `ws://` connection."""
    # This host rewrites the scheme of every origin, of this machine too.
    everywhere = "codex" in subject.profiles
    for view in subject.resources:
        entries = as_object(view.ui.get("csp")).get("connectDomains")
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            if isinstance(entry, str) and _is_plain(entry, everywhere):
                yield Fault(
                    view.in_ui("csp", "connectDomains", index), f'"connectDomains" names "{entry}"'
                )
    for _, served in subject.pages:
        for call in connections(served):
            if _is_plain(call.url, everywhere):
                yield Fault(served.at(call.start, call.end), f'"{call.url}" is not encrypted')


def _is_plain(url: str, everywhere: bool) -> bool:
    return url.lower().startswith("ws://") and (everywhere or not is_loopback(url))
