"""What a command imports before it does anything, which is most of what a short one takes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

VANILLA = Path(__file__).resolve().parent.parent / "scaffolds" / "vanilla"

_SCRIPT = """
import sys
from mcpapps_cli.cli import run
status = run(sys.argv[1:])
print(*sys.modules, sep="\\n", file=sys.stderr)
sys.exit(status)
"""

SERVERS = {"mcp", "mcp_types", "fastmcp", "starlette", "uvicorn", "httpx", "websockets", "anyio"}
"""What only a command that meets a server needs."""
NETWORK = {"asyncio", "ssl", "socket", "email", "http"}
DECORATION = {"rich", "pydantic", "watchfiles", "libcst", "tomlkit", "dotenv"}
"""Pydantic comes with Typer 0.29, which takes as long as all the rest for it."""


def imported(folder: Path, *args: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, *args],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.splitlines())


@pytest.mark.parametrize(
    "args",
    [["--help"], ["--version"], ["bundle", "--help"], ["lint", "--help"], ["new", "--list"]],
    ids=" ".join,
)
def test_what_meets_no_server_imports_nothing_for_one(args, tmp_path):
    modules = imported(tmp_path, *args)
    assert "typer" in modules
    assert not modules & (SERVERS | NETWORK | DECORATION)


def test_help_reads_the_options_of_no_command(tmp_path):
    modules = imported(tmp_path, "--help")
    assert {name for name in modules if name.startswith("mcpapps_cli")} == {
        "mcpapps_cli",
        "mcpapps_cli.cli",
        "mcpapps_cli.cli.group",
        "mcpapps_cli.errors",
    }


def test_bundling_a_plain_page_imports_nothing_for_servers_and_findings(tmp_path):
    project = shutil.copytree(VANILLA, tmp_path / "vanilla")
    modules = imported(project, "bundle", "--check")
    assert not modules & (SERVERS | NETWORK | DECORATION)
    own = {".".join(name.split(".")[:2]) for name in modules if name.startswith("mcpapps_cli.")}
    for layer in ("rpc", "inventory", "host", "stage", "lint", "dev", "scaffold", "typegen"):
        assert f"mcpapps_cli.{layer}" not in own
    rest = {"model.report", "model.inventory", "config.target", "config.client_file"}
    assert not modules & {f"mcpapps_cli.{name}" for name in rest}
