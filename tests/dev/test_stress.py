"""Hundreds of saves with a client that calls all the time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from mcpapps_cli.model import ServerSpec
from mcpapps_cli.rpc import connect
from tests.dev.conftest import SERVER
from tests.dev.test_process import Traces
from tests.devlog import run_dev

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc"),
]
SAVES = 500
BROKEN = "def broken(:\n"
GROWTH = 10_000
"""Kilobytes that the session may grow by after the first fifth."""
CALLS_BETWEEN = 10


def resident(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


async def test_no_call_is_lost_nothing_leaks_and_the_last_save_wins(tmp_path, monkeypatch):
    traces = Traces(monkeypatch)
    file = tmp_path / "server.py"
    file.write_text(SERVER)
    async with run_dev("server.py", "--share-mcp", cwd=tmp_path) as dev:

        async def read() -> None:
            with pytest.raises(AssertionError):
                await dev.wait("never")

        reading = asyncio.create_task(read())
        async with connect(ServerSpec(url=dev.ready["mcp"])) as client:
            before = 0
            for number in range(SAVES):
                text = BROKEN if number % 3 == 2 else SERVER.replace('"first"', f'"v{number}"')
                file.write_text(text)
                for _ in range(CALLS_BETWEEN):
                    result = await client.call_tool("any", {})
                    assert result["content"][0]["text"].startswith(("first", "v"))
                if number == SAVES // 5:
                    before = resident(dev.process.pid)
            file.write_text(SERVER.replace('"first"', '"last"'))
            async with asyncio.timeout(30):
                while [tool["name"] for tool in await client.list_tools()] != ["last"]:
                    await asyncio.sleep(0.01)
            assert resident(dev.process.pid) - before < GROWTH
            # One serves, at most two wait; those replaced have gone or are going.
            await traces.until(lambda: len(traces.pids("bootstrap.py")) <= 3)
        dev.process.terminate()
        await dev.process.wait()
        await reading
    assert traces.pids() == []
