"""Which esbuild is used: the first that answers and is new enough."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from mcpapps_cli.errors import UserError
from mcpapps_cli.files import home, is_file

PINNED: Final = "0.28.2"
"""The version that is fetched, and the one that every test runs with."""
OLDEST: Final = (0, 25)
VARIABLE: Final = "MCPAPPS_ESBUILD"
"""Environment variable that names the executable."""
_NAME: Final = "esbuild.exe" if sys.platform == "win32" else "esbuild"
_MACHINES: Final = {
    "x86_64": "x64",
    "amd64": "x64",
    "arm64": "arm64",
    "aarch64": "arm64",
    "i386": "ia32",
    "i686": "ia32",
    "x86": "ia32",
    "armv7l": "arm",
}
# What executables answered, by path, time of change and size.
_VERSIONS: Final[dict[tuple[Path, int, int], str]] = {}


class Binary(NamedTuple):
    """An esbuild that can be used.

    Attributes:
        path: The executable.
        version: Such as `0.28.2`.
        why: Where it was found, as a user would say it.
    """

    path: Path
    version: str
    why: str


class Search(NamedTuple):
    """What a search found.

    Attributes:
        binary: None when there is none.
        refused: Those that cannot be used, and why.
    """

    binary: Binary | None
    refused: tuple[str, ...] = ()


def platform_name() -> str:
    """Return the platform as esbuild's packages are named after it, such as `linux-x64`."""
    machine = platform.machine().lower()
    return f"{sys.platform}-{_MACHINES.get(machine, machine)}"


def member_name() -> str:
    """Return where the executable is in its package."""
    return _NAME if sys.platform == "win32" else f"bin/{_NAME}"


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the user's cache folder for this tool."""
    if named := environ.get("MCPAPPS_CACHE"):
        return Path(named)
    user = home()
    if sys.platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or user / "AppData" / "Local") / "mcpapps"
    if sys.platform == "darwin":
        return user / "Library" / "Caches" / "mcpapps"
    return Path(environ.get("XDG_CACHE_HOME") or user / ".cache") / "mcpapps"


def cached_binary(cache: Path) -> Path:
    """Return where the fetched esbuild is, or would be."""
    return cache / "esbuild" / PINNED / platform_name() / _NAME


def find_esbuild(
    start: Path,
    *,
    given: Path | None = None,
    cache: Path | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Search:
    """Return the first esbuild that answers in the accepted range.

    In this order: the one given or named by `MCPAPPS_ESBUILD`, the nearest `node_modules` going
    up from `start`, the one on PATH, the one that was fetched.

    Args:
        start: The View's folder.
        given: An executable that must be used.
        cache: Default: the user's cache folder.
        environ: The environment.

    Raises:
        UserError: The one given does not answer or is too old.
    """
    named = given or (Path(environ[VARIABLE]) if environ.get(VARIABLE) else None)
    if named is not None:
        path = Path(shutil.which(named) or named).absolute()
        found = _ask(path)
        if found is None or not is_accepted(found):
            said = "does not answer" if found is None else f"is version {found}"
            raise UserError(
                f'esbuild "{named}" {said}',
                help=f"name an executable of {_words(OLDEST)} or newer",
            )
        return Search(Binary(path, found, "as given"))
    refused = []
    for path, version, why in _candidates(start, cache or cache_folder(environ), environ):
        known = version or _ask(path)
        if known is None:
            refused.append(f"{path} does not answer")
        elif not is_accepted(known):
            refused.append(f"{path} is {known}, older than {_words(OLDEST)}")
        else:
            return Search(Binary(path, known, why), tuple(refused))
    return Search(None, tuple(refused))


def is_accepted(version: str) -> bool:
    """Whether a version is new enough."""
    numbers = version.split("-")[0].split(".")
    return all(part.isdigit() for part in numbers) and tuple(map(int, numbers[:2])) >= OLDEST


def _candidates(
    start: Path, cache: Path, environ: Mapping[str, str]
) -> Iterator[tuple[Path, str | None, str]]:
    package = Path("@esbuild", platform_name())
    for folder in (start, *start.parents):
        packages = folder / "node_modules"
        # Of the linked folders of pnpm, only the real one has the platform's package beside it.
        beside = (packages / "esbuild").resolve().parent
        for base in dict.fromkeys((packages, beside)):
            path = base / package / member_name()
            if is_file(path):
                yield path, _stated_version(base / package), f"in {packages}"
                break
    if on_path := shutil.which("esbuild", path=environ.get("PATH")):
        yield Path(on_path), None, "on PATH"
    fetched = cached_binary(cache)
    if is_file(fetched):
        yield fetched, PINNED, "fetched once"


def _stated_version(package: Path) -> str | None:
    # Starting the executable to ask would take longer than to build a small View.
    try:
        found = json.loads((package / "package.json").read_bytes()).get("version")
    except (OSError, ValueError, AttributeError):
        return None
    return found if isinstance(found, str) else None


def _ask(path: Path) -> str | None:
    try:
        stat = path.stat()
        asked = (path, stat.st_mtime_ns, stat.st_size)
        # In `dev` a View is built again and again, and starting a program takes longer than that.
        if asked not in _VERSIONS:
            done = subprocess.run(
                [path, "--version"], capture_output=True, text=True, timeout=10, check=True
            )
            _VERSIONS[asked] = done.stdout.strip()
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    version = _VERSIONS[asked]
    return version if version[:1].isdigit() else None


def _words(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
