"""The Views of every template, as somebody gets it, in the strict host."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mcpapps_cli.scaffold import list_templates

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.browser
@pytest.mark.usefixtures("chromium")
@pytest.mark.parametrize("name", [each.name for each in list_templates()])
def test_views_of_a_template_pass_in_the_host_of_the_specification(
    name: str, tmp_path: Path
) -> None:
    matrix = ROOT / "scripts" / "lib" / "matrix.py"
    options = ("--template", name, "--profile", "spec", "--reports", str(tmp_path))
    done = subprocess.run(
        [sys.executable, str(matrix), *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 cells passed" in done.stdout
    assert (tmp_path / f"{name}.html").stat().st_size > 10_000
