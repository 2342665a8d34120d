"""The command line as a whole: help, wrong words, exit codes, start-up."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mcpapps_cli import cli
from mcpapps_cli.cli.group import COMMANDS
from mcpapps_cli.errors import ExitStatus


def mcpapps(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mcpapps_cli", *args], capture_output=True, text=True, check=False
    )


def test_help_lists_every_command_with_its_purpose():
    done = mcpapps()
    assert done.returncode == 0
    assert done.stdout == mcpapps("--help").stdout == mcpapps("help").stdout
    for name, summary in COMMANDS.items():
        assert re.search(rf"\n  {name} +{re.escape(summary)}\n", done.stdout)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_says_what_the_list_says(command, capsys):
    assert cli.run(["help", command]) is ExitStatus.OK
    page = capsys.readouterr().out
    assert COMMANDS[command] in page
    assert cli.run([command, "--help"]) is ExitStatus.OK
    assert capsys.readouterr().out == page


@pytest.mark.parametrize(
    ("args", "error", "help_"),
    [
        (["bundel"], 'no command "bundel"', 'did you mean "bundle"?'),
        (["help", "bundel"], 'no command "bundel"', 'did you mean "bundle"?'),
        (["xyzzy"], 'no command "xyzzy"', "see mcpapps --help"),
        (["lint", "--zz"], "no such option: --zz", "see mcpapps lint --help"),
        (
            ["lint", "--timeout", "-3"],
            "invalid value for '--timeout': -3.0 is not in the range x>=0.1",
            "see mcpapps lint --help",
        ),
        (["lint", "--era", "old"], '"old" is not an era', "use auto, legacy or modern"),
    ],
)
def test_a_wrong_word_is_one_error_line_and_one_help_line(args, error, help_):
    done = mcpapps(*args)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines()[0] == f"error: {error}"
    assert done.stderr.splitlines()[1] == f" help: {help_}"
    assert len(done.stderr.splitlines()) == 2


def test_our_own_fault_is_status_3_with_a_log(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)

    def broken(*args, **kwargs):
        raise KeyError("csp")

    monkeypatch.setattr(cli, "app", broken)
    assert cli.run(["lint"]) is ExitStatus.BUG
    text = capsys.readouterr().err
    assert "this is a bug in mcpapps" in text
    (log,) = (tmp_path / ".mcpapps" / "log").iterdir()
    assert "KeyError: 'csp'" in log.read_text()


def test_version():
    assert mcpapps("--version").stdout == "mcpapps 0.1.0\n"


@pytest.mark.parametrize("args", [["explain", "--list"], ["new", "hello", "--yes"]])
def test_a_reader_that_has_gone_is_no_fault(args, tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "mcpapps_cli", *args]
    done = subprocess.run(command, cwd=tmp_path, stdout=writing, stderr=writing, check=False)
    os.close(writing)
    assert done.returncode == 0
    assert args[0] != "new" or (tmp_path / "hello" / "views").is_dir()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
@pytest.mark.parametrize(
    ("line", "status", "error"),
    [
        ("explain --list >/dev/full", 2, "error: cannot write: no space left on device"),
        ("--help >/dev/full", 2, "error: cannot write: no space left on device"),
        ("explain --list >&-", 2, "error: stdout is closed, so nothing can be written to it"),
        ("explain --list 2>&-", 0, ""),
        ("explain nothing 2>&- <&-", 2, ""),
        ("explain nothing 2>/dev/full", 2, ""),
    ],
)
def test_what_cannot_be_written_is_no_fault_of_ours(line, status, error, tmp_path):
    command = f'"{sys.executable}" -m mcpapps_cli {line}'
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stderr.decode().partition("\n")[0]) == (status, error)


def test_letters_that_the_system_cannot_write_are_spelled_out(tmp_path):
    command = [sys.executable, "-m", "mcpapps_cli", "bridge", "--out", "ü.mjs"]
    environ = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(rb"\xfc.mjs  ")
    assert (tmp_path / "ü.mjs").is_file()


@pytest.mark.parametrize(
    "line",
    ["lint --help", "add --help", "add tool --help", "explain --list", "explain csp-on-tool"],
)
def test_without_docstrings_nothing_is_left_unsaid(line, tmp_path):
    plain, stripped = (
        subprocess.run(
            [sys.executable, *flags, "-m", "mcpapps_cli", *line.split()],
            cwd=tmp_path,
            capture_output=True,
            check=True,
        ).stdout
        for flags in ([], ["-OO"])
    )
    assert stripped == plain


def test_help_has_a_short_name():
    assert mcpapps("-h").stdout == mcpapps("--help").stdout
    assert mcpapps("lint", "-h").stdout == mcpapps("lint", "--help").stdout != ""


def test_an_empty_word_is_no_folder(tmp_path):
    command = [sys.executable, "-m", "mcpapps_cli", "new", "", "--yes"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, list(tmp_path.iterdir())) == (2, [])
    assert done.stderr.startswith('error: "" is no folder\n help: name one')
