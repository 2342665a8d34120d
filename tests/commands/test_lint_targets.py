"""`mcpapps lint` where the server or the project is not what it should be: each says what to do."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from mcpapps_cli import cli
from tests.commands.test_lint import ITEM, LISTED, SERVER, TOOL, URI
from tests.rpc.test_launch import SERVER as OVER_HTTP

ROOT = Path(__file__).parents[2]
ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)\n"
FAILING = SERVER.replace(
    "        case _:\n",
    """\
        case "tools/call" if ask["params"]["name"] == "chart":
            text = {"type": "text", "text": "no city of that name"}
            answer["result"] = {"content": [text], "isError": True}
        case "tools/call":
            answer["error"] = {"code": -32602, "message": "bad arguments"}
        case _:
""",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("args", "error", "help_"),
    [
        (["--command", "folder"], "", "with --command the folder is no server"),
        (
            ["--command", f"{sys.executable} echo.py"],
            "it only sends back what it is sent",
            "give the command that starts an MCP server which speaks on stdio",
        ),
        (["weather/server.py"], "ended with exit code 1", "start it with -m weather.server"),
    ],
)
def test_what_is_no_server_is_told_with_what_to_do(
    args: list[str], error: str, help_: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "echo.py").write_text(ECHO)
    (folder / "weather").mkdir()
    (folder / "weather" / "__init__.py").touch()
    (folder / "weather" / "server.py").write_text("from .views import page\npage.run()\n")
    if args[1:] == ["folder"]:
        args, error = ["--command", str(folder)], f'server command "{folder}" is a folder'
        help_ = f"the folder as TARGET, without --command: {folder}"
    assert cli.run(["lint", *args]) == 2
    told = capsys.readouterr().err
    assert error in told
    assert help_ in told.rpartition(" help: ")[2]


def test_a_sample_call_that_fails_is_not_checked(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "server.py").write_text(FAILING, encoding="utf-8")
    tools = [TOOL, {**TOOL, "name": "other"}]
    answers = [tools, [LISTED], {URI: ITEM}, []]
    (folder / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    calls = ["--call", "chart={}", "--call", "other={}", "--call", "third={}"]
    assert cli.run(["lint", "server.py", *calls, "--format", "json"]) == 1
    skipped = json.loads(capsys.readouterr().out)["not_checked"]
    assert {skip["subject"]: skip["reason"] for skip in skipped} == {
        'sample call of "chart"': "the tool answered with an error: no city of that name",
        'sample call of "other"': "the server answered with error -32602: bad arguments",
        'sample call of "third"': "the server lists no tool of that name",
    }


@pytest.fixture
def project(folder: Path) -> Path:
    """A project whose server runs without its SDK; its View is a template's."""
    source = ROOT / "scaffolds" / "vanilla"
    for name in ("views", "hello_app/built"):
        shutil.copytree(source / name, folder / name)
    (folder / "server.py").write_text(SERVER, encoding="utf-8")
    pair = json.loads((folder / "hello_app/built/daylight.json").read_text())
    uri, html = pair["uri"], (folder / "hello_app/built/daylight.html").read_text()
    answers = [
        [{**TOOL, "name": "show_daylight", "_meta": {"ui": {"resourceUri": uri}}}],
        [{**LISTED, "uri": uri, "_meta": pair["_meta"]}],
        {uri: {**ITEM, "uri": uri, "text": html, "_meta": pair["_meta"]}},
        [],
    ]
    (folder / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    table = (source / "pyproject.toml").read_text().partition("[tool.mcpapps]")[2]
    table = table.partition("[tool.mcpapps.lint]")[0]
    table = table.replace("python -m hello_app.server", "python server.py")
    (folder / "pyproject.toml").write_text("[tool.mcpapps]" + table, encoding="utf-8")
    later = (folder / "hello_app/built/daylight.html").stat().st_mtime + 10
    os.utime(folder / "views/daylight/view.js", (later, later))
    return folder


def unchecked(capsys: pytest.CaptureFixture[str]) -> tuple[int, list[tuple[str, str]]]:
    status = cli.run(["lint", "--format", "json"])
    skipped = json.loads(capsys.readouterr().out)["not_checked"]
    return int(status), [(skip["subject"], skip["reason"]) for skip in skipped]


def edit(project: Path, old: str, new: str) -> None:
    script = project / "views/daylight/view.js"
    when = script.stat().st_mtime
    script.write_text(script.read_text().replace(old, new), encoding="utf-8")
    os.utime(script, (when, when))


def test_a_source_that_is_only_newer_is_nothing_to_tell(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert unchecked(capsys) == (0, [])


def test_a_page_that_is_older_than_a_change_is_told(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(project, "Working out", "Finding out")
    reason = "an older page than its sources was checked; run mcpapps bundle"
    assert unchecked(capsys) == (0, [('view "daylight"', reason)])


def test_a_page_of_the_same_whole_second_as_a_change_is_told(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As on a file system that tells times in whole seconds."""
    edit(project, "Working out", "Finding out")
    for path in project.rglob("*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    (project / "views/daylight/.#view.js").symlink_to("me@here.1:2")
    reason = "an older page than its sources was checked; run mcpapps bundle"
    assert unchecked(capsys) == (0, [('view "daylight"', reason)])


def test_sources_that_no_longer_bundle_fail(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(project, "import { connect, ToolCancelled }", "import connect")
    status, [(subject, reason)] = unchecked(capsys)
    assert (status, subject) == (1, 'view "daylight"')
    assert reason.startswith("its sources cannot be bundled, so an older page was checked: ")


def test_a_misspelt_bridge_fails_with_its_right_name(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(project / "cache"))
    monkeypatch.setenv("PATH", str(project))
    edit(project, "mcpapps:bridge", "mcpapps:brige")
    status, [(subject, reason)] = unchecked(capsys)
    assert (status, subject) == (1, 'view "daylight"')
    assert "mcpapps:brige" in reason


def test_a_server_over_http_is_started_and_reached_at_its_port(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "server.py").write_text(dedent(OVER_HTTP), encoding="utf-8")
    url = "http://127.0.0.1:{port}/mcp"
    command = ["--command", f"{sys.executable} server.py", "--url", url, "--timeout", "60"]
    assert cli.run(["lint", *command]) == 0
    assert "the server lists no tool" in capsys.readouterr().out
