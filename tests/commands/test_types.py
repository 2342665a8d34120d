"""`mcpapps types`, as somebody types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcpapps_cli.cli import run
from mcpapps_cli.embed import environment_types
from mcpapps_cli.errors import ExitStatus
from mcpapps_cli.inventory import save_inventory
from mcpapps_cli.model import Inventory

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = Inventory("legacy", "2025-11-25", {}, {}, ({"name": "show", "inputSchema": SCHEMA},))
    save_inventory(found, tmp_path / "inventory.json")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def types(*args: str) -> ExitStatus:
    return run(["types", "--inventory", "inventory.json", *args])


def test_both_files_are_written_and_then_up_to_date(saved, capsys):
    assert types("--check") == ExitStatus.FINDINGS
    assert 'mcpapps-tools.d.ts does not exist; run "mcpapps types".' in capsys.readouterr().out
    assert types() == ExitStatus.OK
    assert "input: { city: string };" in (saved / "mcpapps-tools.d.ts").read_text("utf-8")
    assert (saved / "mcpapps-env.d.ts").read_text("utf-8") == environment_types()
    assert "\nTyped 1 tool.\n" in capsys.readouterr().out
    assert types("--check") == ExitStatus.OK


def test_a_file_that_differs_is_out_of_date(saved, capsys):
    types()
    (saved / "mcpapps-tools.d.ts").write_text("old")
    capsys.readouterr()
    assert types("--check") == ExitStatus.FINDINGS
    assert capsys.readouterr().out == (
        'mcpapps-tools.d.ts is out of date; run "mcpapps types".\nmcpapps-env.d.ts is up to date.\n'
    )


def test_line_ends_of_another_system_are_no_difference(saved):
    types()
    path = saved / "mcpapps-tools.d.ts"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert types("--check") == ExitStatus.OK


def test_check_writes_nothing(saved):
    types("--check")
    assert [path.name for path in saved.iterdir()] == ["inventory.json"]


def test_a_js_file_holds_jsdoc(saved):
    assert types("--out", "tools.js") == ExitStatus.OK
    text = (saved / "tools.js").read_text("utf-8")
    assert "@typedef {{ show: { input: { city: string }; output:" in text


@pytest.mark.parametrize("name", ["tools.ts", "tools", "mcpapps-env.d.ts"])
def test_another_kind_of_file_is_a_users_error(saved, name, capsys):
    assert types("--out", name) == ExitStatus.USAGE
    assert f'error: "{name}"' in capsys.readouterr().err
    assert not (saved / name).exists()


def test_a_list_that_failed_is_no_empty_list(saved, capsys):
    text = json.loads((saved / "inventory.json").read_text("utf-8"))
    text["tools"], text["unread"] = [], [{"subject": "tools/list", "reason": "no answer"}]
    (saved / "inventory.json").write_text(json.dumps(text), "utf-8")
    assert types() == ExitStatus.USAGE
    assert "the server did not list its tools: no answer" in capsys.readouterr().err
