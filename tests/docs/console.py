"""Console examples of Markdown pages: read, run, and compared with what was really printed.

A block tagged `console` holds `$ command` lines, each followed by its output. In the output `…`
stands for any text within a line, and a line that is only `…` for any number of lines. `$ cd DIR`
changes the folder for the rest of the page; `$ echo $?` shows the last exit code.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
# Said only where a build takes longer than a second, so on a busy machine.
_PROGRESS = re.compile(r"^building \S+ …\n", re.M)


@dataclass(frozen=True)
class Example:
    command: str
    output: str
    line: int


def examples(page: Path) -> Iterator[Example]:
    text = page.read_text(encoding="utf-8")
    for block in _BLOCK.finditer(text):
        first = text.count("\n", 0, block.start(1)) + 1
        for part in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block[1], re.M):
            line = first + block[1].count("\n", 0, part.start())
            yield Example(part[1], part[2].rstrip("\n"), line)


def matches(expected: str, actual: str) -> bool:
    pattern = "".join(
        r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*?") + r"\n"
        for line in expected.splitlines()
    )
    return re.fullmatch(pattern, actual.rstrip("\n") + "\n" if actual.strip() else "") is not None


class Terminal:
    """A shell session in a folder of its own, with our commands on PATH."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.status = 0
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
        self.environ = {**os.environ, "PATH": path, "NO_COLOR": "1", "COLUMNS": "88"}
        self.environ.pop("VIRTUAL_ENV", None)

    def run(self, command: str) -> str:
        if command.startswith("cd "):
            self.folder /= command.removeprefix("cd ")
            assert self.folder.is_dir()
            return ""
        if command == "echo $?":
            return f"{self.status}\n"
        done = subprocess.run(
            command,
            shell=True,
            cwd=self.folder,
            env=self.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        self.status = done.returncode
        return _PROGRESS.sub("", done.stdout)

    def watch(self, command: str, last: str) -> str:
        """Run a command that does not end by itself; return its lines up to the expected last."""
        process = subprocess.Popen(
            command.split(),
            cwd=self.folder,
            env=self.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        assert process.stdout is not None
        try:
            lines: list[str] = []
            while (line := process.stdout.readline()) and not matches(last, line):
                lines.append(line)
            return "".join((*lines, line))
        finally:
            process.terminate()
            process.stdout.close()
            process.wait()
