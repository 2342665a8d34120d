"""Why a server did not start, as far as that decides what is tried next."""

from __future__ import annotations

import re

from mcpapps_cli.errors import ServerError

_CONTENTION = re.compile(
    r"address already in use|EADDRINUSE|is locked|could not set lock|resource busy"
    r"|temporarily unavailable|already (?:running|open|in use)|only one usage of each socket"
    r"|used by another process|BlockingIOError",
    re.IGNORECASE,
)
_PLAIN_TOO = re.compile(r"(?:Syntax|Indentation|Tab|Name|ModuleNotFound)Error\b")


def is_contention(exc: ServerError) -> bool:
    """Whether the server wanted what another one still has, such as a port or a lock."""
    return any(_CONTENTION.search(line) for line in (exc.message, *exc.details))


def fails_plainly(exc: ServerError) -> bool:
    """Whether an error's last line names a fault that has nothing to do with imports ahead."""
    return bool(exc.details) and _PLAIN_TOO.match(exc.details[-1]) is not None
