"""Environments with one SDK each, built once and kept beside the checkout's other caches."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest
from filelock import FileLock

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
    return _environment(CACHE / name, (REQUIREMENTS[name],))


def work_env(name: str, wheel: Path, folder: Path) -> Path:
    """Return the interpreter of a new environment: one SDK, pytest, and our wheel.

    What the wheel needs lies in an environment that is kept, seen through a path file, so that
    pip only has to agree with what is there and install one file.

    Args:
        name: A key of `REQUIREMENTS`.
        wheel: Our wheel.
        folder: Where the environment is made.
    """
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    kept = _environment(CACHE / f"{name}-work", (REQUIREMENTS[name], "pytest>=8", *needs))
    return layered(kept, wheel, folder)


def layered(below: Path, wheel: Path, folder: Path) -> Path:
    """Make an environment that has a wheel, and sees the packages of another environment.

    Args:
        below: The interpreter of the other environment.
        wheel: What to install.
        folder: Where the environment is made.

    Returns:
        Its interpreter.
    """
    venv.create(folder, with_pip=False)
    python = _python(folder)
    [kept] = _packages(below)
    [own] = _packages(python)
    (own / "below.pth").write_text(f"{kept}\n", encoding="utf-8")
    command = [str(python), "-m", "pip", "install", "--quiet", str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
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
        "PYTHONDONTWRITEBYTECODE": "1",
        "NO_COLOR": "1",
    }


def _environment(folder: Path, requirements: tuple[str, ...]) -> Path:
    wanted = f"{' '.join(requirements)} on {sys.version_info.major}.{sys.version_info.minor}"
    python = _python(folder)
    mark = folder / "installed"
    folder.parent.mkdir(parents=True, exist_ok=True)
    # The tests run in several processes.
    with FileLock(folder.with_name(f"{folder.name}.lock")):
        if python.exists() and mark.is_file() and mark.read_text(encoding="utf-8") == wanted:
            return python
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, with_pip=True)
        command = [str(python), "-m", "pip", "install", "--quiet", *requirements]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.skip(f"{requirements[0]} cannot be installed: {done.stderr[-300:]}")
        mark.write_text(wanted, encoding="utf-8")
    return python


def _python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _packages(python: Path) -> list[Path]:
    # `Lib` on Windows, `lib/python3.x` elsewhere.
    return sorted((python.parent.parent).glob("[lL]ib/**/site-packages"))
