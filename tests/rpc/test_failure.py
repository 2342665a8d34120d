"""What a person is told when the server cannot be spoken to."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from mcpapps_cli.errors import ServerError
from mcpapps_cli.model import ServerSpec
from mcpapps_cli.rpc import Limits, connect, start_process
from tests.rpc.servers import write_server

pytestmark = pytest.mark.anyio
QUICK = Limits(message_bytes=100_000, line_characters=100, close_seconds=0.1)


async def failure(spec: ServerSpec) -> ServerError:
    with pytest.raises(ServerError) as caught:
        async with connect(spec, timeout=30, limits=QUICK):
            pass
    return caught.value


async def silence(spec: ServerSpec) -> ServerError:
    """Return the error for a server that has written a line to stderr and then does not answer."""
    spoken = asyncio.Event()
    process = await start_process(spec, limits=QUICK, on_stderr=lambda _: spoken.set())
    await asyncio.wait_for(spoken.wait(), 30)
    with pytest.raises(ServerError) as caught:
        async with connect(spec, timeout=0.5, limits=QUICK, process=process):
            pass
    return caught.value


async def test_a_command_that_is_not_found() -> None:
    error = await failure(ServerSpec(command=("no-such-command-here",)))
    assert error.message == 'server command "no-such-command-here" was not found'
    assert error.help == "check its name, give its full path, or install it"


async def test_a_server_that_exits_at_once_shows_its_last_stderr_lines(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        for number in range(30):
            print("line", number, file=sys.stderr)
        sys.exit(7)
        """,
    )
    error = await failure(spec)
    assert error.message == 'server "python fake.py" ended with exit code 7 before it answered'
    assert error.help == "correct what its stderr shows"
    assert error.details == tuple(f"line {number}" for number in range(10, 30))


async def test_a_python_fault_is_met_once_and_not_tried_again(tmp_path: Path) -> None:
    spec = write_server(tmp_path, "open('starts', 'a').write('x'); import no_such_module_here")
    error = await failure(spec)
    assert error.details[-1] == "ModuleNotFoundError: No module named 'no_such_module_here'"
    assert (tmp_path / "starts").read_text() == "x"
    assert error.help == (
        "install the project and what it needs for that Python, such as with "
        "python -m pip install -e ., or correct the import"
    )


async def test_a_program_that_serves_nothing_is_told_from_one_that_fails(tmp_path: Path) -> None:
    error = await failure(write_server(tmp_path, "server = object()"))
    assert error.message == 'server "python fake.py" ended with exit code 0 before it answered'
    assert error.help == (
        "the program ended by itself; it must keep serving, such as with mcp.run()"
    )


async def test_a_server_that_ends_without_a_word_is_to_be_run_by_hand(tmp_path: Path) -> None:
    error = await failure(write_server(tmp_path, "os._exit(5)"))
    assert error.help == "run the command in a terminal to see why it ends"
    assert error.details == ()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
async def test_a_server_that_was_killed_names_the_signal(tmp_path: Path) -> None:
    error = await failure(write_server(tmp_path, "os.kill(os.getpid(), 9)"))
    assert error.message == 'server "python fake.py" was ended by SIGKILL before it answered'


async def test_a_banner_on_stdout_is_named_when_no_answer_comes(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        print("Welcome!", flush=True)
        print("ready", file=sys.stderr, flush=True)
        wait_for_ever()
        """,
    )
    error = await silence(spec)
    assert error.message == 'server "python fake.py" did not answer within 0.5 s'
    assert error.help == (
        'its stdout must carry nothing but JSON-RPC, and has "Welcome!"; print to stderr instead'
    )
    assert error.details == ("ready", "stdout: Welcome!")


async def test_a_banner_on_stdout_before_proper_answers_is_only_noise(tmp_path: Path) -> None:
    spec = write_server(tmp_path, "print('Welcome!', flush=True); shake_hands(); receive()")
    async with connect(spec, limits=QUICK) as client:
        assert client.noise == ("Welcome!",)


async def test_a_program_that_speaks_no_mcp(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        print("ready", file=sys.stderr, flush=True)
        for line in sys.stdin:
            print("you said", line, flush=True)
        """,
    )
    error = await silence(spec)
    assert error.message == 'server "python fake.py" did not answer within 0.5 s'
    assert error.details[1].startswith('stdout: you said {"jsonrpc":"2.0","id":')


async def test_a_server_that_hangs_is_given_up_and_its_stderr_shown(tmp_path: Path) -> None:
    spec = write_server(tmp_path, "print('loading', file=sys.stderr, flush=True); wait_for_ever()")
    error = await silence(spec)
    assert error.message == 'server "python fake.py" did not answer within 0.5 s'
    assert error.help == "check that the command starts an MCP server that speaks on stdio"
    assert error.details == ("loading",)


async def test_a_server_that_floods_stdout_without_a_line_end_is_given_up(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        print("ready", file=sys.stderr, flush=True)
        while True:
            raw(b"x" * 65536)
        """,
    )
    error = await silence(spec)
    assert error.message == 'server "python fake.py" did not answer within 0.5 s'
    assert error.details == ("ready", "stdout: " + "x" * 100)


async def test_a_server_that_serves_http_is_to_be_reached_by_url(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        print("Uvicorn running on http://0.0.0.0:8123 (Press CTRL+C)", file=sys.stderr, flush=True)
        wait_for_ever()
        """,
    )
    error = await silence(spec)
    assert error.help == (
        "it seems to serve HTTP; pass its address, such as --url http://127.0.0.1:8123/mcp"
    )
