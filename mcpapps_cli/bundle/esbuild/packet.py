"""The packets of esbuild's stdio service: little-endian, with a length in front."""

from __future__ import annotations

from struct import Struct
from typing import Any, Final, NamedTuple

_U32: Final = Struct("<I")


class Packet(NamedTuple):
    """A request, or the answer to the request of that id."""

    id: int
    response: bool
    value: Any


def encode(packet: Packet) -> bytes:
    """Return a packet with its length.

    Raises:
        TypeError: The value holds something else than None, bool, int, str, bytes, list and dict.
    """
    out = bytearray(_U32.pack(packet.id << 1 | packet.response))
    _write(out, packet.value)
    return _U32.pack(len(out)) + bytes(out)


def decode(data: bytes) -> Packet:
    """Return the packet that `data`, without the length, is."""
    head = _U32.unpack_from(data)[0]
    value, _ = _read(data, 4)
    return Packet(head >> 1, bool(head & 1), value)


def _write(out: bytearray, value: Any) -> None:
    match value:
        case None:
            out.append(0)
        case bool():
            out += bytes((1, value))
        case int():
            out.append(2)
            out += _U32.pack(value & 0xFFFFFFFF)
        case str():
            out.append(3)
            _write_bytes(out, value.encode())
        case bytes():
            out.append(4)
            _write_bytes(out, value)
        case list() | tuple():
            out.append(5)
            out += _U32.pack(len(value))
            for item in value:
                _write(out, item)
        case dict():
            out.append(6)
            out += _U32.pack(len(value))
            for key, item in value.items():
                _write_bytes(out, key.encode())
                _write(out, item)
        case _:
            raise TypeError(f"a packet cannot hold {type(value).__name__}")


def _write_bytes(out: bytearray, data: bytes) -> None:
    out += _U32.pack(len(data))
    out += data


def _read(data: bytes, at: int) -> tuple[Any, int]:
    kind, at = data[at], at + 1
    match kind:
        case 0:
            return None, at
        case 1:
            return bool(data[at]), at + 1
        case 2:
            return _U32.unpack_from(data, at)[0], at + 4
        case 3:
            raw, at = _read_bytes(data, at)
            return raw.decode("utf-8", "replace"), at
        case 4:
            return _read_bytes(data, at)
    count, at = _U32.unpack_from(data, at)[0], at + 4
    if kind == 5:
        items = []
        for _ in range(count):
            item, at = _read(data, at)
            items.append(item)
        return items, at
    found = {}
    for _ in range(count):
        key, at = _read_bytes(data, at)
        found[key.decode()], at = _read(data, at)
    return found, at


def _read_bytes(data: bytes, at: int) -> tuple[bytes, int]:
    end = at + 4 + _U32.unpack_from(data, at)[0]
    return data[at + 4 : end], end
