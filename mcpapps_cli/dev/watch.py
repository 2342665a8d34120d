"""What a changed file means for the session."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from enum import Enum
from pathlib import Path

from watchfiles import Change, DefaultFilter, awatch

from mcpapps_cli.model import Project

_CONFIG = ("pyproject.toml", "mcpapps.toml")
_SERVER_SUFFIXES = frozenset(
    {
        *(".py", ".pyi", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx"),
        *(".html", ".css", ".svg", ".json", ".toml", ".yaml", ".yml", ".env", ".sql", ".csv"),
        *(".j2", ".jinja", ".jinja2", ".txt", ".go", ".rs", ".rb", ".java", ".kt", ".cs"),
    }
)
_IGNORED_FOLDERS = (
    *("__pycache__", ".git", ".hg", ".svn", ".tox", ".nox", ".venv", "venv", ".idea", ".vscode"),
    *("node_modules", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".mcpapps"),
    *("site-packages", ".eggs", "htmlcov"),
)


class ChangeKind(Enum):
    """What has to be done about a change; the later members include the earlier ones' work."""

    IGNORED = "ignored"
    VIEW = "view"
    SERVER = "server"
    CONFIG = "config"


class SourceFilter(DefaultFilter):
    """Lets through what a person edits; neither environments nor what the tools write."""

    def __init__(self, project: Project):
        super().__init__(ignore_dirs=_IGNORED_FOLDERS, ignore_paths=[project.out])
        self._root = project.root

    def __call__(self, change: Change, path: str) -> bool:
        """Return whether the change counts."""
        if not super().__call__(change, path):
            return False
        parents = Path(path).parents
        return not any(
            (folder / "pyvenv.cfg").is_file() for folder in parents if folder != self._root
        )


def classify(
    path: Path, project: Project, inputs: Mapping[str, frozenset[Path]]
) -> tuple[ChangeKind, tuple[str, ...]]:
    """Return what a change means, and the Views that it concerns.

    Args:
        path: The absolute path that changed.
        project: The project.
        inputs: The files that each View's last build read, by the View's name.
    """
    if path.parent == project.root and path.name in _CONFIG:
        return ChangeKind.CONFIG, ()
    views = tuple(name for name, files in inputs.items() if path in files)
    if views:
        return ChangeKind.VIEW, views
    # A file that a View misses today may be the one it needs: it lies beside the page.
    beside = tuple(
        view.name
        for view in project.views
        if path.is_relative_to(view.entry.parent) and view.entry.parent != project.root
    )
    if beside and path.suffix != ".py":
        return ChangeKind.VIEW, beside
    parts = path.relative_to(project.root).parts if path.is_relative_to(project.root) else ()
    if parts[:1] in (("tests",), ("test",), ("docs",), (".github",)):
        return ChangeKind.IGNORED, ()
    if path.suffix in _SERVER_SUFFIXES or path.name == ".env":
        return ChangeKind.SERVER, ()
    return ChangeKind.IGNORED, ()


async def watch_project(project: Project) -> AsyncIterator[frozenset[Path]]:
    """Yield the paths that changed, one set for each burst of changes."""
    async for changes in awatch(
        project.root,
        watch_filter=SourceFilter(project),
        debounce=400,
        step=20,
        rust_timeout=500,
        yield_on_timeout=False,
    ):
        yield frozenset(Path(path) for _, path in changes)
