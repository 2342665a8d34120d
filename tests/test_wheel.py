"""The wheel, installed in a fresh environment outside the checkout, without Node."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.sdks import new_env

ROOT = Path(__file__).resolve().parent.parent
ASSETS = ("bridge", "dist", "inspector", "sandbox", "test-host")


def test_the_wheel_carries_scaffolds_and_bridge_assets(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "mcpapps_cli/py.typed" in names
    shipped = ("scaffolds", *(f"bridge_assets/{name}" for name in ASSETS))
    for folder in shipped:
        tracked = subprocess.run(
            ["git", "ls-files", "-z", folder], cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout.split("\0")
        assert {f"mcpapps_cli/{name}" for name in tracked if name} <= names
    assert {name.split("/")[2] for name in names if "/bridge_assets/" in name} == set(ASSETS)
    assert not any("node_modules" in name or "__pycache__" in name for name in names)


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """Return the folder of the commands of a fresh environment that has only the wheel."""
    return new_env(tmp_path_factory.mktemp("fresh") / "venv", str(wheel)).parent


def test_new_lint_and_bundle_work_without_node_and_without_a_network(installed, tmp_path):
    offline: list[str] = []
    if sys.platform == "linux" and os.geteuid() == 0:
        offline = ["unshare", "-n", "sh", "-c", 'ip link set lo up 2>/dev/null; exec "$@"', "sh"]
    environ = {
        "PATH": f"{installed}{os.pathsep}/usr/sbin{os.pathsep}/usr/bin{os.pathsep}/bin",
        "NO_COLOR": "1",
    }
    no_node = tmp_path / "no-node"
    no_node.mkdir()
    for name in ("node", "npm"):
        # Hide a Node that lies beside the basic tools.
        (no_node / name).write_text("#!/bin/sh\nexit 127\n")
        (no_node / name).chmod(0o755)
    environ["PATH"] = f"{no_node}{os.pathsep}{environ['PATH']}"

    def run(cwd: Path, *args: str) -> None:
        done = subprocess.run(
            [*offline, installed / "mcpapps", *args],
            cwd=cwd,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"mcpapps {' '.join(args)}\n{done.stdout}\n{done.stderr}"

    run(tmp_path, "new", "hello", "--yes")
    for args in (["lint"], ["bundle"], ["bundle", "--check"]):
        run(tmp_path / "hello", *args)


PROJECT = """
[tool.mcpapps]
out = "built"

[tool.mcpapps.views.hello]
entry = "hello.html"
uri = "ui://hello/hello.html"
"""


def test_the_extra_gives_an_engine_where_there_is_no_node(wheel, tmp_path):
    python = new_env(tmp_path / "venv", f"{wheel}[node]")
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text(PROJECT)
    page = '<!doctype html>\n<meta charset="utf-8">\n<script type="module" src="a.ts"></script>'
    (project / "hello.html").write_text(page)
    (project / "a.ts").write_text("const said: string = 'hello'; document.title = said")
    # The user's configuration of npm and pip stays: it says where packages come from.
    kept = {key: value for key, value in os.environ.items() if key != "MCPAPPS_ESBUILD"}
    cache = tmp_path / "cache"
    environ = {**kept, "PATH": str(tmp_path / "nothing"), "MCPAPPS_CACHE": str(cache)}
    environ["npm_config_cache"] = str(tmp_path / "npm")

    def bundle(*args: str) -> subprocess.CompletedProcess[str]:
        command = [python, "-m", "mcpapps_cli", "bundle", *args]
        return subprocess.run(
            command, cwd=project, env=environ, capture_output=True, text=True, check=False
        )

    assert "needs esbuild, which was not found" in bundle().stderr
    done = bundle("--fetch-esbuild")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "fetching esbuild through npm …" in done.stderr
    [built] = project.glob("built/hello.html")
    assert re.search(r'document\.title="?\w+', built.read_text("utf-8"))
    assert ": string" not in built.read_text("utf-8")
    # Once: what was fetched is found from now on.
    [kept_engine] = [path for path in cache.rglob("*") if path.is_file()]
    said = subprocess.run([kept_engine, "--version"], capture_output=True, text=True, check=True)
    assert said.stdout == "0.28.2\n"
    assert "fetching" not in bundle().stderr
