"""A project of the template `live` on the wire: whose run a View is shown, and whose it is not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from mcpapps_cli.model import Era, ServerSpec
from mcpapps_cli.rpc import Client, connect
from tests.scaffolds.live import make_live, serving

pytestmark = pytest.mark.anyio
ID = 1_000_000


@asynccontextmanager
async def run_of(client: Client, throws: int) -> AsyncIterator[None]:
    """Make a call with the id `ID`, and cancel it at the end."""
    params = {"name": "estimate_pi", "arguments": {"throws": throws}}
    task = asyncio.create_task(client.request("tools/call", params, request_id=ID))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until_shown(expected: Any, clients: Sequence[Client], call: int | str = ID) -> None:
    """Ask again until each client is shown the run that is expected for it."""
    async with asyncio.timeout(30):
        while [await watched(client, call) for client in clients] != expected:
            await asyncio.sleep(0.01)


async def watched(client: Client, call: int | str) -> Any:
    """Return the total of the run that the View of a call is shown; None when it is shown none."""
    result = await client.call_tool("watch_run", {"call": call})
    return result.get("structuredContent", {}).get("total")


@pytest.mark.parametrize(
    ("era", "shown"),
    # A session tells them apart; without one nothing does, and nothing is shown.
    [("legacy", [2000, 3000]), ("modern", [None, None])],
)
async def test_two_clients_with_one_id_are_not_shown_each_others_run(
    era: Era, shown: list[int | None], tmp_path: Path
) -> None:
    with serving(make_live(tmp_path, "mcp")) as url:
        server = ServerSpec(url=url)
        async with (
            connect(server, era=era, timeout=60) as one,
            connect(server, era=era, timeout=60) as other,
            run_of(one, 2000),
        ):
            await until_shown([2000], [one])
            async with run_of(other, 3000):
                await until_shown(shown, [one, other])


@pytest.mark.parametrize("sdk", ["mcp", "mcp1"])
async def test_same_characters_of_another_type_are_another_call(sdk: str, tmp_path: Path) -> None:
    live = make_live(tmp_path, sdk)
    server = ServerSpec(command=live.command, cwd=tmp_path)
    async with connect(server, timeout=60) as client, run_of(client, 2000):
        await until_shown([2000], [client])
        assert await watched(client, str(ID)) is None
        live.open()
