"""An event loop in a thread of its own: the server and the stage live there while a test waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any, Generic, TypeVar

T = TypeVar("T")
_END_SECONDS = 10.0


class Loop:
    """Runs coroutines for code that is not asynchronous, until it is closed."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._live, name="mcpapps", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what a coroutine returns, or raise what it raises."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise

    def call(self, function: Callable[[], T]) -> T:
        """Return what a function returns when it is called on the loop."""

        async def call() -> T:
            return function()

        return self.run(call())

    def close(self) -> None:
        """End the thread; what still runs is cancelled."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_END_SECONDS)

    def _live(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            tasks = asyncio.all_tasks(self._loop)
            for task in tasks:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        finally:
            self._loop.close()


class Held(Generic[T]):
    """A context manager that is entered and left in one task of a loop.

    Args:
        loop: Where it lives.
        manager: Not entered yet.

    Attributes:
        value: What it gave.

    Raises:
        Exception: whatever entering raises.
    """

    def __init__(self, loop: Loop, manager: AbstractAsyncContextManager[T]):
        self._loop = loop
        self._stop = loop.call(asyncio.Event)
        self.value = loop.run(self._open(manager))

    def release(self) -> None:
        """Leave it, and wait until it is left."""
        self._loop.run(self._leave())

    async def _open(self, manager: AbstractAsyncContextManager[T]) -> T:
        ready: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._live(manager, ready))
        return await ready

    async def _live(
        self, manager: AbstractAsyncContextManager[T], ready: asyncio.Future[T]
    ) -> None:
        try:
            async with manager as value:
                ready.set_result(value)
                await self._stop.wait()
        except Exception as exc:
            # Later, a fault can only come from ending what has ended already.
            if not ready.done():
                ready.set_exception(exc)

    async def _leave(self) -> None:
        self._stop.set()
        await asyncio.wait([self._task])
