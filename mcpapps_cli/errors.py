"""The exceptions, and how they end the process.

McpAppsError                 has a message, an optional help line and detail lines
├── UserError                exit 2: something the user can fix
│   ├── ConfigError          the project file or the options; all faults at once
│   ├── ServerError          the user's server did not start, answer or speak MCP
│   │   └── CommandError     its command cannot be run at all
│   ├── SourceError          a file of the project, with a position
│   └── PortTaken            an explicit port is in use
└── RpcError                 a JSON-RPC error answer; code, message and data as received
    └── (see `rpc`)
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcpapps_cli.model import Position


class ExitStatus(IntEnum):
    """How a command ends."""

    OK = 0
    """All went well."""
    FINDINGS = 1
    """Findings at or above the threshold, something unchecked, or a stale bundle."""
    USAGE = 2
    """Something the user can fix."""
    BUG = 3
    """A fault of ours."""
    INTERRUPTED = 130
    """Ctrl-C."""


class McpAppsError(Exception):
    """Base of every exception raised on purpose.

    Attributes:
        message: What failed, with the value in quotes, lower case, no full stop.
        help: What to do now; None when there is nothing useful to say.
        details: Lines shown under the message, such as the server's last stderr lines.
    """

    def __init__(self, message: str, *, help: str | None = None, details: tuple[str, ...] = ()):
        super().__init__(message)
        self.message = message
        self.help = help
        self.details = details


class UserError(McpAppsError):
    """Something the user can fix; ends the process with exit code 2."""


class ConfigError(UserError):
    """Faults of the project file or of the options; `details` holds every fault."""


class ServerError(UserError):
    """The server did not start, did not answer, or does not speak MCP."""


class CommandError(ServerError):
    """The server's command cannot be run: there never was a process."""


class PortTaken(UserError):
    """An explicitly requested port is in use."""


class SourceError(UserError):
    """A fault in a file of the project, at a position."""

    def __init__(self, message: str, position: Position, *, help: str | None = None):
        super().__init__(message, help=help)
        self.position = position


class RpcError(McpAppsError):
    """A JSON-RPC error answer, with code and data exactly as received.

    Attributes:
        code: The JSON-RPC error code.
        data: The error's `data` member, or None.
    """

    def __init__(self, code: int, message: str, data: Any = None):
        super().__init__(message)
        self.code = code
        self.data = data
