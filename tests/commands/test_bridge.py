"""`mcpapps bridge` as a user runs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mcpapps_cli import embed


def bridge(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mcpapps_cli", "bridge", *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_module_and_its_types_are_written(tmp_path):
    done = bridge(tmp_path, "--out", "src/lib/bridge.mjs")
    assert done.returncode == 0
    assert (tmp_path / "src/lib/bridge.mjs").read_text() == embed.bridge_module()
    assert "export" in (tmp_path / "src/lib/bridge.d.mts").read_text()
    assert "\nexport" in embed.bridge_module() or "export{" in embed.bridge_module()


def test_the_classic_script_has_no_export(tmp_path):
    assert bridge(tmp_path, "--global", "--out", "bridge.js").returncode == 0
    assert (tmp_path / "bridge.js").read_text() == embed.bridge_script()
    assert (tmp_path / "bridge.d.ts").is_file()


@pytest.mark.parametrize(
    ("out", "message"),
    [("bridge.ts", "does not end in .js or .mjs"), ("folder.js", "is a folder")],
)
def test_a_wrong_file_is_an_error_and_nothing_is_written(tmp_path, out, message):
    (tmp_path / "folder.js").mkdir()
    done = bridge(tmp_path, "--out", out)
    assert done.returncode == 2
    assert message in done.stderr.splitlines()[0]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.js"]
