"""What the plugin costs others, and what it says when it cannot begin."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.testing.project import run_pytest, write_project

LOADED = """
import sys
before = set(sys.modules)
import mcpapps_cli.testing.plugin
print(sorted(name for name in set(sys.modules) - before if name.startswith("mcpapps_cli")))
print(sorted({name.split(".")[0] for name in set(sys.modules) - before} - {"mcpapps_cli"}))
"""


def test_a_run_without_the_fixture_loads_nothing_but_the_plugin() -> None:
    program = f"import pytest, inspect, importlib, typing, types, collections.abc{LOADED}"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    ours, others = done.stdout.splitlines()
    assert ours == "['mcpapps_cli', 'mcpapps_cli.testing', 'mcpapps_cli.testing.plugin']"
    assert others == "[]"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_project(tmp_path / "shop", views=("good",))


RENDER = """
    def test_render(mcp_app):
        mcp_app.render("good")
"""
CALL = """
    def test_call(mcp_app):
        assert mcp_app.call("count")["content"][0]["text"] == "1"
"""


def test_without_playwright_the_extra_is_named(project: Path, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden" / "playwright"
    hidden.mkdir(parents=True)
    (hidden / "__init__.py").write_text("raise ImportError('hidden')\n")
    outcomes, output = run_pytest(project, RENDER, PYTHONPATH=str(hidden.parent))
    assert outcomes["test_render"].kind == "failure", output
    assert 'help: pip install "mcpapps-cli[browser]"' in outcomes["test_render"].text


def test_without_a_browser_it_says_how_to_name_one(project: Path) -> None:
    outcomes, _ = run_pytest(project, RENDER, MCPAPPS_BROWSER="/no/such/browser")
    assert 'MCPAPPS_BROWSER is "/no/such/browser", which cannot be run' in (
        outcomes["test_render"].text
    )


@pytest.mark.skipif(sys.platform == "win32", reason="the browser is a shell script")
def test_a_browser_that_does_not_start_shows_its_stderr(project: Path, tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text("#!/bin/sh\necho libnss3.so is missing >&2\nexit 127\n")
    browser.chmod(0o755)
    outcomes, _ = run_pytest(project, RENDER, MCPAPPS_BROWSER=str(browser))
    assert f'"{browser}" could not be started: ' in outcomes["test_render"].text
    assert "\n  libnss3.so is missing\n" in outcomes["test_render"].text


def test_a_server_that_does_not_start_shows_its_stderr(project: Path) -> None:
    (project / "server.py").write_text("raise SystemExit('the key is missing')\n")
    outcomes, _ = run_pytest(project, CALL)
    assert outcomes["test_call"].kind == "error"
    assert "the key is missing" in outcomes["test_call"].text
    assert "Traceback" not in outcomes["test_call"].text


def test_a_folder_without_a_server_says_what_to_write(project: Path) -> None:
    (project / "server.py").unlink()
    (project / "pyproject.toml").write_text("")
    outcomes, _ = run_pytest(project, CALL)
    assert "names no server" in outcomes["test_call"].text
    assert "[tool.mcpapps.server] command" in outcomes["test_call"].text


def test_the_server_may_be_named_and_may_be_an_object(project: Path) -> None:
    (project / "pyproject.toml").write_text("")
    outcomes, output = run_pytest(project, CALL, "--mcpapps-target", "server.py:mcp")
    assert outcomes["test_call"].kind == "passed", output
    (project / "conftest.py").write_text(
        "import pytest\n"
        "@pytest.fixture(scope='session')\n"
        "def mcp_app_server():\n"
        "    from server import mcp\n"
        "    return mcp\n"
    )
    tests = """
        import server

        def test_call(mcp_app):
            server.COUNT["n"] = 6
            assert mcp_app.call("count")["content"][0]["text"] == "7"
    """
    outcomes, output = run_pytest(project, tests, "-p", "no:cacheprovider")
    assert outcomes["test_call"].kind == "passed", output


def test_a_wrong_keyword_of_the_marker_is_told_at_once(project: Path) -> None:
    tests = """
        import pytest

        @pytest.mark.mcpapps(profile="claude")
        def test_call(mcp_app):
            pass
    """
    _, output = run_pytest(project, tests)
    assert "the marker mcpapps knows no 'profile'; use profiles, themes" in output


def test_hosts_come_from_the_command_line_too(project: Path) -> None:
    tests = """
        def test_host(mcp_app, mcpapps_profile, mcpapps_theme):
            assert (mcpapps_profile, mcpapps_theme) == ("claude", "dark")

        def test_without_a_view():
            pass
    """
    options = ("--mcpapps-profile", "claude", "--mcpapps-theme", "dark")
    outcomes, output = run_pytest(project, tests, *options)
    assert set(outcomes) == {"test_host[claude-dark]", "test_without_a_view"}, output
    assert {outcome.kind for outcome in outcomes.values()} == {"passed"}


def test_the_plugin_is_found_in_an_environment_that_has_the_wheel(
    project: Path, work: Callable[[str], Path]
) -> None:
    outcomes, output = run_pytest(project, CALL, python=work("mcp-2"))
    assert outcomes["test_call"].kind == "passed", output
