"""`scripts/matrix`: the Views of the templates in the hosts of the field."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.browser
@pytest.mark.usefixtures("chromium")
def test_it_makes_a_project_tries_its_views_and_writes_a_report(tmp_path: Path) -> None:
    matrix = ROOT / "scripts" / "lib" / "matrix.py"
    options = ("--template", "vanilla", "--profile", "chatgpt", "--reports", str(tmp_path))
    done = subprocess.run(
        [sys.executable, str(matrix), *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "All 2 cells passed." in done.stdout
    assert (tmp_path / "vanilla.html").stat().st_size > 10_000
