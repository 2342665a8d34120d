"""The Python interpreter of the user's project, and why it was chosen."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from mcpapps_cli.errors import ConfigError
from mcpapps_cli.files import is_file


def find_interpreter(
    root: Path,
    *,
    python: str | None = None,
    script: Path | None = None,
    environ: Mapping[str, str] = os.environ,
    running: str = sys.executable,
) -> tuple[tuple[str, ...], str]:
    """Return argv that starts the project's Python, and one line that says why it was chosen.

    The order is: `python` as given, `VIRTUAL_ENV`, `.venv` walking up from `root`, `uv run` where
    `uv.lock` or the script's inline metadata asks for it, the interpreter that runs us.

    Args:
        root: The project's root.
        python: What `--python` says: a path or a name on PATH.
        script: The file to be run; its inline metadata counts.
        environ: Where `VIRTUAL_ENV` and PATH are looked up.
        running: The interpreter that runs us.

    Raises:
        ConfigError: `python` does not exist.
    """
    if python is not None:
        found = shutil.which(python, path=environ.get("PATH"))
        if found is None:
            raise ConfigError(
                f'interpreter "{python}" does not exist',
                help="give --python a path or a name on PATH",
            )
        return (found,), f"python: {python} (--python)"
    if environ.get("VIRTUAL_ENV"):
        active = _python_of(Path(environ["VIRTUAL_ENV"]))
        if active is not None:
            return (str(active),), f"python: {active} (VIRTUAL_ENV)"
    for folder in (root, *root.parents):
        local = _python_of(folder / ".venv")
        if local is not None:
            return (str(local),), f"python: {local} (.venv of {folder.name or folder})"
    reason = _asks_for_uv(root, script)
    if reason is not None:
        uv = shutil.which("uv", path=environ.get("PATH"))
        if uv is not None:
            extra = ("--script",) if script is not None and reason == "inline metadata" else ()
            return (uv, "run", *extra) if extra else (uv, "run", "python"), f"uv run ({reason})"
    return (running,), f"python: {running} (runs mcpapps; the project has no .venv)"


def _python_of(environment: Path) -> Path | None:
    for name in ("bin/python", "Scripts/python.exe"):
        if is_file(environment / name):
            return environment / name
    return None


def _asks_for_uv(root: Path, script: Path | None) -> str | None:
    if script is not None and script.is_file():
        head = script.read_bytes()[:65536]
        if head.startswith(b"# /// script") or b"\n# /// script" in head:
            return "inline metadata"
    for folder in (root, *root.parents):
        if is_file(folder / "uv.lock"):
            return "uv.lock"
    return None
