"""Ends what we started even when we are killed: a process that outlives us by a moment."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

# The end of its stdin is the news that we have gone, however that happened.
_WATCH = """
import os, shutil, signal, sys
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
groups = set()
for line in sys.stdin:
    groups ^= {int(line)}
for group in groups:
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass
shutil.rmtree(sys.argv[1], ignore_errors=True)
"""


class Guard:
    """Keeps a list of process groups, and a folder, that must not outlive this process.

    On Windows the list is a job object, which the system ends with this process.

    Attributes:
        folder: For files of this session; removed at the end.
    """

    folder: Path

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._job: object | None = None

    def __enter__(self) -> Self:
        """Begin to watch."""
        self.folder = Path(tempfile.mkdtemp(prefix="mcpapps-dev-"))
        if sys.platform == "win32":
            from mcpapps_cli.dev.job import Job

            self._job = Job()
            return self
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _WATCH, str(self.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End every group that is still listed, and remove the folder."""
        if self._process is not None:
            with contextlib.suppress(OSError):
                assert self._process.stdin is not None
                self._process.stdin.close()
            self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def add(self, pid: int) -> None:
        """List the group that process `pid` leads."""
        if sys.platform == "win32":
            self._job.add(pid)  # type: ignore[union-attr]
        else:
            self._toggle(pid)

    def remove(self, pid: int) -> None:
        """Take a group that has ended from the list; its number may come to be used again."""
        if sys.platform != "win32":
            self._toggle(pid)

    def _toggle(self, pid: int) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        # A guard that somebody killed is no reason to end the session.
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(b"%d\n" % pid)
            self._process.stdin.flush()
