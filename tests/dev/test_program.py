"""A Python command in its parts."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mcpapps_cli.dev.program import NotPython, Program, read_program
from mcpapps_cli.model import ServerSpec


def read(cwd: Path, *command: str) -> Program:
    return read_program(ServerSpec(command=command, cwd=cwd), {"PATH": str(cwd / "bin")})


@pytest.fixture
def project(tmp_path: Path) -> Path:
    scripts = tmp_path / ".venv" / "bin"
    scripts.mkdir(parents=True)
    (scripts / "serve").write_text("#!/env/bin/python3\nimport x\n")
    (tmp_path / "bin").mkdir()
    for name, head in {
        "serve": "#!/env/bin/python3.12\n",
        "byenv": "#!/usr/bin/env python3\n",
        "long": "#!/bin/sh\n'''exec' \"/long path/bin/python\" \"$0\" \"$@\"\n' '''\n",
        "node-like": "#!/usr/bin/env node\n",
        "odd": "#!/usr/bin/env -S python -u\n",
    }.items():
        (tmp_path / "bin" / name).write_text(head)
        (tmp_path / "bin" / name).chmod(0o755)
    (tmp_path / "inline.py").write_text("# /// script\n# ///\n")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "program"),
    [
        (("python", "s.py", "a"), Program(("python",), (), ("s.py", "a"))),
        (("/x/python3.13t", "-m", "a.b"), Program(("/x/python3.13t",), (), ("-m", "a.b"))),
        (
            ("python", "-uX", "dev", "-W", "error", "-Im", "a"),
            None,
        ),
        (
            ("python", "-u", "-X", "dev", "-Werror", "s.py", "-W", "x"),
            Program(("python",), ("-u", "-X", "dev", "-Werror"), ("s.py", "-W", "x")),
        ),
        (("uv", "run", "s.py"), Program(("uv", "run", "python"), (), ("s.py",))),
        (
            ("uv", "run", "--extra", "a", "--frozen", "python3", "-m", "m", "x"),
            Program(("uv", "run", "--extra", "a", "--frozen", "python3"), (), ("-m", "m", "x")),
        ),
        (("uv", "run", "-m", "m"), Program(("uv", "run", "python"), (), ("-m", "m"))),
    ],
)
def test_a_python_command_is_split(project, command, program):
    if program is None:
        with pytest.raises(NotPython):
            read(project, *command)
    else:
        assert read(project, *command) == program


@pytest.mark.parametrize(
    ("name", "interpreter"),
    [("serve", "/env/bin/python3.12"), ("byenv", "python3"), ("long", "/long path/bin/python")],
)
def test_a_script_is_run_by_the_interpreter_of_its_first_line(project, name, interpreter):
    script = str(project / "bin" / name)
    assert read(project, name, "a") == Program((interpreter,), (), (script, "a"))


def test_a_script_of_uvs_environment_is_found(project):
    script = str(project / ".venv" / "bin" / "serve")
    assert read(project, "uv", "run", "serve") == Program(("uv", "run", "python"), (), (script,))


@pytest.mark.parametrize(
    "command",
    [
        (),
        ("node", "s.js"),
        ("node-like",),
        ("odd",),
        ("python",),
        ("python", "-c", "1"),
        ("python", "-i", "s.py"),
        ("python", "-m"),
        ("python", "-"),
        ("python", "bin"),
        ("uv", "run"),
        ("uv", "run", "--script", "s.py"),
        ("uv", "run", "inline.py"),
        ("uv", "run", "elsewhere"),
        ("uv", "sync"),
    ],
    ids=" ".join,
)
def test_anything_else_is_left_alone(project, command):
    with pytest.raises(NotPython):
        read(project, *command)


def test_the_interpreter_that_runs_us_is_one(tmp_path):
    assert read(tmp_path, sys.executable, "s.py").interpreter == (sys.executable,)
