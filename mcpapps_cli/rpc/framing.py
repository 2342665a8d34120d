"""JSON-RPC messages as lines of bytes: splitting, decoding, encoding, without I/O."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_KEPT_OF_OVERLONG = 4096
_BOM = b"\xef\xbb\xbf"
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ID_FIRST = re.compile(rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*"?(\d{1,15})"?\s*,')
_ID_LAST = re.compile(
    rb'"id"\s*:\s*"?(\d{1,15})"?\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*\Z',
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Overlong:
    """A line over the limit, of which only both ends are kept.

    It is reported twice: when it crosses the limit (`ended` false, no tail), and at its end.

    Attributes:
        head: Its first bytes.
        tail: Its last bytes; empty until the line has ended.
        ended: Whether the end of the line was seen.
    """

    head: bytes
    tail: bytes
    ended: bool


class LineSplitter:
    """Cuts a byte stream into lines and never holds more than `limit` bytes of one."""

    def __init__(self, limit: int):
        self._limit = limit
        self._buffer = bytearray()
        self._tail = bytearray()
        self._overlong = False

    def feed(self, chunk: bytes) -> list[Line | Overlong]:
        """Return what became complete or overlong with this chunk."""
        found: list[Line | Overlong] = []
        start = 0
        while (stop := chunk.find(b"\n", start)) >= 0:
            self._add(chunk[start:stop], found)
            self._end(found)
            start = stop + 1
        self._add(chunk[start:], found)
        return found

    def finish(self) -> list[Line | Overlong]:
        """Return the unterminated rest, once the stream has ended."""
        found: list[Line | Overlong] = []
        if self._buffer or self._overlong:
            self._end(found)
        return found

    def _add(self, piece: bytes, found: list[Line | Overlong]) -> None:
        if self._overlong:
            self._tail += piece[-_KEPT_OF_OVERLONG:]
            del self._tail[:-_KEPT_OF_OVERLONG]
            return
        self._buffer += piece
        if len(self._buffer) > self._limit:
            self._overlong = True
            self._tail = self._buffer[-_KEPT_OF_OVERLONG:]
            # A new object, because a shrunk bytearray may keep its memory.
            self._buffer = self._buffer[:_KEPT_OF_OVERLONG]
            found.append(Overlong(bytes(self._buffer), b"", ended=False))

    def _end(self, found: list[Line | Overlong]) -> None:
        if self._overlong:
            found.append(Overlong(bytes(self._buffer), bytes(self._tail), ended=True))
        else:
            found.append(Line(bytes(self._buffer).removesuffix(b"\r")))
        self._buffer = bytearray()
        self._tail = bytearray()
        self._overlong = False


def overlong_id(line: Overlong) -> int | None:
    """Return the id of an overlong reply, if one of its ends shows it."""
    # The Python SDK writes the id first, the Node SDK writes it last.
    match = _ID_FIRST.match(line.head) or _ID_LAST.search(line.tail)
    return int(match[1]) if match else None


def unreadable_reply(data: bytes) -> tuple[int, str] | None:
    """Return the id of a line that would be a reply if it were JSON, and why it is not."""
    found = overlong_id(Overlong(data[:_KEPT_OF_OVERLONG], data[-_KEPT_OF_OVERLONG:], ended=True))
    if found is None or b'"method"' in data[:_KEPT_OF_OVERLONG]:
        return None
    try:
        parse(data)
    except UnicodeDecodeError as error:
        return found, f"it is not UTF-8, byte {error.start} is wrong"
    except json.JSONDecodeError as error:
        return found, f"it is no JSON, character {error.pos} is wrong"
    except ValueError as error:
        return found, f"it is {error}"
    return None


def decode(data: bytes) -> list[dict[str, Any]] | None:
    """Return the JSON-RPC messages of one line, or None when it is anything else.

    A batch gives several messages.
    """
    try:
        value = parse(data)
    except ValueError:
        return None
    batch = value if isinstance(value, list) else [value]
    # Log lines in JSON may well have "method" or "error", but never "jsonrpc".
    if not batch or not all(isinstance(item, dict) and "jsonrpc" in item for item in batch):
        return None
    return batch


def parse(data: bytes) -> Any:
    """Return the JSON value of UTF-8 bytes, with or without a byte order mark.

    Lone surrogates become U+FFFD, as in a browser, so that every string can be written out again.

    Raises:
        ValueError: It is not JSON, not UTF-8, or nested too deeply.
    """
    try:
        value = json.loads(data.removeprefix(_BOM).decode())
        return _without_surrogates(value) if _SURROGATE_ESCAPE.search(data) else value
    except RecursionError:
        raise ValueError("nested too deeply") from None


def encode(message: dict[str, Any]) -> bytes:
    """Return a message as one line of ASCII, without its end."""
    return json.dumps(message, separators=(",", ":")).encode()


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub("�", value)
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_without_surrogates(k): _without_surrogates(v) for k, v in value.items()}
    return value
