"""Copies of an interpreter: they meet what a plain start meets, and their end is known."""

from __future__ import annotations

import asyncio
import json
import marshal
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from mcpapps_cli.dev import bootstrap
from mcpapps_cli.dev.copies import Copies
from mcpapps_cli.dev.trace import read_trace
from mcpapps_cli.model import ServerSpec
from mcpapps_cli.rpc import ServerProcess, start_process
from tests.dev.test_bootstrap import PROGRAM, run_plainly

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="forks are for Linux"),
]
MODULES = ["json", "logging", "asyncio", "pydantic"]


class Original:
    """A bootstrap that was given an order, and its answer."""

    def __init__(self, process: ServerProcess, answer: dict[str, Any], folder: Path):
        self.process = process
        self.answer = answer
        self.copies = Copies(process, folder)
        self.pids: list[int] = []
        self._folder = folder

    async def copy(self, number: int = 1) -> ServerProcess:
        return await self.copies.make(self._folder / f"notes-{number}", self.pids.append)

    async def run(self, number: int = 1) -> tuple[str, str]:
        """Let a copy run its program to the end; returns its stdout, and how it ended."""
        copy = await self.copy(number)
        copy.stdin.write(b"goa line\n")
        async with asyncio.timeout(30):
            out = (await copy.stdout.read()).decode()
            end = await copy.wait_end()
        await copy.end()
        return out, end


@asynccontextmanager
async def original(
    cwd: Path, args: list[str], modules: list[str], **env: str
) -> AsyncIterator[Original]:
    spec = ServerSpec(command=(sys.executable, bootstrap.__file__), cwd=cwd, env=env)
    process = await start_process(spec)
    order = marshal.dumps(
        {
            "argv": args,
            "plain": args,
            "modules": modules,
            "report": str(cwd / "notes"),
            "root": str(cwd),
            "copies": True,
        },
        2,
    )
    process.stdin.write(b"%08d" % len(order) + order)
    async with asyncio.timeout(30):
        size = int(await process.stdout.readexactly(8))
        answer = marshal.loads(await process.stdout.readexactly(size))
    made = Original(process, answer, cwd)
    yield made
    async with asyncio.timeout(30):
        await made.copies.finish()


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], list[str]]:
    def write_program(text: str) -> list[str]:
        (tmp_path / "serve.py").write_text(text)
        return ["serve.py"]

    return write_program


async def test_a_copy_meets_what_a_plain_start_meets(tmp_path, write):
    args = [*write(PROGRAM), "a", "--b"]
    plain = run_plainly(args, tmp_path)
    async with original(tmp_path, args, MODULES) as made:
        assert made.answer["copies"] is True
        first, end = await made.run(1)
        second, _ = await made.run(2)
    assert json.loads(first) == json.loads(second) == json.loads(plain.stdout)
    assert end == "the server ended with exit code 0"


async def test_copies_share_nothing_that_is_random(tmp_path, write):
    args = write("import random, uuid\nprint(random.random(), uuid.uuid4())\n")
    async with original(tmp_path, args, ["random", "uuid"]) as made:
        first, second = [(await made.run(number))[0] for number in (1, 2)]
    assert set(first.split()).isdisjoint(second.split())
    assert first.strip() != ""


async def test_each_copy_has_its_own_notes_and_its_own_end(tmp_path, write):
    args = write("import sys\nopen('data.txt').read()\nsys.exit(len(sys.stdin.read()))\n")
    (tmp_path / "data.txt").touch()
    async with original(tmp_path, args, MODULES) as made:
        copies = [await made.copy(number) for number in (1, 2)]
        for length, copy in enumerate(copies, start=3):
            copy.stdin.write(b"go" + b"x" * length)
        # The end of one's stdin is not the end of another's.
        await copies[1].end()
        assert copies[0].returncode is None
        await copies[0].end()
        assert [copy.returncode for copy in copies] == [3, 4]
    assert made.pids == [copy.pid for copy in copies]
    assert read_trace(tmp_path / "notes-2").read == {tmp_path / "data.txt"}


async def test_a_copy_that_is_killed_is_told_of_by_its_signal(tmp_path, write):
    args = write("import sys\nsys.stdin.read()\n")
    async with original(tmp_path, args, MODULES) as made:
        copy = await made.copy()
        copy.stdin.write(b"go")
        os.kill(copy.pid, signal.SIGKILL)
        async with asyncio.timeout(30):
            assert await copy.wait_end() == "the server was ended by SIGKILL"
        await copy.end()


async def test_the_end_of_the_original_ends_no_copy_and_theirs_is_still_known(tmp_path, write):
    args = write("import sys\nprint('here', flush=True)\nprint(sys.stdin.readline())\n")
    async with original(tmp_path, args, MODULES) as made:
        copy = await made.copy()
        copy.stdin.write(b"go")
        assert await copy.stdout.readline() == b"here\n"
        os.kill(made.process.pid, signal.SIGKILL)
        await made.process.wait_end()
        with pytest.raises(OSError, match="makes no copy"):
            await made.copy(2)
        copy.stdin.write(b"still\n")
        assert await copy.stdout.readline() == b"still\n"
        async with asyncio.timeout(30):
            assert await copy.wait_end() == "the server has ended"
        await copy.end()


async def test_a_copy_whose_parent_goes_before_the_word_ends_by_itself(tmp_path, write):
    args = write("open('ran', 'w').close()\n")
    async with original(tmp_path, args, MODULES) as made:
        copy = await made.copy()
        await copy.end()
        assert copy.returncode == 0
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "module",
    [
        "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n",
        "import socket\nKEPT = socket.socketpair()\n",
        "import asyncio\nLOOP = asyncio.new_event_loop()\n",
    ],
    ids=["thread", "socket", "loop"],
)
async def test_what_a_copy_could_not_have_makes_it_serve_once(tmp_path, write, module):
    args = write("import odd\nprint('ran')\n")
    site = tmp_path / "site"
    site.mkdir()
    (site / "odd.py").write_text(module)
    async with original(tmp_path, args, ["odd"], PYTHONPATH=str(site)) as made:
        assert (made.answer["copies"], made.answer["failed"]) == (False, [])
        made.copies._reading.cancel()
        made.process.stdin.write(b"go")
        assert await made.process.stdout.readline() == b"ran\n"


async def test_a_module_that_was_changed_since_is_read_anew_and_said_to_be_stale(tmp_path, write):
    args = write("import lib\nprint(lib.NAME)\n")
    site = tmp_path / "site"
    site.mkdir()
    (site / "lib.py").write_text("NAME = 'old'\n")
    async with original(tmp_path, args, ["lib"], PYTHONPATH=str(site)) as made:
        assert (await made.run(1))[0] == "old\n"
        assert not read_trace(tmp_path / "notes-1").stale
        (site / "lib.py").write_text("NAME = 'changed'\n")
        assert (await made.run(2))[0] == "changed\n"
        assert read_trace(tmp_path / "notes-2").stale
