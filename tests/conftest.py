"""Fixtures shared by all tests, and the rule that in CI nothing is skipped."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Generator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from mcpapps_cli.stage.browser import find_browser, playwright_flags
from tests.sdks import work_env

ROOT = Path(__file__).resolve().parent.parent
# What `scripts/fuzz` runs: more examples of each property than a test can wait for.
settings.register_profile("fuzz", max_examples=200, deadline=None, print_blob=True)
CI = os.environ.get("CI") == "true"
# What few users have set, and what hides faults of byte code and of output that stays in a buffer.
for _variable in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"):
    os.environ.pop(_variable, None)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def chromium() -> Path:
    """Return a Chrome, Edge or Chromium."""
    found = find_browser()
    if found is None:
        pytest.skip("no Chrome, Edge or Chromium: install one, or set MCPAPPS_BROWSER")
    return found


@pytest.fixture(scope="session")
def chromium_flags() -> list[str]:
    """Return the flags for Playwright, which adds `--headless` itself."""
    return playwright_flags()


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return our wheel, built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build_wheel(ROOT, folder)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def work(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return what gives the interpreter of an SDK's environment that has pytest and our wheel."""

    @cache
    def make(sdk: str) -> Path:
        return work_env(sdk, wheel, tmp_path_factory.mktemp(sdk) / "venv")

    return make


def build_wheel(project: Path, folder: Path) -> None:
    """Build a project's wheel into a folder, without an environment of its own."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Generator[None, Any, Any]:
    report = yield
    # A `skipif` names a platform; any other skip means that something is missing here.
    if CI and report.skipped and not any(item.iter_markers("skipif")):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped in CI: {call.excinfo.value}"
    return report
