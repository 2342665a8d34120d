"""A recording: one JSON object a line, a header and then every frame of both channels.

    {"mcpapps": "recording", "format": 1, "version": "0.1.0", "tool": "chart", ...}
    {"at": 0.0, "from": "host", "to": "server", "message": {"jsonrpc": "2.0", "id": 1, ...}}
    {"at": 0.02, "from": "view", "to": "host", "view": "v1", "message": {"jsonrpc": "2.0", ...}}

A later line like the first one tells what the server offers from then on.

`at` is in seconds since the recording began. On the server's channel every request has an id of
its own, and progress names it as `progressToken`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from mcpapps_cli import __version__
from mcpapps_cli.errors import ConfigError
from mcpapps_cli.model import JsonObject
from mcpapps_cli.words import count

FORMAT: Final = 1
FAULTS_MAX: Final = 20
MASK: Final = "***"
_SECRET_MIN: Final = 4
_SECRET_KEYS: Final = frozenset(
    {"authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key"}
)
Party = Literal["host", "view", "server"]
_ROUTES: Final = frozenset(
    {("host", "view"), ("view", "host"), ("host", "server"), ("server", "host")}
)


@dataclass(frozen=True, slots=True)
class Header:
    """What a recording is of; nothing of how the server was started or reached.

    Attributes:
        tool: The tool that was called first, or the empty string.
        arguments: Its arguments.
        profile: The emulated host.
        quirks: Names of its quirks.
        server: `serverInfo` as received.
        inventory: What the server offered, as `inventory.inventory_json` writes it.
        version: Our own version.
    """

    tool: str = ""
    arguments: JsonObject = field(default_factory=dict)
    profile: str = "spec"
    quirks: tuple[str, ...] = ()
    server: JsonObject = field(default_factory=dict)
    inventory: JsonObject = field(default_factory=dict)
    version: str = __version__


@dataclass(frozen=True, slots=True)
class Frame:
    """One message on one of the two channels.

    Attributes:
        at: Seconds since the recording began.
        sender: Who sent it.
        receiver: Who got it; one of the two is the host.
        message: As it was, a JSON-RPC object or whatever a View posted.
        view: The View's name, on its channel.
    """

    at: float
    sender: Party
    receiver: Party
    message: Any
    view: str | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """A header and its frames in order."""

    header: Header
    frames: tuple[Frame, ...]

    def of_view(self, view: str | None = None) -> tuple[Frame, ...]:
        """Return the frames between host and a View; None for those of every View."""
        return tuple(
            frame
            for frame in self.frames
            if "view" in (frame.sender, frame.receiver) and view in (None, frame.view)
        )

    def of_server(self) -> tuple[Frame, ...]:
        """Return the frames between host and server."""
        return tuple(f for f in self.frames if "server" in (f.sender, f.receiver))


def header_line(header: Header, *, secrets: Iterable[str] = ()) -> str:
    """Return the first line, without its end.

    Args:
        header: What it says.
        secrets: Texts that are masked wherever they stand: values of headers, cookies and of the
            environment. Shorter ones than 4 characters would mask half of every message and are
            left.
    """
    line = {
        "mcpapps": "recording",
        "format": FORMAT,
        "version": header.version,
        "profile": header.profile,
        "quirks": list(header.quirks),
        "tool": header.tool,
        "arguments": header.arguments,
        "server": header.server,
        "inventory": header.inventory,
    }
    return _dump(line, secrets)


def frame_line(frame: Frame, *, secrets: Iterable[str] = ()) -> str:
    """Return the line of a frame, without its end; `secrets` as for `header_line`."""
    line: dict[str, Any] = {
        "at": round(frame.at, 6),
        "from": frame.sender,
        "to": frame.receiver,
    }
    if frame.view is not None:
        line["view"] = frame.view
    try:
        return _dump({**line, "message": frame.message}, secrets)
    except RecursionError:
        return _dump({**line, "message": None, "omitted": "nested too deeply"}, secrets)


def _dump(value: Any, secrets: Iterable[str]) -> str:
    masked = sorted({text for text in secrets if len(text) >= _SECRET_MIN}, key=len, reverse=True)
    # ASCII: a lone surrogate that a View sent could not be encoded as UTF-8.
    return json.dumps(_clean(value, masked), allow_nan=False, separators=(",", ":"))


def _clean(value: Any, secrets: Sequence[str]) -> Any:
    match value:
        case str():
            for secret in secrets:
                value = value.replace(secret, MASK)
            return value
        case Mapping():
            return {
                _clean(str(key), secrets): MASK
                if isinstance(key, str) and key.lower() in _SECRET_KEYS
                else _clean(entry, secrets)
                for key, entry in value.items()
            }
        case list() | tuple():
            return [_clean(entry, secrets) for entry in value]
        case float() if not math.isfinite(value):
            return None
        case bool() | int() | float() | None:
            return value
        case _:
            return str(value)


def read_recording(text: str) -> Recording:
    """Return a recording from its text.

    A last line without an end is what an interrupted recorder leaves, and is passed over when it
    is no JSON.

    Raises:
        ConfigError: it is none; the faults are in `details`, with their lines.
    """
    faults: list[str] = []
    lines = text.split("\n")
    header = _read_header(lines[0], faults)
    frames: list[Frame] = []
    for number, line in enumerate(lines[1:], 2):
        cut = number == len(lines)
        if line.startswith('{"mcpapps":'):
            later = _read_header(line, faults, number)
            header = replace(header, server=later.server, inventory=later.inventory)
            continue
        if line.strip() and (frame := _read_frame(line, number, faults, cut=cut)) is not None:
            frames.append(frame)
    if faults:
        raise ConfigError(
            f"the recording has {count(len(faults), 'fault')}",
            help="record again with `mcpapps dev --record FILE`",
            details=tuple(faults[:FAULTS_MAX]),
        )
    return Recording(header, tuple(frames))


def _load(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _read_header(line: str, faults: list[str], number: int = 1) -> Header:
    data = _load(line)
    if not isinstance(data, dict) or data.get("mcpapps") != "recording":
        faults.append(f"line {number}: is not the header of a recording")
        return Header()
    if data.get("format") != FORMAT:
        faults.append(f"line {number}: format {data.get('format')!r} is not {FORMAT}")
    kinds: dict[str, type] = {
        **dict.fromkeys(("version", "profile", "tool"), str),
        **dict.fromkeys(("arguments", "server", "inventory"), dict),
        "quirks": list,
    }
    given = {key: value for key, value in data.items() if key in kinds}
    for key, value in given.items():
        if not isinstance(value, kinds[key]):
            faults.append(f'line {number}: "{key}" has the wrong type')
            return Header()
    quirks = tuple(str(name) for name in given.pop("quirks", ()))
    return Header(**given, quirks=quirks)


def _read_frame(line: str, number: int, faults: list[str], *, cut: bool) -> Frame | None:
    data = _load(line)
    if not isinstance(data, dict):
        if not cut:
            faults.append(f"line {number}: is not a JSON object")
        return None
    at, view = data.get("at"), data.get("view")
    route = (data.get("from"), data.get("to"))
    if not isinstance(at, int | float) or isinstance(at, bool) or not 0 <= at < math.inf:
        faults.append(f'line {number}: "at" is no time')
    elif route not in _ROUTES:
        faults.append(f'line {number}: "from" and "to" name no channel')
    elif "message" not in data:
        faults.append(f'line {number}: "message" is missing')
    elif view is not None and not isinstance(view, str):
        faults.append(f'line {number}: "view" is not a string')
    else:
        return Frame(float(at), data["from"], data["to"], data["message"], view)
    return None
