"""The bridge's own tests, in Node: over its sources, over its build, and of its build."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from mcpapps_cli.resources import bridge_dir

pytestmark = pytest.mark.node

TESTS = sorted(path.name for path in (bridge_dir() / "tests").glob("*.test.mjs"))


def run_node(name: str, **env: str) -> subprocess.CompletedProcess[str]:
    node = shutil.which("node")
    if node is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no node on the PATH")
        pytest.skip("no node on the PATH")
    if name == "build.test.mjs" and not (bridge_dir() / "node_modules").exists():
        reason = f"run npm ci in {bridge_dir()}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return subprocess.run(
        [node, "--test", "--test-reporter=spec", f"tests/{name}"],
        cwd=bridge_dir(),
        env={**os.environ, **env},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("name", TESTS)
def test_the_sources_pass(name: str) -> None:
    result = run_node(name)
    sizes = [line.strip() for line in result.stdout.splitlines() if " compressed" in line]
    print(*sizes, sep="\n")
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    "name", ["handshake", "rendering-call", "request", "teardown", "app-tool", "wire-compat"]
)
def test_the_build_passes(name: str) -> None:
    result = run_node(f"{name}.test.mjs", MCPAPPS_BRIDGE="../dist/bridge.mjs")
    assert result.returncode == 0, result.stdout
