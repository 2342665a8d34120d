"""Why a server could not be spoken to, in words for the person who wrote it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from mcpapps_cli.errors import ServerError
from mcpapps_cli.model import ServerSpec
from mcpapps_cli.rpc.address import shown
from mcpapps_cli.rpc.peer import Peer

_SHOWN_LINES = 20
_RELATIVE_IMPORT = "attempted relative import with no known parent package"
_LOCAL_URL = re.compile(r"https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?::\d+)?")
_OWN_FAULT = re.compile(
    r"^(?:Traceback \(most recent call last\)|(?:Syntax|Indentation|Tab)Error:)"
    r"|No module named|can't open file|Cannot find module|not found$"
)


class EndedUnheard(ServerError):
    """The server ended before it said anything on its stdout that is JSON-RPC."""


def explain_stdio(
    error: ServerError | TimeoutError,
    spec: ServerSpec,
    timeout: float,
    peer: Peer,
    returncode: int | None,
    stderr: Sequence[str],
) -> ServerError:
    """Return the error that the user sees when the handshake over stdio failed."""
    label = spec.label or shlex.join(spec.command)
    details = tuple(stderr[-_SHOWN_LINES:])
    if peer.noise:
        details += (f"stdout: {peer.noise[0]}",)
    if isinstance(error, TimeoutError):
        return ServerError(
            f'server "{label}" did not answer within {timeout:g} s',
            help=_help_from_output(peer.noise, stderr)
            or "check that the command starts an MCP server that speaks on stdio",
            details=details,
        )
    if peer.gone_reason is not None:
        kind = ServerError if peer.heard else EndedUnheard
        return kind(
            f'server "{label}" {peer.gone_reason.removeprefix("the server ")} before it answered',
            help=_help_from_output(peer.noise, stderr)
            or _help_from_import(spec, stderr)
            or _help_from_end(returncode, stderr),
            details=details,
        )
    return ServerError(f'server "{label}": {error.message}', help=error.help, details=details)


def silent_url(url: str, timeout: float) -> ServerError:
    """Return the error for a URL that was reached but did not answer."""
    return ServerError(
        f'"{shown(url)}" did not answer within {timeout:g} s',
        help="check that an MCP server with streamable HTTP listens there",
    )


def is_own_fault(stderr: Sequence[str]) -> bool:
    """Whether the last lines show that the program would end whatever it is asked."""
    return any(_OWN_FAULT.search(line) for line in stderr)


def _help_from_output(noise: Sequence[str], stderr: Sequence[str]) -> str | None:
    for line in (*noise, *stderr):
        if match := _LOCAL_URL.search(line):
            url = match[0].replace("0.0.0.0", "127.0.0.1")
            return f"it seems to serve HTTP; pass its address, such as --url {url}/mcp"
    if noise:
        return (
            f'its stdout must carry nothing but JSON-RPC, and has "{noise[0][:80]}"; '
            "print to stderr instead"
        )
    return None


def _help_from_import(spec: ServerSpec, stderr: Sequence[str]) -> str | None:
    """Tell how a file that is part of a package is started."""
    if not any(_RELATIVE_IMPORT in line for line in stderr):
        return None
    files = (Path(each) for each in spec.command if each.endswith(".py"))
    for file in (spec.cwd / each for each in files):
        names, folder = [file.stem], file.parent
        while (folder / "__init__.py").is_file():
            names, folder = [folder.name, *names], folder.parent
        if len(names) > 1:
            return f"the file is a module of a package; start it with -m {'.'.join(names)}"
    return None


def _help_from_end(returncode: int | None, stderr: Sequence[str]) -> str:
    if returncode == 0:
        return "the program ended by itself; it must keep serving, such as with mcp.run()"
    if any(line.startswith("ModuleNotFoundError: No module named '") for line in stderr):
        return (
            "install the project and what it needs for that Python, such as with "
            "python -m pip install -e ., or correct the import"
        )
    if stderr:
        return "correct what its stderr shows"
    return "run the command in a terminal to see why it ends"
