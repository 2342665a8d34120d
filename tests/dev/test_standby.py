"""Servers that start in an interpreter which has waited for them."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from dataclasses import replace

import pytest

from mcpapps_cli.dev.event import ServerFailed, ServerReady
from mcpapps_cli.dev.standby import Reserve
from tests.dev.conftest import SERVER

pytestmark = pytest.mark.anyio
# Imports something installed, and says as which it was met: imported ahead or not.
HEAVY = "import sys\nAHEAD = 'h11' in sys.modules\nimport h11\n" + SERVER.replace(
    '"text": NAME}', '"text": f"{NAME} {AHEAD}"}'
)


async def text(lab) -> str:
    result = await lab.supervisor.request("tools/call", {"name": "x", "arguments": {}})
    return result["content"][0]["text"]


async def waiting(lab) -> None:
    """Wait until an interpreter has imported everything."""
    async with asyncio.timeout(30):
        while not any(each.ready.done() for each in lab.reserve._waiting):
            await asyncio.sleep(0.01)


async def test_the_second_start_finds_its_modules_imported(lab):
    lab = lab(source=HEAVY, standby=True)
    await lab.supervisor.start()
    try:
        assert await text(lab) == "first False"
        await waiting(lab)
        lab.edit('NAME = "first"', 'NAME = "second"')
        assert await lab.supervisor.restart()
        assert await text(lab) == "second True"
        assert [event.warm for event in lab.all(ServerReady)] == [True]
    finally:
        await lab.close()


async def test_a_start_before_it_is_ready_uses_it_all_the_same(lab):
    lab = lab(source=HEAVY, standby=True)
    await lab.supervisor.start()
    try:
        async with asyncio.timeout(30):
            while not lab.reserve._waiting:
                await asyncio.sleep(0)
        assert await lab.supervisor.restart()
        assert await text(lab) == "first True"
    finally:
        await lab.close()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is copied")
async def test_a_standby_that_was_killed_is_missed_by_nobody(lab):
    lab = lab(source=HEAVY, standby=True)
    await lab.supervisor.start()
    try:
        await waiting(lab)
        (waits,) = lab.reserve._waiting
        original = lab.reserve._copied.copies.process
        copy = waits.ready.result().process
        os.kill(copy.pid, signal.SIGKILL)
        await copy.wait_end()
        assert await lab.supervisor.restart()
        # The next copy was a matter of milliseconds.
        assert await text(lab) == "first True"
        await waiting(lab)
        os.kill(original.pid, signal.SIGKILL)
        await original.wait_end()
        # One copy waited already, and the start after that makes a new original.
        for _ in range(2):
            assert await lab.supervisor.restart()
            assert await text(lab) == "first True"
        assert lab.reserve._copied.copies.process.pid != original.pid
    finally:
        await lab.close()


async def test_starts_in_a_row_need_no_second_import(lab):
    lab = lab(source=HEAVY, standby=True)
    await lab.supervisor.start()
    try:
        await waiting(lab)
        for number in range(3):
            lab.edit("NAME = ", f"NUMBER = {number}\nNAME = ")
            assert await lab.supervisor.restart()
            assert await text(lab) == "first True"
    finally:
        await lab.close()


async def test_what_is_excluded_is_not_imported_ahead(lab, guard):
    lab = lab(source=HEAVY)
    lab.reserve = lab.supervisor._reserve = Reserve(guard, exclude=("h11",))
    await lab.supervisor.start()
    try:
        await waiting(lab)
        assert await lab.supervisor.restart()
        assert await text(lab) == "first False"
    finally:
        await lab.close()


async def test_a_broken_save_is_told_and_the_next_start_is_warm(lab):
    lab = lab(source=HEAVY, standby=True)
    await lab.supervisor.start()
    try:
        for _ in range(2):
            await waiting(lab)
            lab.edit("import h11\n", "import h11\nnot_defined\n")
            assert not await lab.supervisor.restart()
            lab.edit("import h11\nnot_defined\n", "import h11\n")
        failed = lab.all(ServerFailed)[-1]
        assert failed.error["details"][-1] == "NameError: name 'not_defined' is not defined"
        assert not any("bootstrap" in line for line in failed.error["details"])
        await waiting(lab)
        assert await lab.supervisor.restart()
        assert await text(lab) == "first True"
    finally:
        await lab.close()


async def test_a_program_that_only_runs_plainly_is_started_plainly(lab):
    source = "import sys\nassert 'h11' not in sys.modules, 'too early'\n" + HEAVY
    lab = lab(source=source, standby=True)
    await lab.supervisor.start()
    try:
        await waiting(lab)
        assert await lab.supervisor.restart()
        assert await text(lab) == "first False"
        assert not lab.reserve._waiting
        assert lab.all(ServerFailed) == []
    finally:
        await lab.close()


async def test_an_interpreter_too_odd_for_the_bootstrap_is_started_plainly(lab, tmp_path, guard):
    wrapper = tmp_path / "python"
    wrapper.write_text(
        f'#!/bin/sh\ncase "$1" in *bootstrap.py) exit 3;; esac\nexec {sys.executable} "$@"\n'
    )
    wrapper.chmod(0o755)
    lab = lab(source=HEAVY)
    told: list[str] = []
    lab.reserve = lab.supervisor._reserve = Reserve(guard, on_note=told.append)
    lab.supervisor._spec = replace(lab.supervisor._spec, command=(str(wrapper), str(lab.file)))
    await lab.supervisor.start()
    try:
        assert await text(lab) == "first False"
        assert told == ["the standby interpreter ended early; servers start plainly"]
    finally:
        await lab.close()
