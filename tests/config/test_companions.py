from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mcpapps_cli.config.companions import resolve_servers
from mcpapps_cli.errors import ConfigError


def test_each_entry_is_a_name_and_a_command_line(tmp_path: Path) -> None:
    found = resolve_servers(
        ["notes=node notes.js --flag 'a b'", "far=https://example.com/mcp?a=b"], here=tmp_path
    )
    assert list(found) == ["notes", "far"]
    assert found["notes"].command == ("node", "notes.js", "--flag", "a b")
    assert (found["notes"].cwd, found["notes"].url) == (tmp_path.resolve(), None)
    assert (found["far"].command, found["far"].url) == ((), "https://example.com/mcp?a=b")


def test_python_is_the_interpreter_of_the_project(tmp_path: Path) -> None:
    found = resolve_servers(["a=python a.py"], here=tmp_path, python=sys.executable, environ={})
    assert found["a"].command == (sys.executable, "a.py")
    assert found["a"].label == "python a.py"


def test_every_fault_is_named(tmp_path: Path) -> None:
    entries = ["alone", "=x", "a/b=x", "c=", "d='open", "e=x", "e=y"]
    with pytest.raises(ConfigError) as caught:
        resolve_servers(entries, here=tmp_path)
    assert len(caught.value.details) == 6
    for word, line in zip(
        [
            '"alone" has no value; write NAME=COMMAND',
            "a value has no name; write NAME=COMMAND",
            '"a/b" has a /',
            '"c" has no value; write NAME=COMMAND',
            '"d": ',
            '"e" is given twice',
        ],
        caught.value.details,
        strict=True,
    ):
        assert word in line
