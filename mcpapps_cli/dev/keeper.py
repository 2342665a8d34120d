"""Starting a server anew whenever somebody asks for it, one start at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

GRACE = 0.3
"""Seconds that a start may still take when a newer save makes it out of date."""
_LONGEST_PAUSE = 5.0


class Keeper:
    """Keeps one server up to date.

    Args:
        restart: Starts it anew; returns whether the new server took over.
        on_swapped: Awaited after it did.
        is_elsewhere: Whether the server runs elsewhere, so that no save will start it: then it is
            tried again with growing pauses.
    """

    def __init__(
        self,
        restart: Callable[[], Coroutine[Any, Any, bool]],
        *,
        on_swapped: Callable[[], Awaitable[None]],
        is_elsewhere: Callable[[], bool],
    ):
        self._restart = restart
        self._on_swapped = on_swapped
        self._is_elsewhere = is_elsewhere
        # Set while the server should be started anew.
        self._asked = asyncio.Event()

    def ask(self, pause: float = 0.0) -> None:
        """Start the server anew, after `pause` seconds; a start under way is given up for it."""
        if pause:
            asyncio.get_running_loop().call_later(pause, self._asked.set)
        else:
            self._asked.set()

    async def run(self) -> None:
        """Do what is asked for until cancelled."""
        pause = 0.0
        while True:
            await self._asked.wait()
            self._asked.clear()
            attempt = asyncio.create_task(self._restart())
            try:
                newer = asyncio.create_task(self._asked.wait())
                await asyncio.wait({attempt, newer}, return_when=asyncio.FIRST_COMPLETED)
                if not attempt.done():
                    await asyncio.wait({attempt}, timeout=GRACE)
                newer.cancel()
            finally:
                attempt.cancel()
                await asyncio.wait({attempt})
            if attempt.cancelled():
                continue
            if attempt.result():
                pause = 0.0
                await self._on_swapped()
            elif self._is_elsewhere():
                pause = min(max(2 * pause, 0.25), _LONGEST_PAUSE)
                self.ask(pause)
