"""Work in the background: kept until it ends, and ended with whoever began it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any


class Tasks:
    """The tasks of one owner, on the running event loop, which itself keeps none.

    Args:
        on_end: Called with each task that has ended, in whatever way.
        on_fault: Called with what a task raised, which is a fault of ours and shown where it
            happened; whoever runs the loop is told besides.
    """

    def __init__(
        self,
        *,
        on_end: Callable[[asyncio.Task[None]], None] = lambda task: None,
        on_fault: Callable[[BaseException], None] = lambda fault: None,
    ):
        self._on_end = on_end
        self._on_fault = on_fault
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Begin some work and return its task."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._end)
        return task

    async def end(self) -> None:
        """Cancel what runs and wait until it has ended; never raises what a task raised."""
        running = tuple(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._on_end(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            self._on_fault(fault)
            about = {"message": "work in the background failed", "exception": fault, "task": task}
            task.get_loop().call_exception_handler(about)


async def all_of(*work: Coroutine[Any, Any, None]) -> None:
    """Do everything at once; the first error ends the rest."""
    tasks = [asyncio.create_task(one) for one in work]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
