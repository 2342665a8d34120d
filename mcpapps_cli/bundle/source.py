"""Local files that a View refers to: found, confined to the project, and read."""

from __future__ import annotations

import difflib
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn
from urllib.parse import unquote

from mcpapps_cli.bundle.workspace import workspace
from mcpapps_cli.errors import SourceError, UserError
from mcpapps_cli.markup.page import position
from mcpapps_cli.model import Position
from mcpapps_cli.resources import bridge_dir

BRIDGE: Final = "mcpapps:bridge"
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_NETWORK: Final = re.compile(r"(?:https?|wss?):|[/\\]{2}", re.IGNORECASE)


def is_local(url: str) -> bool:
    """Whether a URL, as written in a page, names a file beside the page."""
    url = url.strip()
    return bool(url) and not url.startswith("#") and not is_network(url) and not _SCHEME.match(url)


def is_bridge(path: str) -> bool:
    """Whether an input of esbuild's is a part of the bridge."""
    return path.startswith("bridge:") or path.rpartition("/")[0].endswith("bridge_assets/bridge")


def is_misnamed(url: str) -> bool:
    """Whether a URL is meant for something of this tool, and nothing of it has that name."""
    return url.startswith("mcpapps:") and url != BRIDGE


def is_file_url(url: str) -> bool:
    """Whether a URL names a file of one machine."""
    return url.strip()[:5].lower() == "file:"


def is_network(url: str) -> bool:
    """Whether a URL names something that a browser would fetch from a server."""
    return _NETWORK.match(url.strip()) is not None


def unify(text: str) -> str:
    """Return `text` with LF line ends, which is how HTML reads an inline element."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


class Source(NamedTuple):
    """A text file of the project.

    Attributes:
        path: Absolute and resolved.
        shown: Its path from the project's root, as the user would name it.
        text: Without a byte order mark; line ends as they are.
    """

    path: Path
    shown: str
    text: str

    def at(self, start: int, length: int = 1) -> Position:
        """Return the place `start` characters into the text."""
        return position(self.text, start, self.shown, length)

    def fail(self, message: str, start: int, length: int, help: str | None) -> NoReturn:
        """Raise a `SourceError` at a place of this text."""
        raise SourceError(message, self.at(start, length), help=help)


class Place(NamedTuple):
    """Where a file is referred to: `length` characters at `start` of `source`."""

    source: Source
    start: int
    length: int

    @property
    def text(self) -> str:
        """What is written there."""
        return self.source.text[self.start : self.start + self.length]

    def fail(self, message: str, help: str | None) -> NoReturn:
        """Raise a `SourceError` at this place."""
        self.source.fail(message, self.start, self.length, help)

    def refuse_name(self) -> NoReturn:
        """Raise a `SourceError`: nothing of this tool has the name that is written here."""
        near = difflib.get_close_matches(self.text.strip(), (BRIDGE,), cutoff=0.8)
        self.fail(
            f'there is no "{self.text.strip()}"',
            f'did you mean "{BRIDGE}"?' if near else f'the bridge is "{BRIDGE}"',
        )

    def refuse_file_url(self) -> NoReturn:
        """Raise a `SourceError`: what is written here names a file of this machine only."""
        self.fail(
            f'"{self.text.strip()}" names a file of your machine',
            f'name it from "{self.source.shown}": its path is relative to that',
        )


_PROGRAMS: Final = {".scss": "Sass", ".sass": "Sass", ".less": "Less", ".styl": "Stylus"}
LARGEST: Final = 32 * 2**20
"""Bytes of the largest file that becomes part of a page."""
RUN_FIRST: Final = "run it first, and link the style sheet that it writes"
_TEXTS: Final = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".css", ".json")


class Folder:
    """The project's files as one bundle sees them: what it read, and nothing from elsewhere.

    A file may be in the repository or the workspace that the project is part of, in any
    `node_modules`, and in a folder that the View allows.

    Args:
        root: The project's folder.
        allow: Other folders.
    """

    def __init__(self, root: Path, *, allow: Iterable[Path] = ()):
        self.root = root.resolve()
        self.inputs: dict[Path, None] = {}
        self._base = self.root
        self._sources: dict[Path, Source] = {}
        self._allowed = (
            self.root,
            workspace(self.root),
            bridge_dir().resolve(),
            *(path.resolve() for path in allow),
        )

    def inputs_of(self, names: Mapping[str, Mapping[str, Any]]) -> Iterator[Source]:
        """Take the files that an engine read, and return those that are the View's own.

        Args:
            names: The inputs of esbuild's metafile.

        Raises:
            SourceError: One is outside the project, too large or not UTF-8.
        """
        for name, found in names.items():
            if name.startswith(("page:", "global:", "bridge:", "<")):
                continue
            path = Path(self.root, re.sub(r"\?\w+$", "", name.removeprefix("query:")))
            if not path.is_file():
                continue
            self.inputs[path] = None
            if found["bytes"] > LARGEST:
                raise SourceError(*_too_large(name, found["bytes"], Position(name, 1, 1)))
            if "node_modules/" in name or path.is_relative_to(bridge_dir()):
                continue
            resolved = path.resolve()
            if not self._is_inside(resolved):
                raise SourceError(
                    f'"{self.shown(resolved)}" is outside the project',
                    Position(self.shown(path), 1, 1),
                    help=self._way_in(resolved),
                )
            if path.suffix.lower() in _TEXTS:
                yield Source(resolved, self.shown(path), self._decode(path.read_bytes(), path))

    def package_source(self, name: str) -> Source | None:
        """Return a text that an engine read from `node_modules`; None for any other input."""
        path = Path(self.root, name)
        if "node_modules/" not in name or path.suffix.lower() not in _TEXTS or not path.is_file():
            return None
        return Source(path, self.shown(path), path.read_text("utf-8", "replace"))

    def _is_inside(self, path: Path) -> bool:
        return "node_modules" in path.parts or any(map(path.is_relative_to, self._allowed))

    def _way_in(self, path: Path) -> str:
        return f'move it to {self.root.name}/, or add "{path.parent.as_posix()}" to allow-paths'

    def entry(self, path: Path) -> Source:
        """Return a View's page.

        Raises:
            UserError: It does not exist, cannot be read or is outside the project.
            SourceError: It is not UTF-8.
        """
        shown = self.shown(path)
        try:
            resolved = path.resolve(strict=True)
            if not self._is_inside(resolved):
                raise UserError(f'"{shown}" is outside the project', help=f"move it to {self.root}")
            if resolved.stat().st_size > LARGEST:
                raise UserError(_too_large(shown, resolved.stat().st_size, None)[0])
            data = resolved.read_bytes()
        except FileNotFoundError as exc:
            near = nearest(path)
            advice = f'did you mean "{near}"?' if near else "correct entry in the project's file"
            if not path.parent.exists():
                advice += ", or build the page first if a build tool of its own writes it"
            raise UserError(f'"{shown}" does not exist', help=advice) from exc
        except (OSError, RuntimeError) as exc:
            raise UserError(f'"{shown}" cannot be read: {_reason(exc)}') from exc
        self.inputs[resolved] = None
        self._base = resolved.parent
        return Source(resolved, shown, self._decode(data, shown))

    def text(self, url: str, place: Place) -> Source:
        """Return the text file that `url`, written at `place`, names.

        Raises:
            SourceError: It is missing, unreadable, outside the project or not UTF-8.
        """
        path = self._find(url, place)
        if path not in self._sources:
            text = self._decode(self._read(path, url, place), path)
            self._sources[path] = Source(path, self.shown(path), text)
        return self._sources[path]

    def sheet(self, url: str, place: Place) -> Source:
        """Return the style sheet that `url`, written at `place`, names.

        Raises:
            SourceError: It is missing, unreadable, outside the project, not UTF-8 or no CSS.
        """
        found = self.text(url, place)
        if program := _PROGRAMS.get(found.path.suffix.lower()):
            place.fail(f'"{url}" is for {program}, which did not run', RUN_FIRST)
        return found

    def sources(self) -> tuple[Source, ...]:
        """Return the text files that were read so far."""
        return tuple(self._sources.values())

    def data(self, url: str, place: Place) -> tuple[Path, bytes]:
        """Return path and bytes of the file that `url`, written at `place`, names.

        Raises:
            SourceError: It is missing, unreadable or outside the project.
        """
        path = self._find(url, place)
        return path, self._read(path, url, place)

    def _find(self, url: str, place: Place) -> Path:
        relative = unquote(re.split(r"[?#]", url.strip(), maxsplit=1)[0])
        path = place.source.path.parent / relative
        if relative.startswith("/"):
            # There is no server whose root "/" could be: it is the page's folder.
            path = self._from_root(relative.lstrip("/"))
        with _faults(url, place, path):
            if "\0" in relative:
                raise FileNotFoundError
            resolved = path.resolve(strict=True)
        if not self._is_inside(resolved):
            place.fail(f'"{url}" is outside the project', self._way_in(resolved))
        return resolved

    def _from_root(self, relative: str) -> Path:
        folders = (self._base, self._base / "public", self.root, self.root / "public")
        found = (folder / relative for folder in folders)
        return next((path for path in found if path.exists()), self._base / relative)

    def _read(self, path: Path, url: str, place: Place) -> bytes:
        with _faults(url, place, path):
            size = path.stat().st_size
            if size > LARGEST:
                message, _ = _too_large(url, size, place.source.at(place.start))
                place.fail(message, "a host loads the whole View at once: link to it, or shrink it")
            data = path.read_bytes()
        self.inputs[path] = None
        return data

    def _decode(self, data: bytes, path: Path | str) -> str:
        try:
            # A mark inside a <style> makes browsers drop the first rule.
            return data.decode("utf-8").removeprefix("\ufeff")
        except UnicodeDecodeError as exc:
            shown = path if isinstance(path, str) else self.shown(path)
            before = data[: exc.start].decode("utf-8").removeprefix("\ufeff")
            line = before.count("\n") + 1
            column = len(before) - (before.rfind("\n") + 1) + 1
            raise SourceError(
                f'"{shown}" is not UTF-8: byte 0x{data[exc.start]:02x} at offset {exc.start}',
                Position(shown, line, column),
                help="save the file as UTF-8",
            ) from exc

    def shown(self, path: Path) -> str:
        """Return a path as the user would name it."""
        inside = path.is_relative_to(self.root)
        return (path.relative_to(self.root) if inside else path).as_posix()


def _too_large(name: str, size: int, position: Position | None) -> tuple[str, Any]:
    return f'"{name}" has {size / 1e6:.1f} MB, and a View takes {LARGEST / 1e6:.1f} MB', position


@contextmanager
def _faults(url: str, place: Place, path: Path) -> Iterator[None]:
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        message, advice = absence(url, place.source, path)
    except IsADirectoryError:
        message, advice = f'"{url}" is a folder', "name a file"
    except PermissionError:
        # Windows says the same of a folder.
        message, advice = f'"{url}" cannot be read', "check its permissions"
    except (OSError, RuntimeError) as exc:
        message, advice = f'"{url}" cannot be read: {_reason(exc)}', "check the file"
    else:
        return
    place.source.fail(message, place.start, place.length, advice)


def absence(url: str, source: Source, path: Path) -> tuple[str, str]:
    """Return what to say of a file that is not there: that, and what may have been meant.

    Args:
        url: As written.
        source: Where it is written.
        path: The file that it leads to.
    """
    parent = url.strip().rpartition("/")[0]
    if near := nearest(path):
        advice = f'did you mean "{f"{parent}/{near}" if "/" in url else near}"?'
    elif path.parent == source.path.parent:
        advice = f'there is no such file beside "{source.shown}"'
    else:
        folder = posixpath.normpath(posixpath.join(posixpath.dirname(source.shown), parent))
        advice = f'there is no such file in "{parent if url.startswith("/") else folder}"'
    return f'"{url}" does not exist', advice


def _reason(exc: Exception) -> str:
    # Python 3.11 reports a loop of links as a RuntimeError.
    if isinstance(exc, OSError) and exc.strerror:
        return exc.strerror.lower()
    return "a loop of symbolic links"


def nearest(path: Path) -> str | None:
    """Return the name beside a missing file that is most like its own."""
    try:
        names = sorted(each.name for each in path.parent.iterdir())
    except OSError:
        return None
    exact = [name for name in names if name.lower() == path.name.lower()]
    return next(iter(exact or difflib.get_close_matches(path.name, names, n=1)), None)
