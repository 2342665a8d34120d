import os
import subprocess
import sys
from pathlib import Path

import pytest

from mcpapps_cli.commands.new import next_commands


def run(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mcpapps_cli", "new", *args],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": str(cwd), "NO_COLOR": "1", "VIRTUAL_ENV": "x"},
        check=False,
    )


def test_project_is_written_and_the_next_commands_are_named(tmp_path: Path) -> None:
    done = run("hello", cwd=tmp_path)
    assert done.returncode == 0
    assert "    create  hello/pyproject.toml\n" in done.stderr
    written = sum(path.is_file() for path in (tmp_path / "hello").rglob("*"))
    assert done.stdout == (
        f"\nCreated hello from vanilla ({written} files).\n\n"
        "  cd hello\n  python -m pip install -e .\n  mcpapps dev\n"
    )


def test_dry_run_shows_the_same_verbs_and_writes_nothing(tmp_path: Path) -> None:
    done = run("hello", "--dry-run", cwd=tmp_path)
    real = run("hello", cwd=tmp_path)
    assert done.stderr == real.stderr
    count = real.stderr.count("create")
    assert done.stdout == f"\nWould create {count} files.\n"


def test_dry_run_leaves_no_folder(tmp_path: Path) -> None:
    assert run("hello", "--dry-run", cwd=tmp_path).returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_conflict_ends_with_2_and_changes_nothing(tmp_path: Path) -> None:
    run("hello", cwd=tmp_path)
    readme = tmp_path / "hello" / "README.md"
    readme.write_text("mine")
    done = run("hello", "--yes", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        'error: "hello" exists and differs from the template in 1 file\n'
        "  conflict  hello/README.md\n"
        " help: choose another folder, or pass --overwrite. Nothing was written.\n"
    )
    assert readme.read_text() == "mine"


def test_overwrite_says_what_it_replaces(tmp_path: Path) -> None:
    run("hello", cwd=tmp_path)
    (tmp_path / "hello" / "README.md").write_text("mine")
    done = run("hello", "--overwrite", cwd=tmp_path)
    assert " overwrite  hello/README.md\n" in done.stderr
    assert "Created hello from vanilla (1 file, 1 overwritten)." in done.stdout


def test_name_option_differs_from_the_folder(tmp_path: Path) -> None:
    assert run("json", "--name", "weather", cwd=tmp_path).returncode == 0
    assert 'name = "weather"' in (tmp_path / "json" / "pyproject.toml").read_text()
    assert (tmp_path / "json" / "weather" / "server.py").is_file()


def test_unusable_name_ends_with_2_and_writes_nothing(tmp_path: Path) -> None:
    done = run("json", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        'error: a package "json" would shadow the module "json"',
        " help: choose another name, such as --name json-app",
    ]
    assert list(tmp_path.iterdir()) == []


def test_unknown_template_ends_with_2(tmp_path: Path) -> None:
    done = run("hello", "--template", "vanila", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == 'error: no template "vanila"\n help: did you mean "vanilla"?\n'
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_asked_without_a_terminal(tmp_path: Path) -> None:
    done = run(cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error: no folder was named\n")


def test_templates_are_listed_with_the_default_first(tmp_path: Path) -> None:
    done = run("--list", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("vanilla   Plain HTML")


def test_current_folder_can_be_the_target(tmp_path: Path) -> None:
    here = tmp_path / "hello"
    here.mkdir()
    done = run(".", cwd=here)
    assert done.returncode == 0
    assert done.stdout.endswith("\n\n  python -m pip install -e .\n  mcpapps dev\n")
    assert "cd " not in done.stdout
    assert 'name = "hello"' in (here / "pyproject.toml").read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_is_asked_for_template_and_name(tmp_path: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "mcpapps_cli", "new", "hello"],
        cwd=tmp_path,
        stdin=theirs,
        stderr=theirs,
        stdout=subprocess.DEVNULL,
    )
    os.close(theirs)
    os.write(ours, b"vanilla\nweather\n")
    assert child.wait(timeout=60) == 0
    os.close(ours)
    assert 'name = "weather"' in (tmp_path / "hello" / "pyproject.toml").read_text()


@pytest.mark.parametrize(
    ("uv", "environment", "windows", "install"),
    [
        (True, False, False, "uv sync"),
        (False, True, False, "python -m pip install -e ."),
        (
            False,
            False,
            False,
            "python3 -m venv .venv && .venv/bin/python -m pip install -e .",
        ),
        (
            False,
            False,
            True,
            r"py -m venv .venv; .venv\Scripts\python -m pip install -e .",
        ),
    ],
)
def test_install_command_fits_what_is_there(
    uv: bool, environment: bool, windows: bool, install: str
) -> None:
    commands = next_commands(Path("hello"), uv=uv, environment=environment, windows=windows)
    assert commands == ("cd hello", install, "mcpapps dev")


@pytest.mark.parametrize(
    ("package", "npm"),
    [
        ('{"scripts": {"check": "tsc"}}', ["npm ci"]),
        ('{"scripts": {"build": "vite build"}}', ["npm ci", "npm run build"]),
    ],
)
def test_packages_are_installed_and_a_build_tool_is_run(package: str, npm: list[str]) -> None:
    commands = next_commands(Path("hello"), package=package, uv=True)
    assert commands == ("cd hello", "uv sync", *npm, "mcpapps dev")


def test_folder_with_a_space_is_quoted() -> None:
    assert next_commands(Path("my app"), uv=True, windows=False)[0] == "cd 'my app'"
    assert next_commands(Path("my app"), uv=True, windows=True)[0] == 'cd "my app"'
