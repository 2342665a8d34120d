"""A program started in a waiting interpreter meets what it meets when it is started plainly."""

from __future__ import annotations

import json
import marshal
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mcpapps_cli.dev import bootstrap

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX signals and descriptors")
LOOK = """
import asyncio, json, logging, os, signal, sys, threading, warnings

def look():
    main = sys.modules["__main__"]
    return {
        "argv": sys.argv, "orig_argv": sys.orig_argv[1:], "path": sys.path, "cwd": os.getcwd(),
        "env": dict(os.environ), "flags": repr(sys.flags), "executable": sys.executable,
        "main": {key: repr(value).split(" object at ")[0] for key, value in vars(main).items()
                 if key.startswith("__") and key != "__spec__"},
        "spec": [repr(__spec__ and getattr(__spec__, key)) for key in ("name", "origin")],
        "is_main": vars(main) is globals(),
        "signals": {int(n): repr(signal.getsignal(n)) for n in signal.valid_signals()},
        "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
        "warnings": [repr(entry) for entry in warnings.filters],
        "threads": [thread.name for thread in threading.enumerate()],
        "tasks": len(os.listdir("/proc/self/task")) if os.path.isdir("/proc") else 1,
        "root_handlers": len(logging.getLogger().handlers),
        "loggers_level": logging.getLogger().level,
        "hook": sys.excepthook is sys.__excepthook__, "meta": len(sys.meta_path),
        "recursion": sys.getrecursionlimit(), "stdin": repr(sys.stdin), "umask": os.umask(0o22),
        "leader": os.getsid(0) == os.getpid(), "argv0": sys.argv[0],
    }
"""
PROGRAM = (
    LOOK
    + """
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    policy = type(asyncio.get_event_loop_policy()).__name__
print(json.dumps({**look(), "policy": policy, "line": sys.stdin.readline()}))

def fail():
    raise ValueError("told")

if "fail" in sys.argv:
    fail()
if "exit" in sys.argv:
    sys.exit("leaving")
"""
)


def run_plainly(args: list[str], cwd: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *args],
        input=b"a line\n",
        capture_output=True,
        cwd=cwd,
        # Without what a C library has put into the environment behind Python's back.
        env=dict(os.environ),
        start_new_session=True,
        check=False,
    )


def run_waiting(
    args: list[str], cwd: Path, modules: list[str], flags: int = 0
) -> tuple[dict[str, Any], subprocess.CompletedProcess[bytes]]:
    order = marshal.dumps(
        {
            "argv": args[flags:],
            "plain": args,
            "modules": modules,
            "report": str(cwd / "notes"),
            "root": str(cwd),
            "copies": False,
        },
        2,
    )
    done = subprocess.run(
        [sys.executable, *args[:flags], bootstrap.__file__],
        input=b"%08d" % len(order) + order + b"go" + b"a line\n",
        capture_output=True,
        cwd=cwd,
        env=dict(os.environ),
        start_new_session=True,
        check=False,
    )
    size = int(done.stdout[:8])
    answer = marshal.loads(done.stdout[8 : 8 + size])
    done.stdout = done.stdout[8 + size :]
    return answer, done


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").touch()
    (tmp_path / "pack" / "serve.py").write_text(PROGRAM)
    (tmp_path / "serve.py").write_text(PROGRAM)
    (tmp_path / "link.py").symlink_to(tmp_path / "pack" / "serve.py")
    return tmp_path


@pytest.mark.parametrize(
    ("args", "flags"),
    [
        (["serve.py", "a", "--b"], 0),
        (["./pack/serve.py"], 0),
        (["link.py"], 0),
        (["-m", "pack.serve", "a"], 0),
        (["-m", "serve", "fail"], 0),
        (["serve.py", "fail"], 0),
        (["serve.py", "exit"], 0),
        (["-X", "dev", "-W", "error::UserWarning", "-u", "serve.py"], 5),
        (["-P", "serve.py"], 1),
        (["missing.py"], 0),
        (["-m", "missing"], 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_waiting_interpreter_runs_it_as_a_plain_one_does(program, args, flags):
    plain = run_plainly(args, program)
    _, waited = run_waiting(args, program, ["json", "logging", "asyncio", "pydantic"], flags)
    assert waited.returncode == plain.returncode
    assert _words(waited.stderr) == _words(plain.stderr)
    if plain.stdout:
        assert json.loads(waited.stdout) == json.loads(plain.stdout)


def _words(text: bytes) -> str:
    # A frozen module's file is shown or not, depending on how it was imported.
    return re.sub(r"0x[0-9a-f]+", "0x", text.decode())


def test_a_syntax_error_is_told_as_by_python(program):
    (program / "serve.py").write_text("def f(:\n")
    plain = run_plainly(["serve.py"], program)
    _, waited = run_waiting(["serve.py"], program, [])
    assert waited.stderr == plain.stderr != b""


def test_a_module_that_fails_is_named_and_the_program_runs(program):
    answer, waited = run_waiting(["serve.py"], program, ["json", "no_such_module"])
    assert answer["failed"] == ["no_such_module"]
    assert waited.returncode == 0


def test_a_file_of_the_same_name_beside_the_program_wins_as_it_does_plainly(program):
    (program / "json.py").write_text("from os import getpid\nNAME = 'own'\n")
    (program / "serve.py").write_text("import json\nprint(json.NAME)\n")
    _, waited = run_waiting(["serve.py"], program, ["json"])
    assert waited.stdout == b"own\n"


def test_files_are_noted_in_order_and_by_use(program):
    (program / "data.txt").write_text("x")
    (program / "own.py").write_text("import os\nos.environ['LATE'] = '1'\n")
    (program / "serve.py").write_text(
        "import colorsys, own, chunk_like as late\n"
        "open('data.txt').read()\n"
        "open('log.txt', 'w').close()\n"
    )
    (program / "chunk_like.py").touch()
    run_waiting(["serve.py"], program, [])
    notes = [line.split("\t") for line in (program / "notes").read_text().splitlines()]
    assert ["m", "own", str(program / "own.py")] in notes
    assert ["r", str(program / "data.txt")] in notes
    assert ["w", str(program / "log.txt")] in notes
    assert notes.index(["e", "LATE"]) > notes.index(["m", "own", str(program / "own.py")])
    late = ["m", "chunk_like", str(program / "chunk_like.py")]
    assert notes.index(["e", "LATE"]) < notes.index(late)


def test_the_end_of_whoever_started_it_ends_a_waiting_interpreter():
    order = marshal.dumps(
        {
            "argv": ["x"],
            "plain": ["x"],
            "modules": [],
            "report": "",
            "root": "",
            "copies": False,
        },
        2,
    )
    done = subprocess.run(
        [sys.executable, bootstrap.__file__],
        input=b"%08d" % len(order) + order,
        capture_output=True,
        check=False,
        timeout=30,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_nothing_beside_the_bootstrap_stands_in_for_the_standard_library(tmp_path, program):
    copy = tmp_path / "beside"
    copy.mkdir()
    (copy / "bootstrap.py").write_bytes(Path(bootstrap.__file__).read_bytes())
    for name in ("types", "typing", "marshal", "os", "runpy", "_signal"):
        (copy / f"{name}.py").write_text("raise SystemExit('not the one that is meant')\n")
    order = marshal.dumps(
        {
            "argv": ["serve.py"],
            "plain": ["serve.py"],
            "modules": [],
            "report": str(tmp_path / "notes"),
            "root": str(program),
            "copies": False,
        },
        2,
    )
    done = subprocess.run(
        [sys.executable, copy / "bootstrap.py"],
        input=b"%08d" % len(order) + order + b"go" + b"a line\n",
        capture_output=True,
        cwd=program,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
