"""What a server may do to its pipes without taking the client down."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from mcpapps_cli.errors import ServerError
from mcpapps_cli.rpc import Limits, connect
from tests.rpc.servers import write_server

pytestmark = pytest.mark.anyio
SMALL = Limits(message_bytes=100_000, close_seconds=0.2)


async def test_a_line_with_an_invalid_utf8_byte_is_noise_and_the_next_answer_arrives(
    tmp_path: Path,
) -> None:
    spec = write_server(
        tmp_path,
        r"""
        shake_hands()
        message = receive()
        raw(b'{"jsonrpc":"2.0","id":1,"result":{"bad":"\xff"}}\n')
        reply(message, {"good": True})
        receive()
        """,
    )
    async with connect(spec, era="legacy") as client:
        assert await client.request("x", timeout=10) == {"good": True}
        assert client.noise == ('{"jsonrpc":"2.0","id":1,"result":{"bad":"\ufffd"}}',)


async def test_a_line_without_end_fails_the_request_and_not_the_program(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        shake_hands()
        receive()
        while True:
            raw(b"x" * 65536)
        """,
    )
    async with connect(spec, era="legacy", limits=SMALL) as client:
        with pytest.raises(ServerError, match='"x" was not answered within 1 s'):
            await client.request("x", timeout=1)
        assert client.noise == ("x" * 2000,)


async def test_an_answer_of_50_mb_arrives(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        shake_hands()
        reply(receive(), {"text": "x" * 50_000_000})
        receive()
        """,
    )
    async with connect(spec, era="legacy") as client:
        result = await client.request("x", timeout=60)
        assert len(result["text"]) == 50_000_000


@pytest.mark.parametrize(
    "line",
    ['{"jsonrpc":"2.0","id":%d,"result":{"t":"%s"}}', '{"result":{"t":"%s"},"id":%d}'],
    ids=["id-first", "id-last"],
)
async def test_an_answer_over_the_limit_fails_only_its_own_request(
    tmp_path: Path, line: str
) -> None:
    values = '(m["id"], text)' if line.index("%d") < line.index("%s") else '(text, m["id"])'
    spec = write_server(
        tmp_path,
        f"""
        shake_hands()
        other = receive()
        m = receive()
        text = "x" * 200_000
        raw(({line!r} % {values}).encode() + b"\\n")
        reply(other, {{"other": True}})
        reply(receive(), {{"next": True}})
        receive()
        """,
    )
    async with connect(spec, era="legacy", limits=SMALL) as client:
        other = asyncio.create_task(client.request("other", timeout=10))
        await asyncio.wait({other}, timeout=0)
        with pytest.raises(ServerError, match=r"more than 0\.0953674 MiB"):
            await client.request("large", timeout=10)
        assert await other == {"other": True}
        assert await client.request("next", timeout=10) == {"next": True}


async def test_a_server_that_stops_reading_fails_requests_at_their_time_out(
    tmp_path: Path,
) -> None:
    spec = write_server(tmp_path, "shake_hands(); wait_for_ever()")
    async with connect(spec, era="legacy", limits=SMALL) as client:
        for size in (5_000_000, 5_000_000, 10):
            with pytest.raises(ServerError, match=r'"tools/call" was not answered within 0\.3 s'):
                await client.call_tool("t", {"text": "x" * size}, timeout=0.3)


async def test_a_server_that_ends_fails_what_is_open_and_says_how(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        shake_hands()
        receive()
        print("lost my head", file=sys.stderr)
        sys.exit(3)
        """,
    )
    async with connect(spec, era="legacy") as client:
        with pytest.raises(ServerError, match="the server ended with exit code 3") as caught:
            await client.request("x")
        assert caught.value.details == ("lost my head",)
        assert await client.wait_gone() == "the server ended with exit code 3"
        with pytest.raises(ServerError, match="the server ended with exit code 3"):
            await client.request("y")
        with pytest.raises(ServerError, match="the server ended with exit code 3"):
            await client.notify("z")


async def test_a_server_that_closes_its_stdout_is_gone(tmp_path: Path) -> None:
    spec = write_server(tmp_path, "shake_hands(); receive(); os.close(1); wait_for_ever()")
    async with connect(spec, era="legacy", limits=SMALL) as client:
        with pytest.raises(ServerError, match="the server closed its stdout"):
            await client.request("x")


async def test_a_server_is_gone_although_its_child_holds_the_pipe(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        shake_hands()
        receive()
        import subprocess
        code = "import threading; threading.Event().wait(60)"
        subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
        os._exit(4)
        """,
    )
    async with connect(spec, era="legacy", limits=SMALL) as client:
        with pytest.raises(ServerError, match="the server ended with exit code 4"):
            await client.request("x")


async def test_noise_is_reported_and_kept_up_to_its_limit(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        print("banner")
        shake_hands()
        for number in range(100):
            print("line", number)
        reply(receive(), {})
        receive()
        """,
    )
    heard: list[str] = []
    limits = Limits(noise_lines=3, line_characters=6)
    async with connect(spec, era="legacy", limits=limits, on_noise=heard.append) as client:
        await client.request("x", timeout=10)
        assert client.noise == ("banner", "line 0", "line 1")
        assert len(heard) == 101
