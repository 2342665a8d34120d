from __future__ import annotations

import os
import sys
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from mcpapps_cli.errors import UserError
from mcpapps_cli.stage.browser import HEADLESS_FLAGS, find_browser, headless

posix = pytest.mark.skipif(sys.platform == "win32", reason="programs on disk are shell scripts")

# Writes its arguments, then starts a process of its own and waits for it.
FAKE = """#!/bin/sh
for arg in "$@"; do echo "$arg"; done > {folder}/args
sleep 600 &
echo $! > {folder}/child.tmp
mv {folder}/child.tmp {folder}/child
wait
"""


def program(folder: Path, name: str, text: str = "#!/bin/sh\n") -> Path:
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return path


@posix
def test_variable_comes_before_what_is_on_the_path(tmp_path: Path) -> None:
    program(tmp_path, "google-chrome")
    mine = program(tmp_path, "my-browser")
    path = {"PATH": str(tmp_path)}
    assert find_browser({**path, "MCPAPPS_BROWSER": "my-browser"}) == mine
    assert find_browser({**path, "MCPAPPS_BROWSER": str(mine)}) == mine


@posix
@pytest.mark.parametrize("name", ["missing", "file"])
def test_no_browser_starts_without_a_folder_for_its_files(tmp_path: Path, name: str) -> None:
    program(tmp_path, "chromium")
    program(tmp_path, "file").chmod(0o644)
    environ = {"PATH": str(tmp_path), "TMPDIR": str(tmp_path / name)}
    with pytest.raises(UserError, match=f'^TMPDIR is ".*{name}", where a browser cannot write$'):
        find_browser(environ)
    assert find_browser({**environ, "TMPDIR": str(tmp_path)}) == tmp_path / "chromium"


@posix
@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("chromium", "google-chrome", "msedge"), "google-chrome"),
        (("chromium", "msedge"), "msedge"),
        (("chromium-browser", "chromium"), "chromium"),
    ],
)
def test_chrome_comes_before_edge_before_chromium(
    tmp_path: Path, names: tuple[str, ...], expected: str
) -> None:
    for name in names:
        program(tmp_path, name)
    assert find_browser({"PATH": str(tmp_path)}) == tmp_path / expected


def test_variable_that_names_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match='MCPAPPS_BROWSER is "no-such-browser"'):
        find_browser({"PATH": str(tmp_path), "MCPAPPS_BROWSER": "no-such-browser"})


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have application folders")
def test_no_browser_is_none(tmp_path: Path) -> None:
    assert find_browser({"PATH": str(tmp_path)}) is None


@posix
@pytest.mark.anyio
async def test_browser_gets_a_profile_of_its_own_and_ends_with_everything_it_started(
    tmp_path: Path,
) -> None:
    fake = program(tmp_path, "fake", FAKE.format(folder=tmp_path))
    async with headless("http://127.0.0.1:1/?a=b&c", browser=fake) as process:
        # The line is whole as soon as the name is there.
        while not (tmp_path / "child").exists():
            assert process.returncode is None
            await anyio.lowlevel.checkpoint()
        args = (tmp_path / "args").read_text().splitlines()
        child = int((tmp_path / "child").read_text())
        os.kill(child, 0)
    assert args[-1] == "http://127.0.0.1:1/?a=b&c"
    assert args[: len(HEADLESS_FLAGS)] == list(HEADLESS_FLAGS)
    assert ("--no-sandbox" in args) == (os.geteuid() == 0)
    profile = next(arg for arg in args if arg.startswith("--user-data-dir="))
    assert not Path(profile.partition("=")[2]).exists()
    with anyio.fail_after(30):
        # A killed process takes a moment to go.
        while not _is_gone(child):
            await anyio.lowlevel.checkpoint()


@posix
@pytest.mark.anyio
async def test_program_that_cannot_be_started_is_an_error(tmp_path: Path) -> None:
    fake = tmp_path / "fake"
    fake.write_text("not executable")
    with pytest.raises(UserError, match="could not be started"):
        async with headless("http://127.0.0.1:1/", browser=fake):
            pass


def _is_gone(pid: int) -> bool:
    """Whether a process has ended; a zombie that nobody waits for has."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    state = Path(f"/proc/{pid}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z"
