"""The TypeScript compiler, run once over the files of a test."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mcpapps_cli.embed import environment_types
from mcpapps_cli.resources import bridge_dir

Compile = Callable[[Mapping[str, str]], str]


@pytest.fixture
def compile_strict(tmp_path: Path) -> Compile:
    """Return a function that type-checks files with `tsc --strict`, and gives what it reports."""
    tsc = bridge_dir() / "node_modules" / "typescript" / "bin" / "tsc"
    node = shutil.which("node")
    if node is None or not tsc.exists():
        reason = f"run npm ci in {bridge_dir()}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)

    def run(files: Mapping[str, str]) -> str:
        for name, text in {"mcpapps-env.d.ts": environment_types(), **files}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        done = subprocess.run(
            [node, str(tsc), *OPTIONS, "mcpapps-env.d.ts", *files],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert (done.returncode == 0) == (not done.stdout), done.stdout + done.stderr
        return done.stdout

    return run


OPTIONS = (
    *("--strict", "--noEmit", "--allowJs", "--checkJs", "--target", "es2022"),
    *("--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable"),
)
