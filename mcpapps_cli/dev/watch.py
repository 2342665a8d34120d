"""Which files are looked at, and what a changed one means for the session."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from pathlib import Path

from watchfiles import Change, DefaultFilter, awatch

from mcpapps_cli.bundle.output import output_paths
from mcpapps_cli.dev.trace import Places, Trace, own_files
from mcpapps_cli.files import is_file
from mcpapps_cli.model import Project

STEP = 0.005
"""Seconds without a further change after which a burst is over."""
LONGEST = 0.5
"""Seconds after which a burst that does not end is reported all the same."""

# What lies between two watches that see one burst.
_BETWEEN = 0.003
# How far down folders that must not be entered are looked for.
_PLAN_DEPTH = 4
# A watch of all that is below a folder ends where one folder cannot be read, such as the data of a
# database in a container.
_ENTER = os.R_OK | os.X_OK
# Of a folder that has come as a whole.
_FILES_MAX = 2000
_RETURN_SECONDS = 0.5
NO_WATCHES = (
    "the system gives no more file watches, so files are looked at a few times a second, which"
    " takes more time; on Linux a larger fs.inotify.max_user_watches helps"
)
"""What is told when files are polled. So few are left where editors watch large folders."""
WATCH_ERRORS = (OSError, RuntimeError)
"""What watchfiles raises when it cannot watch."""
_Folders = frozenset[tuple[Path, tuple[int, int]]]
"""Folders with what identifies them: another one may have come to bear the name."""
_CONFIG = ("pyproject.toml", "mcpapps.toml")
_TESTS = ("tests", "test")
# What `dev` itself writes beside the sources; they are types alone.
_TYPES = ("mcpapps-tools.d.ts", "mcpapps-env.d.ts")
_APART = ("docs", ".github")
_SERVER_SUFFIXES = frozenset(
    {
        *(".py", ".pyi", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx"),
        *(".html", ".css", ".svg", ".json", ".toml", ".yaml", ".yml", ".sql", ".csv"),
        *(".j2", ".jinja", ".jinja2", ".txt", ".go", ".rs", ".rb", ".java", ".kt", ".cs"),
    }
)
_IGNORED_FOLDERS = (
    *("__pycache__", ".git", ".hg", ".svn", ".tox", ".nox", ".venv", "venv", ".idea", ".vscode"),
    *("node_modules", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".mcpapps"),
    *("site-packages", ".eggs", "htmlcov"),
)


class ChangeKind(Enum):
    """What has to be done about a change."""

    IGNORED = "ignored"
    TEST = "test"
    VIEW = "view"
    SERVER = "server"
    CONFIG = "config"


@dataclass(frozen=True, slots=True)
class Graph:
    """Which files matter, as the last build and the running server told.

    Attributes:
        inputs: The files that each View's last build read, by the View's name.
        modules: The files of the server's own modules; None when that is not known.
        read: Other files that the server read.
        written: Files that the server writes itself; they never restart it.
        files: The Python files that lay beside its modules at that time.
    """

    inputs: Mapping[str, frozenset[Path]] = field(default_factory=dict)
    modules: frozenset[Path] | None = None
    read: frozenset[Path] = frozenset()
    written: frozenset[Path] = frozenset()
    files: frozenset[Path] = frozenset()

    def folders(self) -> frozenset[Path]:
        """Return the folders of the server's own modules."""
        return frozenset(file.parent for file in self.modules or ())


def read_graph(inputs: Mapping[str, frozenset[Path]], traced: tuple[Trace, Places] | None) -> Graph:
    """Return the graph, given what the server did with files."""
    if traced is None:
        return Graph(dict(inputs))
    trace, places = traced
    modules = own_files(trace, places)
    folders = {file.parent for file in modules}
    beside = frozenset(file for folder in folders for file in folder.glob("*.py"))
    return Graph(dict(inputs), modules, trace.read, trace.written, beside)


class SourceFilter(DefaultFilter):
    """Lets through what a person edits; neither environments nor what the tools write."""

    def __init__(self, project: Project):
        # Not as one of its `ignore_paths`: those cover what merely begins alike.
        super().__init__(ignore_dirs=_IGNORED_FOLDERS)
        self._root = project.root
        self._out = project.out
        sources = (project.root, *(view.entry for view in project.views))
        self._mixed = any(source.is_relative_to(project.out) for source in sources)
        self._made = {
            path.name for view in project.views for path in output_paths(view.name, project.out)
        }

    def __call__(self, change: Change, path: str) -> bool:
        """Return whether the change counts."""
        if not super().__call__(change, path):
            return False
        file = Path(path)
        return not self._is_output(file) and not any(
            is_file(folder / "pyvenv.cfg") for folder in file.parents if folder != self._root
        )

    def _is_output(self, file: Path) -> bool:
        if not self._mixed or file == self._out:
            return file.is_relative_to(self._out)
        # The second is the name of a file that is being written.
        names = (file.name, file.name[1:].rpartition(".")[0])
        return file.parent == self._out and not self._made.isdisjoint(names)


def classify(
    path: Path, project: Project, graph: Graph, *, failed: bool = False
) -> tuple[ChangeKind, tuple[str, ...]]:
    """Return what a change means, and the Views that it concerns.

    Args:
        path: The absolute path that changed.
        project: The project.
        graph: Which files matter.
        failed: Whether the server does not run as it should, so that any source may be why.
    """
    if path.parent == project.root and path.name in (*_CONFIG, ".env"):
        return ChangeKind.CONFIG, ()
    if path.name in _TYPES:
        return ChangeKind.IGNORED, ()
    views = tuple(name for name, files in graph.inputs.items() if _among(path, files))
    if views:
        both = _among(path, graph.read) or _among(path, graph.modules or ())
        return (ChangeKind.SERVER if both else ChangeKind.VIEW), views
    # A file that a View misses today may be the one it needs: it lies beside the page.
    beside = tuple(
        view.name
        for view in project.views
        if path.is_relative_to(view.entry.parent) and view.entry.parent != project.root
    )
    if beside and path.suffix != ".py":
        return ChangeKind.VIEW, beside
    if path in graph.written:
        return ChangeKind.IGNORED, ()
    if graph.modules is not None and not failed:
        return _by_use(path, project, graph), ()
    return _by_name(path, project), ()


def _by_use(path: Path, project: Project, graph: Graph) -> ChangeKind:
    if _among(path, graph.read) or _among(path, graph.modules or ()):
        return ChangeKind.SERVER
    if _in(path, project, _TESTS):
        return ChangeKind.TEST
    # A new file beside the server's modules may be a plug-in that it looks for.
    if path.suffix == ".py" and path not in graph.files and path.parent in graph.folders():
        return ChangeKind.SERVER
    return ChangeKind.IGNORED


def _by_name(path: Path, project: Project) -> ChangeKind:
    if _in(path, project, _TESTS):
        return ChangeKind.TEST
    if not _in(path, project, _APART) and path.suffix in _SERVER_SUFFIXES:
        return ChangeKind.SERVER
    return ChangeKind.IGNORED


def _among(path: Path, files: Collection[Path]) -> bool:
    """Whether a path is one of `files`, or a folder with one of them in it."""
    if path in files or any(path in file.parents for file in files):
        return True
    # Where case does not count, an event names the file as it lies on the disk.
    return str(path).casefold() in {str(file).casefold() for file in files}


def _in(path: Path, project: Project, folders: tuple[str, ...]) -> bool:
    return path.is_relative_to(project.root) and path.relative_to(project.root).parts[0] in folders


class Watcher:
    """Yields bursts of changed paths, one set each.

    Folders that cannot matter are not even entered, for a `node_modules` has thousands.

    Args:
        project: Whose root is watched.
        step: Seconds without a change that end a burst.
        on_note: Told when the system has no more watches to give.
    """

    def __init__(
        self,
        project: Project,
        *,
        step: float = STEP,
        on_note: Callable[[str], None] = lambda text: None,
    ):
        self._project = project
        self._filter = SourceFilter(project)
        self._step = step
        self._on_note = on_note
        self._polls: bool | None = None
        self._queue: asyncio.Queue[frozenset[Path]] = asyncio.Queue()
        self._outside: frozenset[Path] = frozenset()
        self._flat: frozenset[Path] = frozenset()
        self._running: dict[tuple[bool, _Folders], tuple[asyncio.Task[None], asyncio.Event]] = {}

    async def begin(self) -> None:
        """Watch from now on; what changes before `changes` is read is kept for it."""
        await self._look()

    async def close(self) -> None:
        """Stop watching."""
        for _, stop in self._running.values():
            stop.set()
        await asyncio.gather(*(task for task, _ in self._running.values()))

    async def follow(self, project: Project, files: Iterable[Path]) -> None:
        """Watch the folders of `files` too, where they lie outside the project."""
        self._project, self._filter = project, SourceFilter(project)
        folders = {file.parent for file in files if not file.is_relative_to(project.root)}
        self._outside = frozenset(
            folder for folder in folders if folders.isdisjoint(folder.parents)
        )
        await self._look()

    async def changes(self) -> AsyncIterator[frozenset[Path]]:
        """Yield until the project's folder is gone."""
        while True:
            paths = set(await self._queue.get())
            await self._gather(paths)
            if not await self._is_there():
                return
            roots = self._flat | {self._project.root}
            folders = {path for path in paths if path.is_dir()}
            gone = any(not path.exists() for path in paths)
            if folders or gone or not roots.isdisjoint(path.parent for path in paths):
                await self._look()
            # A folder that is moved or replaced is one event; what is in it has changed all the
            # same.
            for folder in folders:
                paths.update(islice(_files(folder, self._filter), _FILES_MAX))
            yield frozenset(paths)

    async def _is_there(self) -> bool:
        """Whether there is a project; one that is being replaced gets a moment to come back."""
        loop = asyncio.get_running_loop()
        end = loop.time() + _RETURN_SECONDS
        while not self._project.root.is_dir():
            if loop.time() > end:
                return False
            await asyncio.sleep(self._step)
        return True

    async def _gather(self, paths: set[Path]) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + LONGEST
        while (left := end - loop.time()) > 0:
            try:
                paths |= await asyncio.wait_for(self._queue.get(), min(_BETWEEN, left))
            except TimeoutError:
                return

    async def _look(self) -> None:
        """Watch what is there now; what is watched already goes on without a gap."""
        flat, deep = _plan(self._project.root, self._filter, _PLAN_DEPTH)
        self._flat = frozenset(flat)
        wanted = {(False, _identified(flat)), (True, _identified(deep | self._outside))}
        for key in wanted:
            known = self._running.get(key)
            if key[1] and (known is None or known[0].done()):
                stop = asyncio.Event()
                self._running[key] = (asyncio.create_task(self._watch(*key, stop)), stop)
        # The tasks begin to watch when they first run; only then it is safe to stop the others.
        await asyncio.sleep(0)
        for key in self._running.keys() - wanted:
            self._running[key][1].set()

    async def _watch(self, deep: bool, identified: _Folders, stop: asyncio.Event) -> None:
        folders = frozenset(folder for folder, _ in identified)

        def allowed(change: Change, path: str) -> bool:
            # Looked up each time: the filter follows the project file.
            return self._filter(change, path)

        try:
            async for found in awatch(
                *folders,
                watch_filter=allowed,
                debounce=round(LONGEST * 1000),
                step=round(self._step * 1000),
                rust_timeout=500,
                stop_event=stop,
                recursive=deep,
                force_polling=(polls := self._polls),
            ):
                self._queue.put_nowait(frozenset(Path(path) for _, path in found))
        except ExceptionGroup as group:
            # It watched before: an event that it cannot tell, such as of a name that is no text.
            if group.split(WATCH_ERRORS)[1] is not None:
                raise
            self._queue.put_nowait(folders)
        except WATCH_ERRORS:
            if polls or not all(folder.exists() for folder in folders):
                # A folder has gone; whether that matters is for `changes` to see.
                self._queue.put_nowait(folders)
                return
            if not self._polls:
                self._polls = True
                self._on_note(NO_WATCHES)
            await self._watch(deep, identified, stop)


def _plan(folder: Path, allowed: SourceFilter, depth: int) -> tuple[set[Path], set[Path]]:
    """Return the folders to watch without, and those to watch with what is below them."""
    if not depth:
        opened, closed = _below(folder, allowed)
        return (opened, set()) if closed else (set(), {folder})
    try:
        folders = [child for child in folder.iterdir() if child.is_dir()]
    except OSError:
        return set(), set()
    entered = [
        child
        for child in folders
        if allowed(Change.added, str(child / "x")) and os.access(child, _ENTER)
    ]
    # A link may come to lead elsewhere, so each is watched for itself. One that leads back up has
    # no end, and what is there is watched anyway.
    links = {child for child in entered if child.is_symlink()}
    outward = {link for link in links if not folder.resolve().is_relative_to(link.resolve())}
    plans = [_plan(child, allowed, depth - 1) for child in entered if child not in links]
    deep = outward.union(*(deep for _, deep in plans))
    if len(entered) == len(folders) and links == outward and not any(flat for flat, _ in plans):
        return set(), {folder, *(each for each in deep if each.is_symlink())}
    return {folder}.union(*(flat for flat, _ in plans)), deep


def _below(folder: Path, allowed: SourceFilter) -> tuple[set[Path], bool]:
    """Return a folder and those below it, and whether there is one that must not be read."""
    opened, closed = {folder}, False
    for parent, folders, _ in os.walk(folder):
        folders[:] = [name for name in folders if allowed(Change.added, f"{parent}/{name}/x")]
        for name in folders:
            if os.access(f"{parent}/{name}", _ENTER):
                opened.add(Path(parent, name))
            else:
                closed = True
    return opened, closed


def _identified(folders: Iterable[Path]) -> _Folders:
    found = set()
    for folder in folders:
        with contextlib.suppress(OSError):
            stat = folder.stat()
            found.add((folder, (stat.st_dev, stat.st_ino)))
    return frozenset(found)


def _files(folder: Path, allowed: SourceFilter) -> Iterator[Path]:
    """Yield what lies in a folder, without what must not be entered."""
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if allowed(Change.added, f"{parent}/{name}/x")]
        yield from (
            Path(parent, name) for name in files if allowed(Change.added, f"{parent}/{name}")
        )
