"""Files that a server itself writes do not restart it for ever."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mcpapps_cli.dev.echo import ECHO_SECONDS, TIMES, Echoes
from tests.dev.conftest import SERVER
from tests.devlog import run_dev

STATE = "import pathlib, time; pathlib.Path('state.json').write_text(str(time.time_ns()))\n"
BUILD = "import pathlib; pathlib.Path('built.js').write_text('the same each time')\n"


class Watched:
    """A file of a server whose clock a test moves."""

    def __init__(self, file: Path):
        self.file = file
        self.now = 0.0
        self.notes: list[str] = []
        self.echoes = Echoes(self.notes.append, lambda: self.now)

    def is_own(self, text: str, *, working: bool) -> bool:
        self.file.write_text(text)
        if working:
            with self.echoes.working():
                return self.file in self.echoes.own([self.file])
        self.now += ECHO_SECONDS
        return self.file in self.echoes.own([self.file])


@pytest.fixture
def data(tmp_path: Path) -> Watched:
    return Watched(tmp_path / "state.json")


@pytest.fixture
def code(tmp_path: Path) -> Watched:
    return Watched(tmp_path / "built.js")


def test_data_that_changes_only_while_the_server_works_is_its_own(data: Watched) -> None:
    found = [data.is_own(str(number), working=True) for number in range(TIMES + 1)]
    assert found == [False] * (TIMES - 1) + [True, True]
    assert len(data.notes) == 1
    assert '"state.json"' in data.notes[0]


def test_data_that_changes_at_another_time_was_changed_by_somebody(data: Watched) -> None:
    for number in range(TIMES):
        data.is_own(str(number), working=True)
    assert not data.is_own("by hand", working=False)
    assert not data.is_own("by the server", working=True)


def test_a_change_is_seen_a_moment_after_the_work(data: Watched) -> None:
    for number in range(TIMES):
        data.is_own(str(number), working=True)
    data.file.write_text("later")
    data.now += ECHO_SECONDS - 0.1
    assert data.echoes.own([data.file]) == {data.file}


def test_code_that_is_written_as_it_was_has_not_changed(code: Watched) -> None:
    assert not code.is_own("a", working=True)
    assert code.is_own("a", working=True)
    assert not code.is_own("b", working=True)


def test_code_that_comes_to_be_as_it_was_before_an_edit_has_changed(code: Watched) -> None:
    code.is_own("a", working=True)
    assert not code.is_own("b", working=False)
    assert not code.is_own("a", working=True)


def test_code_is_never_taken_for_the_servers_own_by_number(code: Watched) -> None:
    assert not any(code.is_own(str(number), working=True) for number in range(2 * TIMES))


@pytest.mark.anyio
@pytest.mark.parametrize(("write", "file"), [(STATE, "state.json"), (BUILD, "built.js")])
@pytest.mark.skipif(sys.platform == "win32", reason="a server that a shell starts")
async def test_a_server_that_writes_at_every_start_comes_to_rest(
    tmp_path: Path, write: str, file: str
) -> None:
    (tmp_path / "server.py").write_text(write + SERVER)
    command = f"sh -c 'exec {sys.executable} server.py'"
    async with run_dev("--command", command, cwd=tmp_path) as dev:
        last = None
        if file == "state.json":
            note = await dev.wait("note", level="info", kind="host")
            while "state.json" not in note["text"]:
                note = await dev.wait("note", level="info", kind="host")
            last = max(event.get("generation", 1) for event in dev.events)
        else:
            last = (await dev.wait("server-ready"))["generation"]
        # What is saved now is seen, and is the next thing that restarts the server.
        (tmp_path / "server.py").write_text(write + SERVER.replace('"first"', '"second"'))
        ready = await dev.wait("server-ready", tools=["second"])
    assert ready["generation"] == last + 1
