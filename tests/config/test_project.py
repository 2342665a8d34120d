"""What `[tool.mcpapps]` says, and what is wrong with it."""

from __future__ import annotations

import pytest

from mcpapps_cli.config import find_root, read_project
from mcpapps_cli.errors import ConfigError
from mcpapps_cli.model import Csp, SampleCall

GOOD = """
[project]
name = "weather"

[tool.mcpapps]
out = "weather/built"

[tool.mcpapps.server]
command = "python -m weather"
env = { MODE = "dev" }
restart = "stop-first"

[tool.mcpapps.views.forecast]
entry = "views/forecast/index.html"
uri = "ui://weather/forecast.html"
prefers-border = true
permissions = ["clipboardWrite"]
csp = { connectDomains = ["https://api.example.com"], resourceDomains = [] }

[tool.mcpapps.lint]
ignore = { prefers-border-absent = "our hosts draw it" }
calls = [{ tool = "get_forecast", args = { city = "Oslo" } }]
"""


def test_every_setting_of_a_good_file_arrives(tree):
    root = tree({"pyproject.toml": GOOD})
    project = read_project(root)
    (view,) = project.views
    assert (project.name, project.root, project.out) == ("weather", root, root / "weather/built")
    assert (view.name, view.entry) == ("forecast", root / "views/forecast/index.html")
    assert view.uri == "ui://weather/forecast.html"
    assert (view.prefers_border, view.permissions) == (True, ("clipboardWrite",))
    assert view.csp == Csp(connect=("https://api.example.com",))
    assert project.server is not None
    assert project.server.command == ("python", "-m", "weather")
    assert (project.server.env, project.server.restart) == ({"MODE": "dev"}, "stop-first")
    assert project.lint_ignore == {"prefers-border-absent": "our hosts draw it"}
    assert project.lint_calls == (SampleCall("get_forecast", {"city": "Oslo"}),)


def test_an_absent_csp_is_not_an_empty_one(tree):
    text = '[tool.mcpapps.views.a]\nentry = "a.html"\nuri = "ui://x/a"\n'
    assert read_project(tree({"pyproject.toml": text})).views[0].csp is None
    assert read_project(tree({"pyproject.toml": text + "csp = {}\n"})).views[0].csp == Csp()


def test_a_folder_without_a_file_is_a_project_of_its_own_name(tree):
    root = tree({"weather/readme.txt": ""}) / "weather"
    project = read_project(root)
    assert (project.name, project.root, project.views, project.server) == (
        "weather",
        root,
        (),
        None,
    )


def test_the_root_is_found_from_a_folder_inside(tree):
    root = tree({"pyproject.toml": GOOD, "views/forecast/index.html": ""})
    assert find_root(root / "views" / "forecast") == root


def test_a_pyproject_without_our_table_is_passed_over(tree):
    root = tree({"pyproject.toml": GOOD, "inner/pyproject.toml": "[project]\nname = 'inner'\n"})
    assert find_root(root / "inner") == root


def test_mcpapps_toml_needs_no_table_name(tree):
    text = '[views.a]\nentry = "a.html"\nuri = "ui://x/a"\n'
    assert read_project(tree({"mcpapps.toml": text})).views[0].name == "a"


FAULTS = {
    "[tool.mcpapps]\nviewz = 1": '[tool.mcpapps] viewz: unknown key, did you mean "views"?',
    "[tool.mcpapps]\nout = 3": "[tool.mcpapps] out: 3 is not a string",
    "[tool.mcpapps]\nout = '../x'": "[tool.mcpapps] out: '../x' is outside the project",
    "[tool.mcpapps]\nviews = 3": "[tool.mcpapps] views: 3 is not a table",
    "[tool.mcpapps.views.a]\nuri = 'ui://x/a'": (
        "[tool.mcpapps.views.a] entry: is missing; it names the View's HTML file"
    ),
    "[tool.mcpapps.views.a]\nentry = 'a.html'": (
        "[tool.mcpapps.views.a] uri: is missing, such as ui://app/view.html"
    ),
    "[tool.mcpapps.views.a]\nentry = 'a.html'\nuri = 'http://x'": (
        "[tool.mcpapps.views.a] uri: 'http://x' does not start with ui://"
    ),
    "[tool.mcpapps.views.a]\nentry = 'a.html'\nuri = 'ui://x/ü'": (
        "[tool.mcpapps.views.a] uri: 'ui://x/ü' has a space or a character outside ASCII"
    ),
    "[tool.mcpapps.views.'a b']\nentry = 'a.html'\nuri = 'ui://x/a'": (
        "[tool.mcpapps.views.a b] name: 'a b' may have letters, digits, - and _ only, "
        "since it becomes a file name"
    ),
    "[tool.mcpapps.views.a]\nentry = '/etc/passwd'\nuri = 'ui://x/a'": (
        "[tool.mcpapps.views.a] entry: '/etc/passwd' is outside the project"
    ),
    "[tool.mcpapps.views.a]\nentry = 'a.html'\nuri = 'ui://x/a'\npermissions = ['camra']": (
        "[tool.mcpapps.views.a] permissions: 'camra' is not one of "
        "camera, microphone, geolocation, clipboardWrite"
    ),
    "[tool.mcpapps.views.a]\nentry = 'a.html'\nuri = 'ui://x/a'\ncsp = { connect = [] }": (
        '[tool.mcpapps.views.a.csp] connect: unknown key, did you mean "connectDomains"?'
    ),
    "[tool.mcpapps.views.a]\nentry = 'a.html'\nuri = 'ui://x/a'\n"
    "[tool.mcpapps.views.b]\nentry = 'b.html'\nuri = 'ui://x/a'": (
        "[tool.mcpapps.views.b] uri: 'ui://x/a' is the URI of a too"
    ),
    "[tool.mcpapps.server]\nenv = { A = 1 }\ncommand = 'x'": (
        "[tool.mcpapps.server] env.A: 1 is not a string"
    ),
    "[tool.mcpapps.server]": "[tool.mcpapps.server] command: is missing (or url)",
    '[tool.mcpapps.server]\ncommand = "a \'b"': (
        '[tool.mcpapps.server] command: "a \'b": no closing quotation'
    ),
    "[tool.mcpapps.server]\nurl = 'ftp://x'": (
        "[tool.mcpapps.server] url: 'ftp://x' does not start with http:// or https://"
    ),
    "[tool.mcpapps.server]\ncommand = 'x'\nrestart = 'now'": (
        '[tool.mcpapps.server] restart: \'now\' is not "swap" or "stop-first"'
    ),
    "[tool.mcpapps.lint]\nignore = { mime-type = ' ' }": (
        "[tool.mcpapps.lint] ignore.mime-type: needs a reason"
    ),
    "[tool.mcpapps.lint]\ncalls = [{}]": "[tool.mcpapps.lint.calls.0] tool: is missing",
}


@pytest.mark.parametrize(("text", "fault"), FAULTS.items())
def test_one_fault_gives_one_line_that_names_it(tree, text, fault):
    with pytest.raises(ConfigError) as caught:
        read_project(tree({"pyproject.toml": text}))
    assert caught.value.details == (fault,)
    assert caught.value.message == '"pyproject.toml" has 1 fault'


def test_all_faults_come_at_once(tree):
    text = "[tool.mcpapps]\nout = 3\nviewz = 1\n[tool.mcpapps.server]\nurl = 4\n"
    with pytest.raises(ConfigError) as caught:
        read_project(tree({"pyproject.toml": text}))
    assert len(caught.value.details) == 3
    assert caught.value.message == '"pyproject.toml" has 3 faults'


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[tool.mcpapps\n", '"pyproject.toml" is not valid TOML'),
        (b"[tool.mcpapps]\nname = '\xff'\n", '"pyproject.toml" is not UTF-8 at byte 23'),
    ],
)
def test_an_unreadable_file_is_named_with_the_place(tmp_path, data, message):
    (tmp_path / "pyproject.toml").write_bytes(data)
    with pytest.raises(ConfigError, match=message.replace("[", r"\[")):
        read_project(tmp_path)
