"""A server that is replaced while it is being used."""

from __future__ import annotations

import asyncio
import os

import pytest

from mcpapps_cli.dev.event import ServerFailed, ServerReady
from mcpapps_cli.errors import ServerError
from mcpapps_cli.stage.event import NoteEvent
from tests.dev.conftest import SERVER

pytestmark = pytest.mark.anyio


async def text(lab, name="first"):
    result = await lab.supervisor.request("tools/call", {"name": name, "arguments": {}})
    return result["content"][0]["text"]


async def test_a_new_server_takes_over_with_its_tools(lab):
    lab = lab()
    await lab.supervisor.start()
    try:
        assert await text(lab) == "first"
        lab.edit('NAME = "first"', 'NAME = "second"')
        assert await lab.supervisor.restart()
        assert await text(lab) == "second"
        assert [tool["name"] for tool in lab.supervisor.inventory().tools] == ["second"]
        (ready,) = (event for event in lab.events if isinstance(event, ServerReady))
        assert (ready.generation, ready.tools) == (2, ("second",))
    finally:
        await lab.close()


@pytest.mark.parametrize("prefix", ["", "{}/cache", "cache"])
async def test_a_save_of_equal_size_within_a_second_is_run_and_not_older_byte_code(
    lab, tmp_path, monkeypatch, prefix
):
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", prefix.format(tmp_path))
    names = tmp_path / "names.py"
    names.write_text('NAME = "one"\n')
    second = names.stat()
    lab = lab(source=SERVER.replace('NAME = "first"', "from names import NAME"))
    await lab.supervisor.start()
    try:
        assert await text(lab) == "one"
        folder = tmp_path / "cache" if prefix else tmp_path / "__pycache__"
        assert list(folder.rglob("names.*.pyc"))
        names.write_text('NAME = "two"\n')
        os.utime(names, ns=(second.st_atime_ns, second.st_mtime_ns))
        # As whoever entered the folder by a link names it.
        link = tmp_path / "link"
        link.symlink_to(tmp_path)
        lab.supervisor.note_changed([link / "names.py"])
        assert await lab.supervisor.restart()
        assert await text(lab) == "two"
    finally:
        await lab.close()


async def test_a_failing_server_is_dropped_and_the_old_one_stays(lab):
    lab = lab()
    await lab.supervisor.start()
    try:
        lab.edit("import json", "import json, no_such_module")
        assert not await lab.supervisor.restart()
        assert await text(lab) == "first"
        (failed,) = (event for event in lab.events if isinstance(event, ServerFailed))
        assert any("no_such_module" in line for line in failed.error["details"])
    finally:
        await lab.close()


async def test_a_call_in_flight_finishes_on_the_old_server(lab):
    lab = lab()
    await lab.supervisor.start()
    try:
        calling = asyncio.create_task(text(lab, "slow"))
        assert await text(lab) == "first"  # the slow call has arrived before this one
        lab.edit('NAME = "first"', 'NAME = "second"')
        assert await lab.supervisor.restart()
        assert not calling.done()
        lab.file.with_name("gate").touch()
        assert await calling == "first"
        assert await text(lab) == "second"
    finally:
        await lab.close()


async def test_calls_during_the_swap_wait_and_none_is_refused(lab):
    lab = lab(restart="stop-first")
    await lab.supervisor.start()
    try:
        lab.edit('NAME = "first"', 'NAME = "second"')
        restart = asyncio.create_task(lab.supervisor.restart())
        await asyncio.sleep(0)
        assert await asyncio.gather(*(text(lab) for _ in range(5))) == ["second"] * 5
        assert await restart
    finally:
        await lab.close()


async def test_a_server_that_ends_is_reported_with_its_last_words(lab):
    lab = lab()
    await lab.supervisor.start()
    try:
        with pytest.raises(ServerError):
            await lab.supervisor.request("tools/call", {"name": "exit", "arguments": {}})
        async with asyncio.timeout(10):
            while not any(isinstance(event, ServerFailed) for event in lab.events):
                await asyncio.sleep(0.01)
        (failed,) = (event for event in lab.events if isinstance(event, ServerFailed))
        assert "leaving" in failed.error["details"]
        assert lab.gone == [0.0]
        assert await lab.supervisor.restart()
        assert await text(lab) == "first"
    finally:
        await lab.close()


async def test_a_stopped_server_whose_successor_fails_is_started_again_later(lab):
    lab = lab(restart="stop-first")
    await lab.supervisor.start()
    try:
        lab.edit("import json", "import json, no_such_module")
        assert not await lab.supervisor.restart()
        with pytest.raises(ServerError):
            await text(lab)
        # Nothing is offered: whoever calls is told why, as at a first start that fails.
        with pytest.raises(ServerError) as caught:
            lab.supervisor.inventory()
        assert any("no_such_module" in line for line in caught.value.details)
        lab.edit("import json, no_such_module", "import json")
        assert await lab.supervisor.restart()
        assert await text(lab) == "first"
    finally:
        await lab.close()


LOCKED = (
    "import pathlib, sys\nLOCK = pathlib.Path(__file__).with_name('lock')\n"
    "try:\n    LOCK.touch(exist_ok=False)\n"
    "except FileExistsError:\n    sys.exit('database is locked')\n" + SERVER + "\nLOCK.unlink()\n"
)


async def test_a_server_that_cannot_live_beside_the_old_one_is_started_after_it(lab):
    lab = lab(source=LOCKED)
    await lab.supervisor.start()
    try:
        lab.edit('NAME = "first"', 'NAME = "second"')
        assert await lab.supervisor.restart()
        assert await text(lab) == "second"
        (note,) = lab.all(NoteEvent)
        assert 'restart = "stop-first"' in note.text
        lab.edit('NAME = "second"', 'NAME = "third"')
        assert await lab.supervisor.restart()
        assert await text(lab) == "third"
        assert len(lab.all(NoteEvent)) == 1
    finally:
        await lab.close()


async def test_a_call_waits_for_the_server_that_follows_one_that_died(lab):
    lab = lab()
    await lab.supervisor.start()
    try:
        with pytest.raises(ServerError):
            await lab.supervisor.request("tools/call", {"name": "exit", "arguments": {}})
        calling = asyncio.create_task(text(lab))
        async with asyncio.timeout(10):
            while not lab.gone:
                await asyncio.sleep(0)
        assert await lab.supervisor.restart()
        assert await calling == "first"
    finally:
        await lab.close()


async def test_a_start_that_hangs_is_given_up_for_a_newer_one(lab):
    lab = lab()
    await lab.supervisor.start()
    try:
        lab.edit("for line in sys.stdin:", "while True: time.sleep(1)\nfor line in sys.stdin:")
        hanging = asyncio.create_task(lab.supervisor.restart())
        calling = asyncio.create_task(text(lab))
        await asyncio.sleep(0)
        hanging.cancel()
        await asyncio.wait({hanging})
        lab.edit("while True: time.sleep(1)\nfor line in sys.stdin:", "for line in sys.stdin:")
        lab.edit('NAME = "first"', 'NAME = "second"')
        assert await lab.supervisor.restart()
        assert await calling == "second"
    finally:
        await lab.close()


async def test_the_old_server_takes_calls_while_a_new_one_hangs(lab, monkeypatch):
    monkeypatch.setattr("mcpapps_cli.dev.supervisor.HOLD", 0.0)
    lab = lab()
    await lab.supervisor.start()
    try:
        lab.edit("for line in sys.stdin:", "while True: time.sleep(1)\nfor line in sys.stdin:")
        hanging = asyncio.create_task(lab.supervisor.restart())
        await asyncio.sleep(0)
        assert await text(lab) == "first"
        hanging.cancel()
        await asyncio.wait({hanging})
    finally:
        await lab.close()


async def test_closing_ends_a_replaced_server_that_still_has_a_call(lab):
    lab = lab()
    await lab.supervisor.start()
    calling = asyncio.create_task(text(lab, "slow"))
    assert await text(lab) == "first"
    (old,) = [lab.supervisor._current]
    lab.edit('NAME = "first"', 'NAME = "second"')
    assert await lab.supervisor.restart()
    await lab.close()
    assert old.started.process.returncode is not None
    with pytest.raises(ServerError):
        await calling


async def test_a_call_in_a_session_of_its_own_meets_a_fresh_server(lab):
    before, _, after = SERVER.rpartition(
        'answer(message, {"content": [{"type": "text", "text": NAME'
    )
    source = (
        before
        + 'COUNT += 1\n        answer(message, {"content": [{"type": "text", "text": str(COUNT)'
    )
    made = lab(source=source.replace("NAME =", "COUNT = 0\nNAME =") + after)
    try:
        await made.supervisor.start()

        async def call(*, new_session: bool) -> str:
            result = await made.supervisor.request(
                "tools/call", {"name": "count"}, new_session=new_session
            )
            return result["content"][0]["text"]

        assert [await call(new_session=False) for _ in range(2)] == ["1", "2"]
        assert [await call(new_session=True) for _ in range(2)] == ["1", "1"]
        assert await call(new_session=False) == "3"
    finally:
        await made.close()
