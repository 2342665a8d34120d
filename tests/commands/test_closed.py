"""Folders that nobody but another user may read, such as the data of a database in a container."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcpapps_cli import cli
from tests.dev.conftest import SERVER

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")

CLOSED = ("pgdata", "a/b/c/d/e/f/pgdata", ".venv", "weather/views/daylight/notes")
_PR_CAPBSET_DROP = 24
_CAPABILITIES = (1, 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""


def obey_permissions() -> None:
    """Before a program is started: let permissions count for it also where root runs the tests."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        for number in _CAPABILITIES:
            libc.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0)


@pytest.fixture
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Path]:
    assert cli.run(["new", str(tmp_path / "weather"), "--yes"]) == 0
    (tmp_path / "weather" / "server.py").write_text(SERVER)
    folders = [tmp_path / "home"]
    folders += [tmp_path / name for name in CLOSED if name.startswith((".", "weather"))]
    folders += [tmp_path / "weather" / name for name in CLOSED[:2]]
    for folder in folders:
        folder.mkdir(parents=True)
        folder.chmod(0)
    yield tmp_path / "weather"
    for folder in folders:
        folder.chmod(0o700)


def start(project: Path, *args: str) -> subprocess.Popen[str]:
    home = str(project.parent / "home")
    kept = {key: value for key, value in os.environ.items() if key != "VIRTUAL_ENV"}
    return subprocess.Popen(
        [sys.executable, "-u", "-m", "mcpapps_cli", *args],
        cwd=project,
        env={**kept, "HOME": home, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=obey_permissions,
    )


def told(lines: Iterator[str], wanted: str) -> str:
    """Return the next line that has `wanted`; none before it may tell of a fault."""
    for line in lines:
        assert "unexpectedly" not in line
        assert "max_user_watches" not in line
        if wanted in line:
            return line
    raise AssertionError(f"no line with {wanted}")


@pytest.mark.parametrize("args", [["lint"], ["doctor"], ["types"]])
def test_they_are_passed_over(project: Path, args: list[str]) -> None:
    running = start(project, *args)
    said, _ = running.communicate(timeout=60)
    assert running.returncode in (0, 1), said


def test_what_is_beside_them_is_watched_by_bundle(project: Path) -> None:
    running = start(project, "bundle", "--watch")
    assert running.stdout is not None
    lines = iter(running.stdout)
    try:
        told(lines, "Watching ")
        script = project / "views/daylight/view.js"
        script.write_text(script.read_text() + "\nconsole.log('saved');\n")
        told(lines, "Bundled 1 View")
        assert "saved" in (project / "weather/built/daylight.html").read_text()
    finally:
        running.terminate()
        assert running.wait(timeout=30) == 130
        running.stdout.close()


def test_what_is_beside_them_is_watched_by_dev(project: Path) -> None:
    line = f"{sys.executable} server.py"
    running = start(project, "dev", "--json-log", "--no-open", "--command", line)
    assert running.stdout is not None
    lines = iter(running.stdout)
    try:
        told(lines, '"event":"ready"')
        (project / "server.py").write_text(SERVER.replace('"first"', '"second"'))
        ready: dict[str, Any] = json.loads(told(lines, '"event":"server-ready"'))
        while ready["generation"] == 1:
            ready = json.loads(told(lines, '"event":"server-ready"'))
        assert ready["tools"] == ["second"]
    finally:
        running.terminate()
        assert running.wait(timeout=30) == 0
        running.stdout.close()
