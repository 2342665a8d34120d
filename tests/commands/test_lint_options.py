"""The options of `mcpapps lint` that decide what is looked at and how it ends."""

from __future__ import annotations

import json
import subprocess
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path
from typing import Any

import pytest

from mcpapps_cli import cli
from mcpapps_cli.inventory import save_inventory
from mcpapps_cli.lint.rule import Example, page, resource, server, tool
from tests.commands.test_lint import SERVER, URI
from tests.lint.cases import CDN

PROJECT = """\
[build-system]
requires = []

[tool.mcpapps.views.chart]
entry = "chart.html"
uri = "ui://app/chart.html"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def saved(folder: Path, example: Example) -> str:
    path = folder / "inventory.json"
    save_inventory(example.inventory, path)
    return str(path)


def report(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, dict[str, Any]]:
    status = cli.run(["lint", *args, "--format", "json"])
    value: dict[str, Any] = json.loads(capsys.readouterr().out)
    return int(status), value


def rules(value: dict[str, Any]) -> list[str]:
    return [one["rule"] for one in value["findings"]]


WARNING = server(page("<form></form>\n"))
CLEAN = server()


@pytest.mark.parametrize(
    ("example", "options", "status"),
    [
        (CLEAN, [], 0),
        (WARNING, [], 0),
        (WARNING, ["--fail-on", "warning"], 1),
        (server(resource(mime="text/html")), [], 1),
        (server(resource(mime="text/html")), ["--fail-on", "never"], 0),
        (server(tool(meta={}), resource(listed=False)), [], 0),
        (server(tool(meta={}), resource(listed=False)), ["--require-ui"], 1),
    ],
)
def test_the_exit_code_follows_the_options(
    example: Example, options: list[str], status: int, folder: Path
) -> None:
    assert cli.run(["lint", "--inventory", saved(folder, example), *options]) == status


def test_a_failure_for_want_of_a_view_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(folder, server(tool(meta={}), resource(listed=False)))
    assert cli.run(["lint", "--inventory", path, "--require-ui"]) == 1
    assert capsys.readouterr().err.endswith("failed: --require-ui asks for a tool with a View\n")


def test_what_was_not_checked_fails_unless_it_may(folder: Path) -> None:
    from mcpapps_cli.model import Skip

    late = Skip("ui://app/late.html", "the server did not answer within 15 s")
    path = saved(folder, server(unread=(late,)))
    assert cli.run(["lint", "--inventory", path]) == 1
    assert cli.run(["lint", "--inventory", path, "--allow-skips"]) == 0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--fail-on", "fatal"], '"fatal" is no severity'),
        (["--profile", "cloude"], 'there is no host profile "cloude"'),
        (["--call", "chart={"], 'the arguments of "chart" are not JSON'),
        (["--call", "chart=[1]"], 'the arguments of "chart" are no JSON object'),
        (["--call", "chart={"], "in double quotes at character 2 of '{'; write TOOL=JSON, such as"),
        (["--call", "chart=" + "[" * 10**5], "nested too deep"),
        (["--call", "={}", "--call", "a=1"], "--call: a value has no name; write TOOL=JSON"),
        (["--call", "={}", "--call", "a=1"], '--call: the arguments of "a" are no JSON object'),
        (["--call", "chart"], '--call: "chart" has no value; write TOOL=JSON, such as get'),
        (["--call", "chart={}"], "a saved inventory has no server to call"),
        (["--baseline", "none.json"], '"none.json" cannot be read'),
        (["--wheel", "none.whl"], 'wheel "none.whl" does not exist'),
        (["--wheel", "inventory.json"], '"inventory.json" is no wheel that can be read'),
    ],
)
def test_a_wrong_option_is_told(
    args: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["lint", "--inventory", saved(folder, CLEAN), *args]) == 2
    assert message in capsys.readouterr().err


def test_what_is_saved_is_named_and_its_folder_made(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(folder, CLEAN)
    for verb in ("create", "overwrite"):
        args = ["lint", "--inventory", path, "--save", "a/b/copy.json"]
        assert cli.run([*args, "--format", "json"]) == 0
        assert f" {verb}  a/b/copy.json\n" in capsys.readouterr().err
    assert (folder / "a" / "b" / "copy.json").is_file()


def test_an_ignore_without_anything_to_ignore_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "mcpapps.toml").write_text(
        '[lint]\nignore = { form-submit = "a reason", eval-like = "another" }\n', encoding="utf-8"
    )
    status, value = report(capsys, "--inventory", saved(folder, WARNING))
    assert (status, rules(value), value["unused_ignores"]) == (0, [], ["eval-like"])


def test_a_profile_adds_its_own_faults_and_a_cell_per_view(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    declared = {"csp": {"frameDomains": ["https://maps.example.com"]}, "prefersBorder": True}
    path = saved(
        folder, server(page('<iframe src="https://maps.example.com/"></iframe>\n', meta=declared))
    )
    status, value = report(capsys, "--inventory", path, "--profile", "claude")
    assert status == 0
    (cell,) = value["matrix"]
    assert (cell["uri"], cell["profile"], cell["verdict"]) == (URI, "claude", "degraded")
    assert "declares frameDomains, which this host ignores" in [
        reason["message"] for reason in cell["reasons"]
    ]
    assert all(reason["source"] for reason in cell["reasons"])


def test_a_page_that_differs_from_the_baseline_is_an_error(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = folder / "before.json"
    save_inventory(CLEAN.inventory, before)
    path = saved(folder, server(page("<p>New</p>\n")))
    status, value = report(capsys, "--inventory", path, "--baseline", str(before))
    assert (status, rules(value)) == (1, ["content-changed-same-uri"])
    assert report(capsys, "--inventory", path)[0] == 0


def test_a_wheel_without_the_view_is_an_error_and_none_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    path = saved(folder, CLEAN)
    status, value = report(capsys, "--inventory", path)
    assert (status, value["not_checked"]) == (0, [])
    (folder / "dist").mkdir()
    status, value = report(capsys, "--inventory", path)
    assert (status, [one["subject"] for one in value["not_checked"]]) == (0, ["wheel"])
    with zipfile.ZipFile(folder / "dist" / "app-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("app/server.py", "")
    status, value = report(capsys, "--inventory", path)
    assert (status, rules(value), value["not_checked"]) == (1, ["wheel-lacks-view"], [])


def test_diff_shows_and_fix_writes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (folder / "chart.html").write_text(page().html, encoding="utf-8")
    path = saved(folder, server(page(f'<img alt="" src="{CDN}/a.png">\n')))
    assert cli.run(["lint", "--inventory", path, "--diff"]) == 1
    shown = capsys.readouterr().out
    assert f'+csp = {{ resourceDomains = ["{CDN}"] }}\n' in shown
    assert (folder / "pyproject.toml").read_text(encoding="utf-8") == PROJECT
    assert cli.run(["lint", "--inventory", path, "--fix"]) == 0
    after = (folder / "pyproject.toml").read_text(encoding="utf-8")
    assert after == PROJECT + f'csp = {{ resourceDomains = ["{CDN}"] }}\n'


def test_a_declaration_in_python_is_shown_with_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = (
        '@mcp.resource(\n    "ui://app/chart.html",\n    mime_type="text/html",\n)\ndef f(): ...\n'
    )
    (folder / "server.py").write_text(source, encoding="utf-8")
    status, value = report(capsys, "--inventory", saved(folder, server(resource(mime="text/html"))))
    (found,) = value["findings"]
    assert (status, found["rule"]) == (1, "mime-type")
    assert found["pointer"] == f"resources/read/{URI}#/contents/0/mimeType"
    assert found["declared"] == {"path": "server.py", "line": 3, "column": 5, "length": 21}


@pytest.mark.parametrize("name", ["github", "sarif", "junit"])
def test_every_exchange_format_goes_to_stdout(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(folder, server(resource(mime="text/html")))
    assert cli.run(["lint", "--inventory", path, "--format", name]) == 1
    out = capsys.readouterr().out
    assert "mime-type" in out
    if name == "sarif":
        assert json.loads(out)["version"] == "2.1.0"
    if name == "junit":
        assert ET.fromstring(out).tag == "testsuites"


def test_a_tool_is_called_only_when_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = SERVER.replace(
        "        case _:",
        '        case "tools/call":\n'
        '            open("called", "a").write(ask["params"]["arguments"]["city"])\n'
        '            answer["result"] = {"content": [], "structuredContent": [1]}\n'
        "        case _:",
    )
    tools = [tool().value]
    listing, item = resource().value.listing, resource().value.content
    (folder / "answers.json").write_text(json.dumps([tools, [listing], {URI: item}, []]))
    (folder / "server.py").write_text(code, encoding="utf-8")
    status, value = report(capsys, "server.py", "--era", "legacy")
    assert (status, rules(value)) == (0, [])
    assert not (folder / "called").exists()
    call = 'chart={"city": "Oslo"}'
    status, value = report(capsys, "server.py", "--era", "legacy", "--call", call)
    assert (folder / "called").read_text() == "Oslo"
    assert status == 1
    assert set(rules(value)) == {"no-text-fallback", "structured-not-object"}
    status, value = report(capsys, "server.py", "--era", "legacy", "--call", "chrat={}")
    assert (status, [one["subject"] for one in value["not_checked"]]) == (
        1,
        ['sample call of "chrat"'],
    )


def test_the_pages_of_git_are_the_baseline_of_a_project(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "mcpapps.toml").write_text(
        '[views.chart]\nentry = "chart.html"\nuri = "ui://app/chart.html"\n', encoding="utf-8"
    )
    (folder / "built").mkdir()
    (folder / "built" / "chart.html").write_bytes(page().html.encode())
    (folder / "built" / "chart.json").write_text(json.dumps({"uri": URI}), encoding="utf-8")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
    for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "a"]):
        subprocess.run([*git, *command], cwd=folder, check=True)
    path = saved(folder, CLEAN)
    assert rules(report(capsys, "--inventory", path)[1]) == []
    path = saved(folder, server(page("<p>New</p>\n")))
    status, value = report(capsys, "--inventory", path)
    found = [(one["rule"], one["severity"]) for one in value["findings"]]
    assert (status, found) == (0, [("content-changed-same-uri", "warning")])
