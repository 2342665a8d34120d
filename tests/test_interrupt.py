"""A command that is interrupted says so, and takes the server that it started with it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

# Says through a pipe with a name that it runs, and holds the pipe until it ends.
SILENT = """
import signal, sys
pipe = open(sys.argv[1], "w")
print("runs", file=pipe, flush=True)
while True:
    signal.pause()
"""


@pytest.mark.parametrize("command", ["lint", "types", "doctor"])
@pytest.mark.parametrize(
    ("name", "sigint"),
    [
        ("SIGINT", signal.default_int_handler),
        ("SIGTERM", signal.default_int_handler),
        ("SIGHUP", signal.default_int_handler),
        # As the shell of a script starts a job in the background.
        ("SIGTERM", signal.SIG_IGN),
    ],
)
def test_the_status_is_130_and_the_server_is_gone(
    name: str, sigint: Any, command: str, tmp_path: Path
) -> None:
    (tmp_path / "silent.py").write_text(SILENT)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    line = f"{sys.executable} silent.py {pipe}"
    running = subprocess.Popen(
        [sys.executable, "-m", "mcpapps_cli", command, "--command", line],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, sigint),
    )
    with pipe.open() as server:
        assert server.readline() == "runs\n"
        running.send_signal(getattr(signal, name))
        assert running.wait(timeout=60) == 130
        closed, _, _ = select.select([server], [], [], 10)
        assert closed, "the server still holds its pipe"
        assert server.read() == ""


def test_how_a_server_ended_is_known_although_who_started_us_ignores_the_end_of_children(
    tmp_path: Path,
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mcpapps_cli", "lint", "--command", "sh -c 'exit 3'"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN),
    )
    assert done.returncode == 2
    assert "ended with exit code 3 before it answered" in done.stderr
