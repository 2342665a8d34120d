"""Environments with one SDK each, built once and kept beside the checkout's other caches."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from filelock import FileLock

CACHE = Path(__file__).resolve().parents[1] / ".cache" / "sdks"
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
    wanted = f"{REQUIREMENTS[name]} on {sys.version_info.major}.{sys.version_info.minor}"
    folder = CACHE / name
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    mark = folder / "installed"
    CACHE.mkdir(parents=True, exist_ok=True)
    # The tests run in several processes.
    with FileLock(CACHE / f"{name}.lock"):
        if python.exists() and mark.is_file() and mark.read_text(encoding="utf-8") == wanted:
            return python
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, with_pip=True)
        command = [str(python), "-m", "pip", "install", "--quiet", REQUIREMENTS[name]]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.skip(f"{REQUIREMENTS[name]} cannot be installed: {done.stderr[-300:]}")
        mark.write_text(wanted, encoding="utf-8")
    return python
