"""The connections that the scripts of a page make, as far as they are written down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mcpapps_cli.lint.served import Served

# The code that stands directly before the URL of a connection.
_CALL = re.compile(
    r"(?:\bfetch|\bsendBeacon|\bnew\s+(?:WebSocket|EventSource|Request)"
    r"|\baxios(?:\s*\.\s*(?:get|post|put|patch|delete|head|options|request))?"
    r"|\.\s*open)\s*\(\s*(?P<method>,\s*)?$"
)
_URL = re.compile(r"(?:https?|wss?)://[^/?#\s]+", re.IGNORECASE)


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
    for script in served.code:
        bare = served.bare(script)
        for literal in served.strings(script):
            if _URL.match(literal.value) and _is_argument(bare, literal.start):
                start, end = script.start + literal.start + 1, script.start + literal.end - 1
                yield Connection(literal.value, start, end, True)
        for head in served.heads(script):
            match = _URL.match(head.value)
            if match and match.end() < len(head.value) and _is_argument(bare, head.start):
                start, end = script.start + head.start + 1, script.start + head.end
                yield Connection(head.value, start, end, False)


def _is_argument(bare: str, start: int) -> bool:
    match = _CALL.search(bare[max(0, start - 60) : start])
    # Only XMLHttpRequest.open takes the URL second, and only there is it one.
    return match is not None and match[0].startswith(".") == (match["method"] is not None)
