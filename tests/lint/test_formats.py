"""The text of a report, character by character."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from mcpapps_cli.lint import run_rules
from mcpapps_cli.lint.formats import as_json, concise, text
from mcpapps_cli.lint.rule import resource, server, tool
from mcpapps_cli.model import Finding, Position, Report, Skip

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "lint.schema.json").read_text(encoding="utf-8")
)
DANGLING = Finding(
    rule="resource-uri-dangling",
    code="MA101",
    severity="error",
    subject='tool "chart"',
    message='tool "chart" points at "ui://app/chrat", which cannot be read',
    help='did you mean "ui://app/chart"?',
    pointer="tools/chart#/_meta/ui/resourceUri",
    excerpt='"resourceUri": "ui://app/chrat"',
)
UNDECLARED = Finding(
    rule="undeclared-connect-origin",
    code="MA205",
    severity="warning",
    subject="ui://app/chart",
    message='"https://api.example.com" is not in connectDomains',
    help='add "https://api.example.com" to csp.connectDomains',
    position=Position("ui://app/chart", 22, 16, 26, '  await fetch("https://api.example.com/v1")'),
)
REPORT = Report(
    findings=(DANGLING, UNDECLARED),
    not_checked=(Skip("ui://app/map", "the server did not answer within 10 s"),),
    rules=24,
    tools=3,
    resources=2,
    ui_tools=2,
)

TEXT = """\
error[MA101]: tool "chart" points at "ui://app/chrat", which cannot be read
  --> tools/chart#/_meta/ui/resourceUri
   |
   |  "resourceUri": "ui://app/chrat"
   |                 ^^^^^^^^^^^^^^^^
 help: did you mean "ui://app/chart"?
 rule: resource-uri-dangling

warning[MA205]: "https://api.example.com" is not in connectDomains
  --> ui://app/chart:22:16
   |
22 |   await fetch("https://api.example.com/v1")
   |                ^^^^^^^^^^^^^^^^^^^^^^^^^^
 help: add "https://api.example.com" to csp.connectDomains
 rule: undeclared-connect-origin

not checked: ui://app/map (the server did not answer within 10 s)

Found 1 error and 1 warning in 3 tools and 2 resources; 1 resource not checked.
`mcpapps explain resource-uri-dangling` says more."""

CONCISE = """\
tools/chart#/_meta/ui/resourceUri: MA101 resource-uri-dangling error: tool "chart" points at \
"ui://app/chrat", which cannot be read
ui://app/chart:22:16: MA205 undeclared-connect-origin warning: "https://api.example.com" is not \
in connectDomains
ui://app/map: not checked: the server did not answer within 10 s"""


def test_text_shows_a_frame_per_finding_and_a_sentence_that_counts() -> None:
    assert text(REPORT) == TEXT


def test_concise_is_one_line_each() -> None:
    assert concise(REPORT) == CONCISE


def test_json_is_as_published() -> None:
    value = json.loads(as_json(REPORT))
    jsonschema.validate(value, SCHEMA)
    assert value == {
        "version": 1,
        "findings": [
            {
                "rule": "resource-uri-dangling",
                "code": "MA101",
                "severity": "error",
                "subject": 'tool "chart"',
                "pointer": "tools/chart#/_meta/ui/resourceUri",
                "message": 'tool "chart" points at "ui://app/chrat", which cannot be read',
                "help": 'did you mean "ui://app/chart"?',
            },
            {
                "rule": "undeclared-connect-origin",
                "code": "MA205",
                "severity": "warning",
                "subject": "ui://app/chart",
                "position": {"path": "ui://app/chart", "line": 22, "column": 16, "length": 26},
                "message": '"https://api.example.com" is not in connectDomains',
                "help": 'add "https://api.example.com" to csp.connectDomains',
            },
        ],
        "not_checked": [
            {
                "subject": "ui://app/map",
                "reason": "the server did not answer within 10 s",
                "minor": False,
            }
        ],
        "unused_ignores": [],
        "matrix": [],
        "summary": {
            "errors": 1,
            "warnings": 1,
            "infos": 0,
            "not_checked": 1,
            "rules": 24,
            "tools": 3,
            "ui_tools": 2,
            "resources": 2,
        },
    }


@pytest.mark.parametrize("broken", [{"findings": []}, {"version": 2}, {"version": 1, "error": {}}])
def test_the_schema_refuses_what_is_not_a_report(broken: object) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, SCHEMA)


def test_no_findings_is_one_sentence() -> None:
    report = Report(rules=24, tools=3, resources=2, ui_tools=2)
    assert text(report) == "All checks passed: 24 rules, 3 tools, 2 resources."
    assert concise(report) == ""


def test_one_of_each_is_singular() -> None:
    report = Report(rules=1, tools=1, resources=1, ui_tools=1)
    assert text(report) == "All checks passed: 1 rule, 1 tool, 1 resource."


@pytest.mark.parametrize(
    ("tools", "line"),
    [
        (0, "NO UI TOOL: the server lists no tool."),
        (1, "NO UI TOOL: the server lists 1 tool, none with `_meta.ui.resourceUri`."),
        (2, "NO UI TOOL: the server lists 2 tools, none with `_meta.ui.resourceUri`."),
    ],
)
def test_a_server_without_a_ui_tool_is_said_loudly(tools: int, line: str) -> None:
    assert text(Report(rules=24, tools=tools)).splitlines()[0] == line


def test_something_unchecked_is_never_called_passed() -> None:
    report = Report(not_checked=(Skip("tools/list", "x"),), rules=9, tools=1, ui_tools=1)
    last = text(report).splitlines()[-1]
    assert last == "Found nothing in 1 tool and 0 resources; 1 thing not checked."


def test_text_from_a_server_cannot_command_the_terminal() -> None:
    evil = tool("\x1b[2Jchart\u202e", uri="ui://app/\x07.html")
    report = run_rules(server(evil, resource()).inventory)
    for shown in (text(report), concise(report)):
        assert "chart" in shown
        assert not {"\x1b", "\x07", "\u202e"} & set(shown)


def test_half_a_surrogate_pair_can_be_written() -> None:
    report = run_rules(server(resource(mime="text/\ud800")).inventory)
    for shown in (text(report), concise(report), as_json(report)):
        assert shown.encode("utf-8")


def test_carets_stand_under_the_value_also_when_it_is_wide() -> None:
    report = run_rules(server(resource(mime="文/html")).inventory, select=["mime-type"])
    lines = text(report).splitlines()
    assert '   |  "mimeType": "文/html"' in lines
    assert "   |              ^^^^^^^^^" in lines


def test_a_huge_value_is_cut() -> None:
    report = run_rules(server(resource(mime="x" * 10_000)).inventory, select=["mime-type"])
    assert max(len(line) for line in text(report).splitlines()) < 450
