"""The project's own files that rules read: Python sources, the wheel, the SDK, what git has."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final

from mcpapps_cli.errors import ConfigError
from mcpapps_cli.files import is_file
from mcpapps_cli.inventory import load_inventory
from mcpapps_cli.lint.observed import SourceFile, Wheel
from mcpapps_cli.model import Project, Uri

_FILES: Final = 2000
_BYTES: Final = 1_000_000
_SKIPPED: Final = frozenset(
    ("node_modules", "__pycache__", "venv", "env", "dist", "build", "site-packages")
)
_GIT_SECONDS: Final = 5.0


def python_files(root: Path) -> Iterator[SourceFile]:
    """Yield the Python files below a folder, in the order of their paths; never raises.

    Hidden folders, environments and builds are passed over, and so is what is not UTF-8.
    """
    count = 0
    for folder, folders, names in os.walk(root):
        here = Path(folder)
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and name not in _SKIPPED
            and not is_file(here / name / "pyvenv.cfg")
        )
        for name in sorted(name for name in names if name.endswith(".py")):
            count += 1
            if count > _FILES:
                return
            path = here / name
            try:
                if path.stat().st_size <= _BYTES:
                    text = path.read_text(encoding="utf-8")
                    yield SourceFile(PurePosixPath(path.relative_to(root).as_posix()), text)
            except (OSError, ValueError):
                continue


def read_wheel(path: Path, root: Path) -> Wheel:
    """Return the names in a wheel.

    Raises:
        ConfigError: It cannot be read.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            names = tuple(archive.namelist())
    except FileNotFoundError as exc:
        raise ConfigError(
            f'wheel "{path}" does not exist', help="build one: python -m build, or uv build"
        ) from exc
    except (OSError, zipfile.BadZipFile) as exc:
        raise ConfigError(f'"{path}" is no wheel that can be read', help="build it anew") from exc
    shown = path.relative_to(root) if path.is_relative_to(root) else path
    return Wheel(PurePosixPath(shown.as_posix()), names)


def newest_wheel(root: Path) -> Path | None:
    """Return the wheel in `dist` that was built last, or None."""
    wheels = [path for path in (root / "dist").glob("*.whl") if path.is_file()]
    return max(wheels, key=lambda path: path.stat().st_mtime, default=None)


def installed_sdk(command: tuple[str, ...]) -> tuple[str, str] | None:
    """Return name and version of the MCP SDK beside the interpreter of a command, or None.

    The packages are read from their folder; the interpreter is not run.
    """
    if not command or not Path(command[0]).name.lower().startswith("python"):
        return None
    prefix = Path(command[0]).parent.parent
    for packages in (*prefix.glob("lib/python3*/site-packages"), prefix / "Lib/site-packages"):
        for name in ("mcp", "fastmcp"):
            for found in packages.glob(f"{name}-*.dist-info"):
                return name, found.name.removesuffix(".dist-info").partition("-")[2]
    return None


def baseline_of(path: Path) -> dict[Uri, str]:
    """Return the SHA-256 of each page of a saved inventory by its URI.

    Raises:
        ConfigError: It is none.
    """
    resources = load_inventory(path).resources
    return {one.uri: _digest(one.html.encode()) for one in resources if one.html is not None}


def committed_pages(project: Project) -> dict[Uri, str]:
    """Return the SHA-256 of each bundled page in git's HEAD by its URI; empty without git."""
    found: dict[Uri, str] = {}
    for view in project.views:
        folder = project.out.relative_to(project.root).as_posix()
        html = _show(project.root, f"HEAD:./{folder}/{view.name}.html")
        pair = _show(project.root, f"HEAD:./{folder}/{view.name}.json") if html else None
        uri = _uri(pair) if pair is not None else None
        if html is not None and uri is not None:
            found[uri] = _digest(html)
    return found


def _show(root: Path, name: str) -> bytes | None:
    command = ["git", "-C", str(root), "show", name]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_GIT_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _uri(pair: bytes) -> Uri | None:
    try:
        value: Any = json.loads(pair)
    except ValueError:
        return None
    uri = value.get("uri") if isinstance(value, Mapping) else None
    return uri if isinstance(uri, str) else None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
