"""Files that a server itself writes, told by when they change: while it works."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

ECHO_SECONDS = 0.5
"""How long after its work a change may still be a server's doing: it is seen a little later."""
TIMES = 3
"""Changes in a row, each while the server works, after which a file of data is its own."""

_DATA = frozenset({".json", ".yaml", ".yml", ".csv", ".txt"})


class Echoes:
    """Keeps a server whose files nobody notes from restarting itself for ever.

    Such a server may write its state or its build at every start. A file that comes out as it was
    has not changed; one of data that changes again and again, and never but while the server works,
    is its own. What changes at any other time has been changed by somebody else.

    Args:
        on_note: Told of a file that will not restart the server.
        clock: Gives seconds.
    """

    def __init__(self, on_note: Callable[[str], None], clock: Callable[[], float]):
        self._on_note = on_note
        self._clock = clock
        # Work under way, and when the last one ended.
        self._works = 0
        self._worked = float("-inf")
        self._times: dict[Path, int] = {}
        self._digests: dict[Path, bytes] = {}

    @contextmanager
    def working(self) -> Iterator[None]:
        """Let the block be a time in which the server starts or answers."""
        self._works += 1
        try:
            yield
        finally:
            self._works -= 1
            self._worked = self._clock()

    def own(self, paths: Iterable[Path]) -> frozenset[Path]:
        """Return those of the changed paths that the server has written itself."""
        if not self._works and self._clock() - self._worked >= ECHO_SECONDS:
            for path in paths:
                self._times.pop(path, None)
                self._digests.pop(path, None)
            return frozenset()
        return frozenset(path for path in paths if self._is_own(path))

    def _is_own(self, path: Path) -> bool:
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").digest()
        except OSError:
            return False
        if self._digests.get(path) == digest:
            return True
        self._digests[path] = digest
        if path.suffix not in _DATA:
            return False
        times = self._times[path] = self._times.get(path, 0) + 1
        if times == TIMES:
            self._on_note(f'"{path.name}" changes when the server works: it restarts it no more')
        return times >= TIMES
