"""Writing files whole or not at all, how a text would change, and how a path is named."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
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

    A file that has its content already is left alone, so that nobody who watches it is woken. The
    others have one time, so that none of them looks older than what it was made from.

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
            try:
                _write_new(parts[path], data, _mode(path))
            except OSError as exc:
                # Nobody knows the other name.
                exc.filename = str(path)
                raise
        last = max((part.stat().st_mtime_ns for part in parts.values()), default=0)
        for part in parts.values():
            os.utime(part, ns=(last, last))
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


def is_file(path: Path) -> bool:
    """Whether there is a file that can be reached; `Path.is_file` raises in a closed folder."""
    return os.path.isfile(path)  # noqa: PTH113


def home() -> Path:
    """Return the user's home; the root where the system knows none, as it may in a container."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/")


def shown(path: Path) -> str:
    """Return a path as a user would name it: from the current folder, with `/`."""
    try:
        return Path(os.path.relpath(path)).as_posix()
    except ValueError:
        # Another drive has no relative path.
        return path.as_posix()


def text_diff(before: str | None, after: str, shown: str) -> str:
    """Return how a text changes as a unified diff, without a last line end.

    Args:
        before: None for a file that is new.
        after: The text as it will be.
        shown: The file's name.
    """
    from difflib import unified_diff

    lines = unified_diff(
        (before or "").splitlines(keepends=True),
        after.splitlines(keepends=True),
        "/dev/null" if before is None else f"a/{shown}",
        f"b/{shown}",
    )
    return "".join(lines).rstrip("\n")


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _mode(path: Path) -> int | None:
    """Return the permissions of a file, or None when it does not exist; refuse a protected one."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return None
    # To replace a file, only its folder has to be writable: the file itself says more.
    if not mode & 0o222:
        raise PermissionError(errno.EACCES, "the file is read-only", str(path))
    return mode


def _write_new(path: Path, data: bytes, mode: int | None) -> None:
    # Opened by hand and not by tempfile, whose files only the user may read.
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(data)
    if mode is not None:
        path.chmod(mode)


def _restore(path: Path, data: bytes | None) -> None:
    if data is None:
        path.unlink(missing_ok=True)
    else:
        path.write_bytes(data)
