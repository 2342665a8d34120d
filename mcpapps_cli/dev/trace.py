"""What one run of a server did with files, as `bootstrap` noted it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

# These replace parts of the standard library, and must come before whatever uses those.
_PATCHERS = frozenset({"gevent", "eventlet"})


@dataclass(frozen=True, slots=True)
class Trace:
    """The files of a run.

    Attributes:
        modules: Name and file of each module that was run, in order; the name is empty for a
            file that is no importable module, such as the program itself.
        early: How many of them came before the program changed its own environment.
        read: Other files below the project that were opened to be read.
        written: Files below the project that were opened to be written.
        stale: Whether what had been imported ahead was of no use, as an installed file had changed.
    """

    modules: tuple[tuple[str, str], ...] = ()
    early: int = 0
    read: frozenset[Path] = frozenset()
    written: frozenset[Path] = frozenset()
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Places:
    """Where an interpreter keeps what is not the user's own.

    Attributes:
        site: Its `site-packages` folders.
        stdlib: The folder of its standard library.
    """

    site: tuple[str, ...]
    stdlib: str

    def is_foreign(self, file: str) -> bool:
        """Whether a file belongs to the library or to an installed, non-editable package."""
        for folder in self.site:
            if file.startswith(folder + os.sep):
                # An editable package may be a link that leads out.
                top = file[len(folder) + 1 :].partition(os.sep)[0]
                return not _is_link(f"{folder}{os.sep}{top}")
        return file.startswith(self.stdlib + os.sep)


@cache
def _is_link(path: str) -> bool:
    return Path(path).is_symlink()


def read_trace(path: Path) -> Trace:
    """Return the notes so far; nothing when there are none."""
    try:
        lines = path.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return Trace()
    modules: list[tuple[str, str]] = []
    early: int | None = None
    read: set[Path] = set()
    written: set[Path] = set()
    stale = False
    for line in lines:
        match line.split("\t"):
            case ["m", name, file]:
                modules.append((name, file))
            case ["r", file]:
                read.add(Path(file))
            case ["w", file]:
                written.add(Path(file))
            case ["e", _] if early is None:
                early = len(modules)
            case ["p"]:
                stale = True
    return Trace(
        modules=tuple(modules),
        early=len(modules) if early is None else early,
        read=frozenset(read - written),
        written=frozenset(written),
        stale=stale,
    )


def modules_to_warm(trace: Trace, places: Places, exclude: Collection[str]) -> tuple[str, ...]:
    """Return the names that a standby may import before the program runs, in order.

    Args:
        trace: The last run.
        places: What is foreign.
        exclude: Names that stay out, with everything below them.
    """
    names = [
        name for name, file in trace.modules[: trace.early] if name and places.is_foreign(file)
    ]
    if not _PATCHERS.isdisjoint(name.partition(".")[0] for name in names):
        return ()
    return tuple(name for name in dict.fromkeys(names) if not _is_below(name, exclude))


def own_files(trace: Trace, places: Places) -> frozenset[Path]:
    """Return the files of the program itself and of editable packages."""
    files = {file for _, file in trace.modules if not file.startswith("<")}
    return frozenset(Path(file) for file in files if not places.is_foreign(file))


def _is_below(name: str, tops: Iterable[str]) -> bool:
    return any(name == top or name.startswith(top + ".") for top in tops)


def merged(known: Sequence[str], more: Sequence[str]) -> tuple[str, ...]:
    """Return both lists in order, each name once."""
    return tuple(dict.fromkeys((*known, *more)))
