"""Our wheel beside each SDK, in one environment: it installs there, and every command works."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from uv import find_uv_bin

from mcpapps_cli.cli.group import COMMANDS
from tests.devlog import run_dev
from tests.sdks import environ

SDKS = {"mcp": "mcp-2", "fastmcp": "fastmcp-4", "mcp1": "mcp-1"}
IN_THE_PROJECT = [
    ("bundle",),
    ("bundle", "--check"),
    ("lint",),
    ("types",),
    ("doctor",),
    ("explain", "relative-url"),
    ("bridge",),
    ("add", "view", "extra"),
    # Its runs, for which Playwright is needed, are in tests/scaffolds.
    ("test", "--help"),
]
ELSEWHERE = {"new", "dev"}


def test_no_command_is_forgotten() -> None:
    assert set(COMMANDS) == ELSEWHERE | {command for command, *_ in IN_THE_PROJECT}


@pytest.mark.anyio
@pytest.mark.parametrize("sdk", SDKS)
async def test_wheel_installs_beside_the_sdk_and_every_command_works(
    sdk: str, work: Callable[[str], Path], tmp_path: Path
) -> None:
    python = work(SDKS[sdk])
    mcpapps = python.with_name("mcpapps")
    variables = environ(python)

    def run(*args: str, cwd: Path) -> None:
        done = subprocess.run(
            [mcpapps, *args], cwd=cwd, env=variables, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"mcpapps {' '.join(args)}\n{done.stdout}\n{done.stderr}"

    run("new", "weather", "--sdk", sdk, "--yes", cwd=tmp_path)
    project = tmp_path / "weather"
    for args in IN_THE_PROJECT:
        run(*args, cwd=project)
    check = [find_uv_bin(), "pip", "check", "--python", python]
    checked = subprocess.run(check, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    async with run_dev(cwd=project, python=python, env=variables) as dev:
        assert dev.ready["tools"] == ["show_daylight"]
