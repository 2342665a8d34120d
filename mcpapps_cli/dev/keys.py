"""Single keys pressed in the terminal while a session runs."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping

_POLL = 0.1


@contextlib.contextmanager
def read_keys(actions: Mapping[str, Callable[[], object]]) -> Iterator[None]:
    """Call the action of each key that is pressed while the block runs.

    The terminal gives keys without waiting for a line, still sends its signals, and is put back
    as it was.

    Args:
        actions: What to do, by the key in lower case.
    """
    if sys.platform == "win32":
        with _console_keys(actions):
            yield
        return
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    loop = asyncio.get_running_loop()

    def read() -> None:
        try:
            pressed = os.read(descriptor, 64)
        except OSError:
            pressed = b""
        if not pressed:
            loop.remove_reader(descriptor)
        _press(pressed.decode(errors="replace"), actions)

    tty.setcbreak(descriptor, termios.TCSANOW)
    try:
        loop.add_reader(descriptor, read)
        yield
    finally:
        loop.remove_reader(descriptor)
        # The terminal itself may have gone.
        with contextlib.suppress(termios.error):
            termios.tcsetattr(descriptor, termios.TCSANOW, before)


def _press(keys: str, actions: Mapping[str, Callable[[], object]]) -> None:
    for key in keys.lower():
        if key in actions:
            actions[key]()


@contextlib.contextmanager
def _console_keys(actions: Mapping[str, Callable[[], object]]) -> Iterator[None]:
    import msvcrt

    async def poll() -> None:
        while True:
            while msvcrt.kbhit():  # type: ignore[attr-defined]
                _press(msvcrt.getwch(), actions)  # type: ignore[attr-defined]
            await asyncio.sleep(_POLL)

    task = asyncio.create_task(poll())
    try:
        yield
    finally:
        task.cancel()
