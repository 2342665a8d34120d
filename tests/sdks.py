"""Environments with one SDK each, built once and kept beside the checkout's other caches."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock
from uv import find_uv_bin

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".cache" / "sdks"
REQUIREMENTS = {
    "mcp-1": "mcp>=1.26,<2",
    "mcp-2": "mcp>=2,<3",
    "fastmcp-4": "fastmcp>=4,<5",
}


def sdk_env(name: str) -> Path:
    """Return the interpreter of the environment that has one SDK and nothing else.

    Args:
        name: A key of `REQUIREMENTS`.
    """
    return kept_env(CACHE / name, REQUIREMENTS[name])


def kept_env(folder: Path, *requirements: str) -> Path:
    """Return the interpreter of an environment that is made once, and again for other wishes.

    Args:
        folder: Where the environment is.
        requirements: As pip takes them.
    """
    wanted = f"{' '.join(requirements)} on {sys.version_info.major}.{sys.version_info.minor}"
    python = _python(folder)
    mark = folder / "installed"
    folder.parent.mkdir(parents=True, exist_ok=True)
    # The tests run in several processes.
    with FileLock(folder.with_name(f"{folder.name}.lock")):
        if python.exists() and mark.is_file() and mark.read_text(encoding="utf-8") == wanted:
            return python
        shutil.rmtree(folder, ignore_errors=True)
        try:
            new_env(folder, *requirements)
        except subprocess.CalledProcessError as exc:
            pytest.skip(f"{wanted} cannot be installed: {exc.stderr[-300:]}")
        mark.write_text(wanted, encoding="utf-8")
    return python


def work_env(name: str, wheel: Path, folder: Path) -> Path:
    """Return the interpreter of a new environment: one SDK, pytest, and our wheel.

    Args:
        name: A key of `REQUIREMENTS`.
        wheel: Our wheel.
        folder: Where the environment is made.
    """
    return new_env(folder, REQUIREMENTS[name], "pytest>=8", str(wheel))


def new_env(folder: Path, *requirements: str) -> Path:
    """Make an environment that has what is required, and return its interpreter.

    uv, since pip takes a minute for what takes uv seconds. Byte code is written as pip writes it:
    without it a server takes long to start.

    Args:
        folder: Where the environment is made.
        requirements: As pip takes them.

    Raises:
        subprocess.CalledProcessError: Something cannot be installed; `stderr` says why.
    """
    python = _python(folder)
    for command in (
        ("venv", "--python", sys.executable, str(folder)),
        ("pip", "install", "--compile-bytecode", "--python", str(python), *requirements),
    ):
        subprocess.run(
            [find_uv_bin(), *command, "--quiet"], check=True, capture_output=True, text=True
        )
    return python


def environ(python: Path) -> dict[str, str]:
    """Return the environment variables of somebody who has activated an environment.

    Args:
        python: Its interpreter.
    """
    return {
        **{key: os.environ[key] for key in os.environ if not key.startswith("PYTHON")},
        "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}",
        "VIRTUAL_ENV": str(python.parent.parent),
        "NO_COLOR": "1",
    }


def _python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
