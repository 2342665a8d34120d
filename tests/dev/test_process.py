"""`mcpapps dev` as a process: how it begins, how it ends, and what it leaves behind."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.dev.conftest import SERVER
from tests.devlog import DevLog, run_dev

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="reads /proc"),
]
HEAVY = "import h11\n" + SERVER
LEFT_WITHIN = 2.0
"""Seconds after which nothing may be left of a session that was killed."""


class Traces:
    """Finds the processes of one session: everything it starts inherits its environment."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.mark = f"MCPAPPS_TEST_MARK={uuid.uuid4().hex}"
        monkeypatch.setenv(*self.mark.split("="))

    def pids(self, word: str = "") -> list[int]:
        found = []
        for folder in Path("/proc").iterdir():
            try:
                marked = self.mark.encode() in (folder / "environ").read_bytes()
                command = (folder / "cmdline").read_bytes().decode(errors="replace")
                running = (folder / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
            except (OSError, ValueError):
                continue
            if marked and running and word in command and int(folder.name) != os.getpid():
                found.append(int(folder.name))
        return found

    async def none(self, word: str = "", within: float = 20.0) -> None:
        await self.until(lambda: not self.pids(word), within)

    async def until(self, true: Callable[[], bool], within: float = 20.0) -> None:
        async with asyncio.timeout(within):
            while not true():
                await asyncio.sleep(0.01)


@pytest.fixture
def traces(monkeypatch) -> Traces:
    return Traces(monkeypatch)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "server.py").write_text(HEAVY)
    return tmp_path


def run(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mcpapps_cli", "dev", "--json-log", "--no-open", *args],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


# Beside the interpreter that serves: one that waits, and where it can be copied its original.
STANDBY = 2 if sys.platform == "linux" else 1


async def standby_is_there(dev: DevLog, traces: Traces) -> None:
    """Wait until an interpreter waits, beside the one that serves."""
    await traces.until(lambda: len(traces.pids("bootstrap.py")) >= 1 + STANDBY)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_a_signal_ends_it_well_and_nothing_is_left(project, traces, number):
    async with run_dev("server.py", cwd=project) as dev:
        assert dev.events[0]["event"] == "ready"
        assert dev.ready["tools"] == ["first"]
        await standby_is_there(dev, traces)
        dev.process.send_signal(number)
        assert await dev.process.wait() == 0
    assert traces.pids() == []


async def test_events_are_utf_8_whatever_encoding_stdout_has(project):
    (project / "server.py").write_text(HEAVY.replace('"first"', '"größe"'), "utf-8")
    environ = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    async with run_dev("server.py", cwd=project, env=environ) as dev:
        assert dev.ready["tools"] == ["größe"]


async def test_nohup_lets_it_outlive_the_terminal(project):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        async with run_dev("server.py", cwd=project) as dev:
            dev.process.send_signal(signal.SIGHUP)
            (project / "server.py").write_text(HEAVY.replace('"first"', '"second"'))
            assert (await dev.wait("server-ready"))["tools"] == ["second"]
            dev.process.send_signal(signal.SIGTERM)
            assert await dev.process.wait() == 0
    finally:
        signal.signal(signal.SIGHUP, before)


async def test_killing_dev_leaves_no_process(project, traces):
    async with run_dev("server.py", cwd=project) as dev:
        await standby_is_there(dev, traces)
        dev.process.kill()
        await dev.process.wait()
        await traces.none(within=LEFT_WITHIN)


async def test_killing_the_server_starts_another_one(project, traces):
    async with run_dev("server.py", cwd=project) as dev:
        await standby_is_there(dev, traces)
        (server,) = _serving(traces)
        os.kill(server, signal.SIGKILL)
        failed = await dev.wait("server-failed")
        assert failed["error"]["message"] == "the server was ended by SIGKILL"
        assert (await dev.wait("server-ready"))["generation"] == 2
        assert server not in traces.pids()


async def test_killing_the_standby_is_made_good_by_the_next_reload(project, traces):
    async with run_dev("server.py", cwd=project) as dev:
        await standby_is_there(dev, traces)
        waiting = set(traces.pids("bootstrap.py")) - set(_serving(traces))
        assert len(waiting) == STANDBY
        for pid in waiting:
            os.kill(pid, signal.SIGKILL)
        await traces.until(lambda: waiting.isdisjoint(traces.pids()), LEFT_WITHIN)
        (project / "server.py").write_text(HEAVY.replace('"first"', '"second"'))
        assert (await dev.wait("server-ready"))["tools"] == ["second"]
        await standby_is_there(dev, traces)
        # The one that serves now is a copy, or came from an interpreter that waited.
        (project / "server.py").write_text(HEAVY.replace('"first"', '"third"'))
        assert (await dev.wait("server-ready"))["warm"]
        (server,) = await _settled(traces)
        os.kill(server, signal.SIGKILL)
        failed = await dev.wait("server-failed")
        assert failed["error"]["message"] == "the server was ended by SIGKILL"
        assert (await dev.wait("server-ready"))["tools"] == ["third"]
        assert server not in traces.pids()
        await standby_is_there(dev, traces)
        dev.process.kill()
        await dev.process.wait()
        await traces.none(within=LEFT_WITHIN)


async def _settled(traces: Traces) -> list[int]:
    """Return who serves, once the one before has gone."""
    await traces.until(lambda: len(_serving(traces)) == 1)
    return _serving(traces)


def _serving(traces: Traces) -> list[int]:
    """Return the interpreters that run the program: they hold a file of notes open."""
    return [pid for pid in traces.pids("bootstrap.py") if Path(f"/proc/{pid}/fd/250").exists()]


def test_a_taken_port_is_one_error_and_one_help(project):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run("server.py", "--port", str(port), cwd=project)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-2:] == [
        f"error: port {port} is in use",
        " help: pass another --port, or stop the program that holds it",
    ]


@pytest.mark.parametrize(
    ("arguments", "message", "help"),
    [
        (
            ["--command", "no-such-command --flag"],
            'server command "no-such-command" was not found',
            "check its name, give its full path, or install it",
        ),
        (
            ["server.py", "--server", "two=no-such-command"],
            'server command "no-such-command" was not found',
            "check its name, give its full path, or install it",
        ),
        (
            ["server.py", "--server", "twice=a", "--server", "twice=b", "--server", "c d"],
            "the options cannot be used",
            "correct what is named above",
        ),
        (["server.py", "--server", "{project}=python server.py"], "two servers named", "its own"),
        (["server.py", "--profile", "claud"], '"claud"', '"claude"'),
        (["server.py", "--fault", "slow"], '"slow"', "slow-tool"),
        (["gone.py"], "does not exist", "give the path of the server's file"),
    ],
)
def test_what_no_save_can_mend_ends_it_with_one_error_and_one_help(
    project, traces, arguments, message, help
):
    done = run(*(word.replace("{project}", project.name) for word in arguments), cwd=project)
    assert (done.returncode, done.stdout) == (2, "")
    *details, last = done.stderr.splitlines()
    errors = [line for line in details if not line.startswith("  ")]
    assert len(errors) == 1
    assert errors[0].startswith("error: ")
    assert message in errors[0]
    assert last.startswith(" help: ")
    assert help in last
    assert traces.pids() == []


BAD = {
    "python gone.py": ("ended with exit code 2 before it answered", "can't open file"),
    "python -c 'import sys; sys.exit(\"last words\")'": (
        "ended with exit code 1 before it answered",
        "last words",
    ),
    "python -c 'print(\"Welcome!\")'": (
        "ended with exit code 0 before it answered",
        "stdout: Welcome!",
    ),
}


@pytest.mark.parametrize("command", BAD)
async def test_a_server_that_does_not_serve_is_told_with_its_last_words(command, project, traces):
    message, words = BAD[command]
    async with run_dev("--command", command, cwd=project) as dev:
        assert dev.ready["tools"] == []
        error = (await dev.wait("server-failed"))["error"]
        assert message in error["message"]
        assert words in "\n".join(error["details"])
        assert error["help"]
    assert traces.pids() == []


async def test_a_deleted_project_ends_it_with_one_clear_line(project, traces):
    async with run_dev("server.py", cwd=project) as dev:
        shutil.rmtree(project)
        assert await dev.process.wait() == 2
    assert traces.pids() == []


async def test_broken_saves_in_a_row_end_where_the_file_ends(project, traces):
    file = project / "server.py"
    async with run_dev("server.py", cwd=project) as dev:
        for _ in range(20):
            file.write_text("def broken(:\n")
            await dev.wait("server-failed")
            file.write_text(HEAVY + "\n# \n")
            await dev.wait("server-ready")
        file.write_text("def broken(:\n")
        await dev.wait("server-failed")
        file.write_text(HEAVY.replace('"first"', '"last"'))
        assert (await dev.wait("server-ready"))["tools"] == ["last"]
        await standby_is_there(dev, traces)
    assert traces.pids() == []


async def test_a_server_that_writes_files_is_not_restarted_by_them(project):
    (project / "server.py").write_text(
        HEAVY.replace("NAME =", "open('state.json', 'w').write('{}')\nNAME =", 1)
    )
    async with run_dev("server.py", cwd=project) as dev:
        (project / "server.py").write_text(
            (project / "server.py").read_text().replace('"first"', '"second"')
        )
        assert (await dev.wait("server-ready"))["tools"] == ["second"]
        (project / "server.py").write_text(
            (project / "server.py").read_text().replace('"second"', '"third"')
        )
        assert (await dev.wait("server-ready"))["tools"] == ["third"]
        changed = [event["paths"] for event in dev.events if event["event"] == "changed"]
        assert changed == [["server.py"]] * 2


async def test_an_edited_editable_sibling_is_seen(project, tmp_path_factory):
    sibling = tmp_path_factory.mktemp("sibling")
    (sibling / "side.py").write_text('NAME = "first"\n')
    (project / "server.py").write_text(
        f"import sys\nsys.path.append({str(sibling)!r})\nimport side\n"
        + HEAVY.replace('NAME = "first"', "NAME = side.NAME")
    )
    async with run_dev("server.py", cwd=project) as dev:
        (sibling / "side.py").write_text('NAME = "second"\n')
        assert (await dev.wait("server-ready"))["tools"] == ["second"]


async def test_types_that_a_project_has_follow_its_tools(project):
    types = project / "mcpapps-tools.d.ts"
    types.write_text("// of another time\n")
    note = {"text": '"mcpapps-tools.d.ts" follows the tools'}
    async with run_dev("server.py", cwd=project) as dev:
        await dev.wait("note", **note)
        assert '"first"' in types.read_text()
        (project / "server.py").write_text(HEAVY.replace('"first"', '"second"'))
        await dev.wait("note", **note)
        assert '"second"' in types.read_text()
        assert '"first"' not in types.read_text()
        # What is written here is no change to follow.
        (project / "server.py").write_text(HEAVY.replace('"first"', '"third"'))
        await dev.wait("note", **note)
        changed = [event["paths"] for event in dev.events if event["event"] == "changed"]
        assert changed == [["server.py"]] * 2


async def test_a_project_without_types_gets_none(project):
    async with run_dev("server.py", cwd=project) as dev:
        (project / "server.py").write_text(HEAVY.replace('"first"', '"second"'))
        await dev.wait("server-ready")
        (project / "server.py").write_text(HEAVY.replace('"first"', '"third"'))
        await dev.wait("server-ready")
    assert not list(project.glob("*.d.ts"))


@pytest.mark.skipif(sys.platform != "linux", reason="sets a limit of another process")
async def test_a_full_disk_is_one_clear_fault_that_passes(tmp_path):
    """A file can grow no further, which a write meets as it meets a full disk."""
    import resource

    subprocess.run(
        [sys.executable, "-m", "mcpapps_cli", "new", "hello", "--yes"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    root = tmp_path / "hello"
    page, bundle = root / "views/daylight/index.html", next(root.glob("hello/*/daylight.html"))
    text, before = page.read_text(), bundle.read_bytes()
    async with run_dev(cwd=root) as dev:
        _, most = resource.prlimit(dev.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(dev.process.pid, resource.RLIMIT_FSIZE, (4096, most))
        page.write_text(text.replace("<label>Place", "<label>Somewhere"))
        failed = await dev.wait("build-failed")
        assert "file too large" in failed["error"]["message"].lower()
        assert bundle.read_bytes() == before
        resource.prlimit(dev.process.pid, resource.RLIMIT_FSIZE, (most, most))
        page.write_text(text.replace("<label>Place", "<label>Anywhere"))
        await dev.wait("bundle-ready", written=True)
        assert b"<label>Anywhere" in bundle.read_bytes()
    assert [path.name for path in bundle.parent.iterdir() if path.name.startswith(".")] == []
