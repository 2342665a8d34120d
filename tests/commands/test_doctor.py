"""What `mcpapps doctor` says of the engines, and of a wrong option."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PEERS = Path(__file__).resolve().parent.parent / "peers" / "node_modules"


def doctor(*args: str, cwd: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mcpapps_cli", "doctor", "--format", "json", *args],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environ},
    )


def esbuild_of(cwd: Path, **environ: str) -> dict[str, str]:
    done = doctor(cwd=cwd, **environ)
    [check] = [each for each in json.loads(done.stdout)["checks"] if each["name"] == "esbuild"]
    return check


@pytest.mark.node
def test_esbuild_of_the_view_is_named_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "node_modules").symlink_to(PEERS, target_is_directory=True)
    check = esbuild_of(tmp_path)
    assert (check["state"], check["fix"]) == ("ok", None)
    assert check["text"] == f"0.28.2 in {tmp_path / 'node_modules'}"


def test_without_esbuild_there_is_one_line_that_gets_it(tmp_path: Path) -> None:
    check = esbuild_of(tmp_path, PATH=str(tmp_path), MCPAPPS_CACHE=str(tmp_path))
    assert check["state"] == "ok"
    assert check["text"] == "not found, which TypeScript and imports need"
    assert check["fix"] == (
        'run "npm install --save-dev esbuild@0.28.2", or bundle with --fetch-esbuild'
    )


def test_esbuild_that_was_named_and_does_not_answer_is_an_error(tmp_path: Path) -> None:
    check = esbuild_of(tmp_path, MCPAPPS_ESBUILD=sys.executable)
    assert check["state"] == "error"
    assert check["text"] == f'esbuild "{sys.executable}" does not answer'


def test_public_url_that_is_none_is_an_error_in_json_too(tmp_path: Path) -> None:
    done = doctor("--public-url", "apps.example", cwd=tmp_path)
    assert json.loads(done.stdout)["error"]["message"] == (
        '"apps.example" is not an http or https URL'
    )
    assert (done.returncode, done.stderr) == (2, "")
