"""Single keys in a real terminal."""

from __future__ import annotations

import asyncio
import os
import sys

import pytest

from mcpapps_cli.dev.keys import read_keys

if sys.platform == "win32":
    pytest.skip("terminals are POSIX here", allow_module_level=True)

import pty
import termios


@pytest.mark.anyio
async def test_a_key_acts_at_once_and_the_terminal_is_put_back(monkeypatch):
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    pressed: list[str] = []
    done = asyncio.Event()
    with os.fdopen(theirs) as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        with read_keys({"r": lambda: pressed.append("r"), "q": done.set}):
            assert not termios.tcgetattr(theirs)[3] & termios.ICANON
            assert termios.tcgetattr(theirs)[3] & termios.ISIG
            os.write(ours, b"Rx")
            os.write(ours, b"rq")
            async with asyncio.timeout(10):
                await done.wait()
        assert pressed == ["r", "r"]
        assert termios.tcgetattr(theirs) == before
    os.close(ours)
