"""Packages of npm, installed once for each lock file and kept in the checkout's cache."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from filelock import FileLock

CACHE = Path(__file__).resolve().parents[1] / ".cache" / "npm"
NPM = shutil.which("npm") or "npm"


def install_packages(project: Path) -> None:
    """Give a project the packages of its lock file, as links to the files that are kept."""
    key = hashlib.sha256((project / "package-lock.json").read_bytes()).hexdigest()[:16]
    kept = CACHE / key
    CACHE.mkdir(parents=True, exist_ok=True)
    # The tests run in several processes.
    with FileLock(CACHE / f"{key}.lock"):
        if not (kept / "installed").exists():
            shutil.rmtree(kept, ignore_errors=True)
            kept.mkdir()
            for name in ("package.json", "package-lock.json"):
                shutil.copy(project / name, kept)
            command = [NPM, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
            done = subprocess.run(command, cwd=kept, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                pytest.skip(f"npm ci failed: {done.stderr[-300:]}")
            (kept / "installed").touch()
    shutil.copytree(
        kept / "node_modules", project / "node_modules", symlinks=True, copy_function=os.link
    )
