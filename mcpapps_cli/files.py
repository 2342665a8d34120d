"""Writing files whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` to `path`, making its folder; a reader sees the old file or the new one.

    Raises:
        OSError: The old file, if there was one, is untouched then.
    """
    write_together({path: data})


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Write several files, making their folders; each is whole, and on an error none is new.

    A file that has its content already is left alone, so that nobody who watches it is woken.

    Raises:
        OSError: The old files are as they were.
    """
    changed = {path: data for path, data in contents.items() if _read(path) != data}
    previous = {path: _read(path) for path in changed}
    parts: dict[Path, Path] = {}
    replaced: list[Path] = []
    try:
        for path, data in changed.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            parts[path] = path.with_name(f".{path.name}.{os.urandom(4).hex()}")
            _write_new(parts[path], data)
        for path, part in parts.items():
            part.replace(path)
            replaced.append(path)
    except BaseException:
        with contextlib.suppress(OSError):
            for part in parts.values():
                part.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            for path in replaced:
                _restore(path, previous[path])
        raise


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _write_new(path: Path, data: bytes) -> None:
    # Opened by hand and not by tempfile, whose files only the user may read.
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(data)


def _restore(path: Path, data: bytes | None) -> None:
    if data is None:
        path.unlink(missing_ok=True)
    else:
        path.write_bytes(data)
