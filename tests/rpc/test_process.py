"""Starting a server with everything it needs, and ending it with everything it started."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from mcpapps_cli.errors import ServerError
from mcpapps_cli.model import ServerSpec
from mcpapps_cli.rpc import Limits, connect, start_process
from tests.rpc.servers import write_server

pytestmark = pytest.mark.anyio
posix = pytest.mark.skipif(sys.platform == "win32", reason="process groups and signals of POSIX")


async def test_the_child_has_our_environment_and_the_given_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FROM_PARENT", "1")
    monkeypatch.setenv("OVERRIDDEN", "parent")
    spec = write_server(
        tmp_path,
        """
        shake_hands()
        names = ("FROM_PARENT", "OVERRIDDEN", "ADDED")
        reply(receive(), {name: os.environ[name] for name in names} | {"cwd": os.getcwd()})
        receive()
        """,
        env={"OVERRIDDEN": "spec", "ADDED": 2},
    )
    async with connect(spec, era="legacy") as client:
        assert await client.request("x", timeout=10) == {
            "FROM_PARENT": "1",
            "OVERRIDDEN": "spec",
            "ADDED": "2",
            "cwd": str(tmp_path.resolve()),
        }


async def test_stderr_is_reported_and_its_last_lines_are_kept(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        r"""
        shake_hands()
        sys.stderr.buffer.write(b"one\ntwo \xff\n" + b"y" * 500_000 + b"\nlast")
        sys.stderr.flush()
        """,
    )
    heard: list[str] = []
    limits = Limits(stderr_lines=3, line_characters=10)
    async with connect(spec, era="legacy", limits=limits, on_stderr=heard.append) as client:
        await client.wait_gone()
        assert client.stderr_tail == ("two \ufffd", "y" * 10, "last")
    assert heard == ["one", "two \ufffd", "y" * 10, "last"]


@posix
async def test_leaving_ends_a_server_that_ignores_both_eof_and_sigterm(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        import signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        shake_hands()
        reply(receive(), {"pid": os.getpid()})
        wait_for_ever()
        """,
    )
    async with connect(spec, era="legacy", limits=Limits(close_seconds=0.1)) as client:
        pid = (await client.request("x", timeout=10))["pid"]
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@posix
async def test_leaving_ends_what_the_server_started(tmp_path: Path) -> None:
    fifo = tmp_path / "alive"
    os.mkfifo(fifo)
    spec = write_server(
        tmp_path,
        """
        import subprocess
        code = "open('alive', 'w').write('x'); import threading; threading.Event().wait()"
        shake_hands()
        holder = open("alive", "w")
        child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.DEVNULL,
                                 stdout=holder, stderr=holder)
        reply(receive(), {"pid": child.pid})
        receive()
        """,
    )
    # End of file on the FIFO means that nobody holds its other end: every holder has ended.
    with os.fdopen(os.open(fifo, os.O_RDONLY | os.O_NONBLOCK), "rb") as reader:
        os.set_blocking(reader.fileno(), True)
        async with connect(spec, era="legacy") as client:
            await client.request("x", timeout=10)
        await asyncio.wait_for(asyncio.to_thread(reader.read), 10)


@posix
async def test_cancelling_while_connecting_ends_the_server(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path, "print(os.getpid(), file=sys.stderr, flush=True); wait_for_ever()"
    )
    started: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def enter() -> None:
        limits = Limits(close_seconds=0.1)
        async with connect(spec, era="legacy", limits=limits, on_stderr=started.set_result):
            raise AssertionError("nothing answered")

    task = asyncio.create_task(enter())
    pid = int(await asyncio.wait_for(started, 10))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_server_that_was_started_before_is_used(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        print("started", file=sys.stderr, flush=True)
        shake_hands()
        reply(receive(), {"pid": os.getpid()})
        receive()
        """,
    )
    process = await start_process(spec)
    async with connect(spec, process=process) as client:
        assert await client.request("x", timeout=10) == {"pid": process.pid}
    assert process.returncode == 0
    assert process.stderr_tail == ("started",)


async def test_a_command_that_does_not_exist_is_named() -> None:
    spec = ServerSpec(command=("no-such-command-here", "--flag"))
    with pytest.raises(ServerError) as caught:
        await start_process(spec)
    assert caught.value.message == 'server command "no-such-command-here" was not found'
    assert caught.value.help == "check its name, give its full path, or install it"


async def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    spec = ServerSpec(command=(sys.executable,), cwd=tmp_path / "gone")
    with pytest.raises(ServerError) as caught:
        await start_process(spec)
    assert caught.value.message == f'server folder "{tmp_path / "gone"}" does not exist'


@posix
async def test_a_file_that_may_not_be_run_is_named(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text("")
    spec = ServerSpec(command=("./server.py",), cwd=tmp_path)
    with pytest.raises(ServerError) as caught:
        await start_process(spec)
    assert caught.value.message == 'server command "./server.py" may not be run'
    assert 'name its interpreter: --command "python ./server.py"' in str(caught.value.help)


async def test_no_command_at_all_is_an_error() -> None:
    with pytest.raises(ServerError, match="no server command is given"):
        await start_process(ServerSpec())
