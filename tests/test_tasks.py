"""Work in the background."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mcpapps_cli.tasks import Tasks

pytestmark = pytest.mark.anyio


async def test_what_runs_is_cancelled_and_has_ended_when_end_returns() -> None:
    told: list[str] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            told.append("ended")

    tasks = Tasks(on_end=lambda task: told.append(f"cancelled {task.cancelled()}"))
    tasks.start(work())
    await asyncio.sleep(0)
    await tasks.end()
    assert told == ["ended", "cancelled True"]


async def test_a_fault_is_shown_and_told_to_whoever_runs_the_loop() -> None:
    shown: list[BaseException] = []
    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, about: told.append(about))

    async def fail() -> None:
        raise LookupError("gone")

    tasks = Tasks(on_fault=shown.append)
    failed = tasks.start(fail())
    await asyncio.wait({failed})
    await asyncio.sleep(0)
    assert [str(fault) for fault in shown] == ["gone"]
    assert [about["exception"] for about in told] == shown
    await tasks.end()
