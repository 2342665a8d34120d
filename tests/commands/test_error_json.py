"""An error as JSON is what the published schema says."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

from mcpapps_cli.commands.error_json import error_json
from mcpapps_cli.errors import ConfigError, SourceError
from mcpapps_cli.model import Position

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "lint.schema.json").read_text(encoding="utf-8")
)


def test_an_error_is_json_too() -> None:
    value = json.loads(error_json(ConfigError("bad file", help="correct it", details=("a", "b"))))
    jsonschema.validate(value, SCHEMA)
    assert value["error"] == {"message": "bad file", "help": "correct it", "details": ["a", "b"]}


def test_an_error_with_a_position_keeps_it_in_json() -> None:
    value = json.loads(error_json(SourceError("bad tag", Position("a.html", 2, 5, 3, "  <x>"))))
    jsonschema.validate(value, SCHEMA)
    assert value["error"]["position"] == {"path": "a.html", "line": 2, "column": 5, "length": 3}
