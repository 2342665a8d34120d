"""TARGET, the interpreter, environment and headers."""

from __future__ import annotations

import json
import os
import sys

import pytest

from mcpapps_cli.config.interpreter import find_interpreter
from mcpapps_cli.config.target import resolve_target
from mcpapps_cli.errors import ConfigError

SERVER = "[tool.mcpapps.server]\ncommand = 'python server.py'\n"
MAIN = "if __name__ == '__main__':\n    pass\n"


def resolve(here, target=None, **options):
    options.setdefault("environ", {"PATH": os.environ["PATH"]})
    return resolve_target(target, here=here, **options).server


def test_the_project_file_names_the_server_and_python_is_the_projects(tree):
    root = tree({"pyproject.toml": SERVER, ".venv/bin/python": ""})
    spec = resolve(root)
    assert spec.command == (str(root / ".venv/bin/python"), "server.py")
    assert (spec.label, spec.cwd) == ("python server.py", root)
    assert ".venv" in spec.why


def test_another_command_is_taken_as_it_is(tree):
    root = tree({"pyproject.toml": "[tool.mcpapps.server]\ncommand = ['node', 'a b.js']\n"})
    assert resolve(root).command == ("node", "a b.js")
    assert resolve(root, command="deno run 'x y'").command == ("deno", "run", "x y")


def test_a_file_with_a_main_block_runs_itself(tree):
    root = tree({"server.py": MAIN})
    assert resolve(root, "server.py").command == (sys.executable, str(root / "server.py"))


def test_a_file_without_one_runs_in_the_child(tree):
    root = tree({"server.py": "mcp = object()\n"})
    command = resolve(root, "server.py").command
    assert command[1].endswith("child.py")
    assert command[2:] == (str(root / "server.py"),)
    assert resolve(root, "server.py:app.x").command[2:] == (str(root / "server.py"), "app.x")


def test_a_folder_with_a_server_file_is_guessed_and_says_how_to_pin_it(tree):
    spec = resolve(tree({"server.py": MAIN}))
    assert spec.why.endswith('pin it with [tool.mcpapps.server] command = "python server.py")')


def test_a_module_and_a_url(tree):
    root = tree({})
    assert resolve(root, module="weather").command == (sys.executable, "-m", "weather")
    assert resolve(root, "http://127.0.0.1:9/mcp").url == "http://127.0.0.1:9/mcp"
    assert resolve(root, url="https://x.test/mcp").url == "https://x.test/mcp"


def test_entries_of_client_files_are_found_by_name(tree):
    servers = {"w": {"command": "node", "args": ["${workspaceFolder}/s.js"], "env": {"A": "${B}"}}}
    remote = {"r": {"type": "http", "url": "https://x.test/${B}", "headers": {"X": "${B:-d}"}}}
    root = tree(
        {
            ".mcp.json": json.dumps({"mcpServers": servers}),
            ".vscode/mcp.json": json.dumps({"servers": remote}),
        }
    )
    spec = resolve(root, "w", environ={"B": "secret"})
    assert (spec.command, spec.env) == (("node", f"{root}/s.js"), {"A": "secret"})
    assert spec.label == "node '${workspaceFolder}/s.js'"
    spec = resolve(root, "r", environ={"B": "b"})
    assert (spec.url, spec.headers) == ("https://x.test/b", {"X": "b"})


def test_a_missing_env_file_is_named_as_the_option_is(tree):
    root = tree({"pyproject.toml": SERVER})
    with pytest.raises(ConfigError) as caught:
        resolve(root, env_file=root / "no.env")
    assert caught.value.details == (f'--env-file: "{root / "no.env"}" does not exist',)


def test_environment_and_headers_come_from_files_and_options(tree):
    root = tree({"pyproject.toml": SERVER + "env = { A = '1', B = '1' }\n", "my.env": "B=2\nC=2\n"})
    spec = resolve(
        root,
        env=["C=3=4"],
        env_file=root / "my.env",
        headers=["Authorization: Bearer ${TOKEN}"],
        environ={"TOKEN": "t"},
    )
    assert spec.env == {"A": "1", "B": "2", "C": "3=4"}
    assert spec.headers == {"Authorization": "Bearer t"}


BAD = [
    ({"target": "nope"}, '"nope" is no folder, no Python file, no URL and no entry of .mcp.json'),
    ({"target": "nope.py"}, 'nope.py" does not exist'),
    ({"target": "."}, "names no server"),
    ({"target": "a", "url": "http://x"}, "exclude each other"),
    ({"url": "x"}, '"x" is not an http or https URL'),
    ({"command": "python s.py", "python": "no-python"}, 'interpreter "no-python" does not exist'),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_a_wrong_target_is_named(tree, options, message):
    with pytest.raises(ConfigError, match=message.replace(".", r"\.")) as caught:
        resolve(tree({}), **options)
    assert caught.value.help


def test_all_wrong_options_are_named_at_once(tree):
    root = tree({"server.py": MAIN})
    with pytest.raises(ConfigError) as caught:
        resolve(root, env=["X"], headers=["Y", "Z: ${NOT_SET}"], cwd=root / "none")
    assert caught.value.details == (
        '--env: "X" has no value; write NAME=VALUE',
        f'--cwd: "{root / "none"}" is not a folder',
        '--header: "Y" has no value; write "Name: value"',
        'Z: environment variable "NOT_SET" is not set',
    )


def test_the_interpreter_is_looked_for_in_the_documented_order(tree):
    root = tree({".venv/bin/python": "", "active/bin/python": "", "uv.lock": "", "bin/uv": ""})
    (root / "bin/uv").chmod(0o755)
    environ = {"VIRTUAL_ENV": str(root / "active"), "PATH": str(root / "bin")}
    assert find_interpreter(root, environ=environ)[0] == (str(root / "active/bin/python"),)
    del environ["VIRTUAL_ENV"]
    assert find_interpreter(root, environ=environ)[0] == (str(root / ".venv/bin/python"),)
    (root / ".venv/bin/python").unlink()
    command, why = find_interpreter(root, environ=environ)
    assert (command, why) == ((str(root / "bin/uv"), "run", "python"), "uv run (uv.lock)")
    (root / "uv.lock").unlink()
    command, why = find_interpreter(root, environ=environ, running="/usr/bin/python3")
    assert command == ("/usr/bin/python3",)
    assert why == "python: /usr/bin/python3 (runs mcpapps; the project has no .venv)"


def test_inline_script_metadata_asks_for_uv(tree):
    root = tree({"s.py": "# /// script\n# dependencies = []\n# ///\n", "bin/uv": ""})
    (root / "bin/uv").chmod(0o755)
    command, _ = find_interpreter(root, script=root / "s.py", environ={"PATH": str(root / "bin")})
    assert command == (str(root / "bin/uv"), "run", "--script")
