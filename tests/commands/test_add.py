"""`mcpapps add`: what it writes, what it leaves as it is, and what it refuses."""

from __future__ import annotations

import ast
import difflib
import stat
import subprocess
import tomllib
from pathlib import Path

import pytest

from mcpapps_cli.bundle import build_bundle, check_bundle
from mcpapps_cli.cli import run
from mcpapps_cli.config import read_project
from mcpapps_cli.errors import ExitStatus

PROJECT = """\
# Weather, by hand.
[project]
name   =  "weather"   # two spaces

[tool.mcpapps]
[tool.mcpapps.views.forecast]
entry = 'pages/forecast/index.html'
uri = "ui://weather.example/forecast.html"

[tool.ruff]
line-length=99
"""

APPS = """\
#!/usr/bin/env python
# header
'''Weather.'''
import  os   # odd
from mcp.server.apps import Apps
from mcp.server.mcpserver import MCPServer

apps = Apps( )


@apps.tool(resource_uri='ui://weather.example/forecast.html')
def forecast( city:str ) -> str :
    return city   # as it is

# after the tools
mcp = MCPServer('weather', extensions=[apps])
if __name__ == '__main__': mcp.run()
"""
PLAIN = """\
from mcp.server.mcpserver import (
    Context,
    MCPServer,
)

# the server
mcp = MCPServer(
    'weather',
    version="1",
)

@mcp.tool()
def add( a:int,b : int) -> int:
    return a+b
"""
MCP1 = "from mcp.server.fastmcp import FastMCP as Server\n\nserver = Server('weather')\n"
FASTMCP = """\
import fastmcp

mcp = fastmcp.FastMCP("weather")

@mcp.tool
def f() -> int:
\treturn 1
"""
OURS = 'from mcpapps_cli.server import Apps\n\napps = Apps()\nmcp = apps.server("weather")\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    page = tmp_path / "pages" / "forecast" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text("<!doctype html><title>Forecast</title>")
    (tmp_path / "server.py").write_text(APPS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def everything(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def added_and_removed(before: str, after: str) -> tuple[list[str], list[str]]:
    lines = list(difflib.ndiff(before.splitlines(), after.splitlines()))
    return (
        [line[2:] for line in lines if line.startswith("+ ")],
        [line[2:] for line in lines if line.startswith("- ")],
    )


def test_add_view_writes_a_page_like_the_others_its_table_and_its_bundle(project: Path) -> None:
    before = everything(project)
    assert run(["add", "view", "sea-state"]) is ExitStatus.OK
    after = everything(project)
    assert set(after) - set(before) == {
        *(f"pages/sea-state/{name}" for name in ("index.html", "style.css", "view.js")),
        *(f"built/sea-state.{suffix}" for suffix in ("html", "json")),
    }
    assert b"<title>Sea state</title>" in after["pages/sea-state/index.html"]
    declared = read_project(project)
    (view,) = (view for view in declared.views if view.name == "sea-state")
    assert view.uri == "ui://weather.example/sea-state.html"
    assert view.prefers_border is True
    assert view.csp is not None
    assert check_bundle(build_bundle(view, root=project), declared.out) == "fresh"


def test_add_view_leaves_the_rest_of_the_project_file_as_it_is(project: Path) -> None:
    run(["add", "view", "sea-state"])
    text = (project / "pyproject.toml").read_text()
    added, removed = added_and_removed(PROJECT, text)
    assert removed == []
    assert added[0] == "[tool.mcpapps.views.sea-state]"
    assert tomllib.loads(text)["tool"]["ruff"] == {"line-length": 99}


@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_add_view_keeps_the_line_ends_of_the_project_file(project: Path, ending: str) -> None:
    (project / "pyproject.toml").write_bytes(PROJECT.replace("\n", ending).encode())
    assert run(["add", "view", "sea"]) is ExitStatus.OK
    text = (project / "pyproject.toml").read_bytes().decode()
    assert text.count(ending) == text.count("\n")
    assert text.replace(ending, "\n").startswith(PROJECT.partition("[tool.ruff]")[0])


def test_add_view_in_a_project_of_its_own_file_and_no_other_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mcpapps.toml").write_text('name = "My App"\n')
    assert run(["add", "view", "first"]) is ExitStatus.OK
    (view,) = read_project(tmp_path).views
    assert (view.uri, view.entry) == (
        "ui://my-app/first.html",
        tmp_path / "views" / "first" / "index.html",
    )


SERVERS = {"mcp": APPS, "mcp plain": PLAIN, "mcp1": MCP1, "fastmcp": FASTMCP, "ours": OURS}


@pytest.mark.parametrize("source", SERVERS.values(), ids=SERVERS)
@pytest.mark.parametrize("view", ["forecast", "sea-state"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_add_tool_adds_statements_and_leaves_the_others(
    project: Path, source: str, view: str, ending: str
) -> None:
    (project / "server.py").write_bytes(source.replace("\n", ending).encode())
    run(["add", "view", "sea-state"])
    assert run(["add", "tool", "show_tides", "--view", view]) is ExitStatus.OK
    after = (project / "server.py").read_bytes().decode()
    assert after.count(ending) == after.count("\n")
    after = after.replace("\r\n", "\n")
    _, removed = added_and_removed(source, after)
    # An import may get further names.
    assert all(line.startswith("from ") for line in removed), removed
    functions = {each.name: each for each in ast.parse(after).body if hasattr(each, "name")}
    made = functions["show_tides"]
    assert isinstance(made, ast.FunctionDef)
    assert ast.get_docstring(made) == f"Show a text in the View {view}."
    assert made.returns is not None
    assert [argument.annotation is not None for argument in made.args.args] == [True]


def test_add_tool_names_a_view_that_is_served_by_what_names_it_there(project: Path) -> None:
    assert run(["add", "tool", "show_more"]) is ExitStatus.OK
    text = (project / "server.py").read_text()
    assert 'resource_uri="ui://weather.example/forecast.html",' in text
    assert "add_resource" not in text
    # Before the server, which copies what `apps` holds when it is made.
    assert text.index("def show_more") < text.index("# after the tools\nmcp = ")


def test_dry_run_and_diff_write_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = everything(project)
    for args in (["view", "sea"], ["tool", "show"]):
        assert run(["add", *args, "--dry-run"]) is ExitStatus.OK
        assert "Nothing was written." in capsys.readouterr().err
        assert run(["add", *args, "--diff"]) is ExitStatus.OK
        assert "\n@@ " in capsys.readouterr().out
    assert everything(project) == before


def test_a_diff_is_one_that_git_can_apply(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["add", "tool", "show", "--diff"])
    patch = capsys.readouterr().out
    subprocess.run(["git", "apply", "-"], input=patch, text=True, check=True, cwd=project)
    assert "def show(" in (project / "server.py").read_text()


@pytest.mark.parametrize(
    ("args", "error", "help_"),
    [
        (["view", "forecast"], 'View "forecast" exists', "its page is pages/forecast/index.html"),
        (["view", "Forecast"], 'View "forecast" exists', "its page is pages/forecast/index.html"),
        (["view", "a b"], '"a b" is not usable as the name of a View', "use a-b"),
        (["view", "süß"], '"süß" is not usable as the name of a View', "use suss"),
        (["view", "../x"], '"../x" is not usable as the name of a View', "use x"),
        (["view", ""], '"" is not usable as the name of a View', "use ASCII letters"),
        (["view", "data"], '"pages/data/view.js" exists', "choose another name"),
        (["tool", "forecast"], '"forecast" exists in "server.py"', "choose another name"),
        (["tool", "os"], '"os" exists in "server.py"', "choose another name"),
        (["tool", "show-it"], '"show-it" is not usable', "use show_it"),
        (["tool", "class"], '"class" is not usable', "use show_class"),
        (["tool", "3d"], '"3d" is not usable', "use show_3d"),
        (["tool", "größe"], '"größe" is not usable', "use grosse"),
        (["tool", "show", "--view", "x"], 'no View "x"', "there is forecast"),
        (["tool", "show", "--server", "x.py"], '"x.py" does not exist', "give the path"),
        (["tool", "show", "--server", "broken.py"], '"broken.py:2" is not valid Python', "corr"),
        (["tool", "show", "--server", "empty.py"], '"empty.py" has no server', "make one with"),
        (["tool", "show", "--server", "latin.py"], '"latin.py" is not UTF-8 at byte 5', "save"),
        (["tool", "show", "--server", "index.ts"], '"index.ts" is not Python', ""),
        (["veiw", "x"], 'no command "veiw"', 'did you mean "view"?'),
    ],
)
def test_what_is_refused_writes_nothing(
    project: Path, capsys: pytest.CaptureFixture[str], args: list[str], error: str, help_: str
) -> None:
    (project / "pages" / "data").mkdir()
    (project / "pages" / "data" / "view.js").write_text("")
    (project / "broken.py").write_text("import os\ndef (\n")
    (project / "empty.py").write_text("x = 1\n")
    (project / "latin.py").write_bytes(b"x = '\xe4'")
    before = everything(project)
    assert run(["add", *args]) is ExitStatus.USAGE
    text = capsys.readouterr().err
    assert text.startswith(f"error: {error}")
    assert f" help: {help_}" in text
    assert everything(project) == before


def test_the_same_twice_says_that_it_exists(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for args in (["view", "sea"], ["tool", "show", "--view", "sea"]):
        assert run(["add", *args]) is ExitStatus.OK
        before = everything(project)
        capsys.readouterr()
        assert run(["add", *args]) is ExitStatus.USAGE
        assert f'"{args[1]}" exists' in capsys.readouterr().err
        assert everything(project) == before


def test_a_read_only_file_stays(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = project / "server.py"
    file.chmod(0o444)
    assert run(["add", "tool", "show"]) is ExitStatus.USAGE
    error, advice = capsys.readouterr().err.splitlines()
    assert error.endswith('server.py" cannot be written: the file is read-only')
    assert advice == " help: make the file writable"
    assert file.read_text() == APPS
    file.chmod(0o750)
    assert run(["add", "tool", "show"]) is ExitStatus.OK
    assert stat.S_IMODE(file.stat().st_mode) == 0o750


def test_a_read_only_project_file_leaves_no_page_behind(project: Path) -> None:
    (project / "pyproject.toml").chmod(0o444)
    before = everything(project)
    assert run(["add", "view", "sea"]) is ExitStatus.USAGE
    assert everything(project) == before


def test_outside_a_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for args in (["view", "sea"], ["tool", "show"]):
        assert run(["add", *args]) is ExitStatus.USAGE
        assert "is no project\n help: start one with mcpapps new" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("python -m weather.server", "weather/server.py"),
        ("python -m weather", "weather/__main__.py"),
        ("uv run python src/weather/app.py", "src/weather/app.py"),
        ("uv run weather", "weather/server.py"),
        ("python -m lib", "src/lib/server.py"),
    ],
)
def test_add_tool_finds_the_file_that_the_command_runs(
    project: Path, command: str, file: str
) -> None:
    (project / "server.py").unlink()
    text = PROJECT.replace("[tool.ruff]", f'[tool.mcpapps.server]\ncommand = "{command}"\n[x]')
    text = text.replace(
        "[tool.mcpapps]", '[project.scripts]\nweather = "weather.server:main"\n[tool.mcpapps]'
    )
    (project / "pyproject.toml").write_text(text)
    (project / file).parent.mkdir(parents=True)
    (project / file).write_text(APPS)
    assert run(["add", "tool", "show"]) is ExitStatus.OK
    assert "def show(" in (project / file).read_text()


def test_a_server_in_typescript_gets_lines_to_paste(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = PROJECT + '[tool.mcpapps.server]\ncommand = "npx tsx server/index.ts"\n'
    (project / "pyproject.toml").write_text(text)
    before = everything(project)
    assert run(["add", "tool", "show_it"]) is ExitStatus.USAGE
    text = capsys.readouterr().err
    assert 'server.registerTool("show_it", {' in text
    assert 'resourceUri: "ui://weather.example/forecast.html"' in text
    assert 'readFile("built/forecast.html"' in text
    assert everything(project) == before


def test_a_name_that_means_something_else_is_not_bound_again(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = APPS.replace("apps = Apps", "from attrs import field as Field\napps = Apps")
    (project / "server.py").write_text(text)
    assert run(["add", "tool", "show"]) is ExitStatus.USAGE
    assert 'uses the name "Field" for something else' in capsys.readouterr().err
    assert (project / "server.py").read_text() == text
