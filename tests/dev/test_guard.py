"""What a session started does not outlive it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mcpapps_cli.dev.guard import Guard

pytestmark = pytest.mark.skipif(os.name == "nt", reason="process groups are POSIX")

# A child that holds the write end of a pipe and ignores every polite request to end.
STUBBORN = """
import os, signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
if os.fork() == 0:
    signal.pause()
signal.pause()
"""
SESSION = """
import subprocess, sys
from mcpapps_cli.dev.guard import Guard
with Guard() as guard:
    child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], start_new_session=True)
    guard.add(child.pid)
    print(guard.folder, flush=True)
    sys.stdin.read()
"""


def start_stubborn(write: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", STUBBORN], start_new_session=True, pass_fds=(write,)
    )


def test_a_listed_group_ends_whole_when_the_session_ends():
    read, write = os.pipe()
    with Guard() as guard:
        child = start_stubborn(write)
        os.close(write)
        guard.add(child.pid)
        folder = guard.folder
        assert folder.is_dir()
    assert child.wait(10) == -signal.SIGKILL
    assert os.read(read, 1) == b""  # nobody holds the other end: the grandchild has gone, too
    os.close(read)
    assert not folder.exists()


def test_a_group_that_was_taken_off_the_list_is_left_alone():
    with Guard() as guard:
        child = subprocess.Popen(
            [sys.executable, "-c", "import sys; sys.stdin.read()"],
            stdin=subprocess.PIPE,
            start_new_session=True,
        )
        guard.add(child.pid)
        guard.remove(child.pid)
    assert child.poll() is None
    child.communicate()
    assert child.returncode == 0


def test_a_killed_session_leaves_no_process_and_no_folder():
    # Everything below inherits stderr, so its end is the end of the last process.
    read, write = os.pipe()
    session = subprocess.Popen(
        [sys.executable, "-c", SESSION, STUBBORN],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=write,
        text=True,
        cwd=Path(__file__).resolve().parent.parent.parent,
    )
    os.close(write)
    assert session.stdout is not None
    folder = Path(session.stdout.readline().strip())
    assert folder.is_dir()
    session.kill()
    session.communicate()
    assert os.read(read, 1) == b""
    os.close(read)
