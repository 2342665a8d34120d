"""The examples of `docs/bridge.md`, run in Node against the test host."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest


@pytest.mark.node
def test_each_example_sends_what_the_page_says_and_needs_what_it_says() -> None:
    node = shutil.which("node")
    if node is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no node on the PATH")
        pytest.skip("no node on the PATH")
    script = Path(__file__).with_name("bridge.test.mjs")
    result = subprocess.run(
        [node, "--test", "--test-reporter=spec", str(script)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, result.stdout
