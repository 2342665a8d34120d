"""`mcpapps lint` and `mcpapps explain` against servers on disk."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from mcpapps_cli import cli
from mcpapps_cli.lint import all_rules
from mcpapps_cli.lint.rule import META, page
from mcpapps_cli.wire import MIME_TYPE

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "lint.schema.json").read_text(encoding="utf-8")
)
URI = "ui://app/chart.html"
SERVER = """\
import json, sys
tools, listed, reads, late = json.loads(open("answers.json", encoding="utf-8").read())
for line in sys.stdin:
    ask = json.loads(line)
    if "id" not in ask:
        continue
    answer = {"jsonrpc": "2.0", "id": ask["id"]}
    match ask["method"]:
        case "initialize":
            answer["result"] = {
                "protocolVersion": "2025-11-25",
                "capabilities": {
                    "tools": {},
                    "resources": {},
                    "extensions": {"io.modelcontextprotocol/ui": {}},
                },
                "serverInfo": {"name": "chart", "version": "1.0.0"},
            }
        case "tools/list":
            answer["result"] = {"tools": tools}
        case "resources/list":
            answer["result"] = {"resources": listed}
        case "resources/read":
            uri = ask["params"]["uri"]
            if uri in late:
                continue
            if uri in reads:
                answer["result"] = {"contents": [reads[uri]]}
            else:
                answer["error"] = {"code": -32002, "message": "Resource not found"}
        case _:
            answer["error"] = {"code": -32601, "message": "Method not found"}
    print(json.dumps(answer), flush=True)
"""
TOOL = {
    "name": "chart",
    "title": "Chart",
    "description": "Draws a chart.",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True, "destructiveHint": False},
    "_meta": {"ui": {"resourceUri": URI}},
}
ITEM = {"uri": URI, "mimeType": MIME_TYPE, "text": page().html, "_meta": {"ui": META}}
LISTED = {"uri": URI, "name": "chart", "mimeType": MIME_TYPE, "_meta": {"ui": META}}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "server.py").write_text(SERVER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    serve(tmp_path)
    return tmp_path


def serve(
    folder: Path,
    *,
    tools: list[object] | None = None,
    item: dict[str, object] | None = None,
    late: tuple[str, ...] = (),
) -> None:
    content = ITEM if item is None else item
    answers = [[TOOL] if tools is None else tools, [LISTED], {URI: content}, late]
    (folder / "answers.json").write_text(json.dumps(answers), encoding="utf-8")


def linking(uri: str) -> dict[str, object]:
    return {**TOOL, "_meta": {"ui": {"resourceUri": uri}}}


def test_a_clean_server_passes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["lint", "server.py"]) == 0
    out = capsys.readouterr().out
    assert re.fullmatch(r"All checks passed: \d+ rules, 1 tool, 1 resource\.\n", out)


def test_an_error_is_shown_and_fails(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    serve(folder, item={**ITEM, "mimeType": "text/html"})
    assert cli.run(["lint", "server.py", "--format", "concise", "--select", "mime-type"]) == 1
    assert capsys.readouterr().out == (
        f"resources/read/{URI}#/contents/0/mimeType: MA301 mime-type error: "
        f'"{URI}" is served as "text/html", without the profile\n'
    )


def test_json_is_all_of_stdout(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    serve(folder, tools=[linking("ui://app/chrat.html")])
    assert cli.run(["lint", "server.py", "--format", "json"]) == 1
    value = json.loads(capsys.readouterr().out)
    jsonschema.validate(value, SCHEMA)
    errors = [f for f in value["findings"] if f["severity"] == "error"]
    assert [(f["rule"], f["pointer"], f["help"]) for f in errors] == [
        (
            "resource-uri-dangling",
            "tools/chart#/_meta/ui/resourceUri",
            f'did you mean "{URI}"?',
        )
    ]
    assert value["not_checked"] == []


def test_a_resource_that_does_not_answer_fails_as_not_checked(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    serve(folder, late=(URI,))
    assert cli.run(["lint", "server.py", "--format", "json", "--timeout", "0.5"]) == 1
    value = json.loads(capsys.readouterr().out)
    assert [skip["subject"] for skip in value["not_checked"]] == [URI]
    assert value["summary"]["errors"] == 0
    assert "resource-uri-dangling" not in {f["rule"] for f in value["findings"]}


def test_a_saved_inventory_gives_the_same_report(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    serve(folder, item={**ITEM, "mimeType": "text/html", "text": page('<img src="./a.png">').html})
    assert cli.run(["lint", "server.py", "--save", "inventory.json"]) == 1
    live = capsys.readouterr().out
    (folder / "server.py").unlink()
    assert cli.run(["lint", "--inventory", "inventory.json"]) == 1
    assert capsys.readouterr().out == live


def test_the_place_in_a_page_is_line_and_column_of_the_served_text(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    html = (
        "<!doctype html>\n<p>one</p>\n"
        '  <img alt="" src="./logo.png">\n'
        "<script>'ui/initialize ui/notifications/initialized'</script>\n"
    )
    serve(folder, item={**ITEM, "text": html})
    assert cli.run(["lint", "server.py", "--select", "relative-url", "--format", "json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    # Line 3; two spaces and `<img alt="" src="` are 19 characters; `./logo.png` has 10.
    assert finding["position"] == {"path": URI, "line": 3, "column": 20, "length": 10}


def test_a_server_without_a_ui_tool_is_one_loud_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    serve(folder, tools=[{"name": "plain", "inputSchema": {"type": "object"}}])
    assert cli.run(["lint", "server.py", "--format", "json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["summary"]["ui_tools"] == 0
    assert "NO UI TOOL: the server lists 1 tool" in shown.err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--select", "mime-typ"], 'no rule "mime-typ"'),
        (["--inventory", "none.json"], '"none.json"'),
        (["--command", "no-such-program-here"], "no-such-program-here"),
    ],
)
def test_an_error_is_json_when_json_was_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str], args: list[str], message: str
) -> None:
    assert cli.run(["lint", "--format", "json", *args]) == 2
    value = json.loads(capsys.readouterr().out)
    jsonschema.validate(value, SCHEMA)
    assert message in value["error"]["message"]
    assert value["error"]["help"]


def test_an_unknown_format_is_an_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["lint", "--format", "xml"]) == 2
    assert capsys.readouterr().err == (
        'error: "xml" is not a format\n help: use text, concise, json, github, sarif, junit\n'
    )


def test_explain_shows_everything_about_a_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["explain", "MA103"]) == 0
    assert capsys.readouterr().out == VISIBILITY_SHAPE


def test_explain_takes_the_name_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["explain", "visibility-shape"]) == 0
    assert capsys.readouterr().out == VISIBILITY_SHAPE


def test_explain_list_has_a_line_for_every_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["explain", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines] == [rule.name for rule in all_rules()]


@pytest.mark.parametrize(
    ("args", "error", "help_"),
    [
        (["mime-typ"], 'no rule "mime-typ"', 'did you mean "mime-type"?'),
        ([], "no rule named", "see mcpapps explain --list"),
    ],
)
def test_explain_of_nothing_known_is_an_error(
    capsys: pytest.CaptureFixture[str], args: list[str], error: str, help_: str
) -> None:
    assert cli.run(["explain", *args]) == 2
    assert capsys.readouterr().err == f"error: {error}\n help: {help_}\n"


VISIBILITY_SHAPE = """\
MA103 visibility-shape   error   since 0.1

`visibility` of a tool is not an array of "model" and "app".

Why     A host that cannot read the value hides the tool from the model, from the View or
        from both; one that ignores it shows the model a tool that was meant for the View.
Fix     Write an array of "model" and "app", or leave `visibility` out for both.

Bad     {"name": "chart", "_meta": {"ui": {"resourceUri": "ui://app/chart.html", "visibility": \
"app"}}}

Good    {"name": "chart", "_meta": {"ui": {"resourceUri": "ui://app/chart.html", "visibility": \
["app"]}}}

Spec    MCP Apps 2026-01-26, "Resource Discovery"
        https://github.com/danny-avila/LibreChat/issues/13831
Source  mcpapps_cli/lint/rules/visibility_shape.py
"""
