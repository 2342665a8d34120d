"""The tests of `docs/testing.md` run as they stand, in the project that the page is about."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from mcpapps_cli.scaffold import find_template, list_templates, plan_files, write_plan

PAGE = Path(__file__).resolve().parents[2] / "docs" / "testing.md"
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


@pytest.mark.browser
@pytest.mark.usefixtures("chromium")
def test_the_tests_of_the_page_pass(tmp_path: Path) -> None:
    target = tmp_path / "weather"
    write_plan(plan_files(find_template("vanilla", list_templates()), target, "weather"))
    blocks = _BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    (fixture,) = [block for block in blocks if "def mcp_app_server" in block]
    (target / "tests" / "conftest.py").write_text(fixture, encoding="utf-8")
    tests = ["import pytest\n", *(block for block in blocks if block != fixture)]
    (target / "tests" / "test_page.py").write_text("\n\n".join(tests), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_page.py"],
        cwd=target,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    # Four plain tests, and one in three hosts and two themes.
    assert "10 passed" in done.stdout
