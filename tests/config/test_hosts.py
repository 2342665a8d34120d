"""`[tool.mcpapps.hosts]` of the project file."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpapps_cli.config import read_project
from mcpapps_cli.errors import ConfigError


def test_the_tables_of_hosts_are_kept_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "mcpapps.toml").write_text(
        '[hosts.claude]\nstart-height = 200\n\n[hosts.ours]\nbase = "vscode"\n', encoding="utf-8"
    )
    assert read_project(tmp_path).hosts == {
        "claude": {"start-height": 200},
        "ours": {"base": "vscode"},
    }


def test_a_project_without_hosts_has_none(tmp_path: Path) -> None:
    assert read_project(tmp_path).hosts == {}


def test_a_host_that_is_no_table_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "mcpapps.toml").write_text('[hosts]\nclaude = "loud"\n', encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_project(tmp_path)
    assert caught.value.details == ("[tool.mcpapps] hosts.claude: 'loud' is not a table",)
