"""Views built again and again by one process."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcpapps_cli.bundle import Rebuilds
from mcpapps_cli.bundle.esbuild import service
from mcpapps_cli.bundle.esbuild.locate import find_esbuild
from mcpapps_cli.errors import SourceError, UserError
from mcpapps_cli.model import View
from tests.bundle.conftest import HEAD

pytestmark = pytest.mark.node


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The process of every esbuild that is started, in order."""
    pids: list[int] = []

    class Noted(service.subprocess.Popen):  # type: ignore[misc, name-defined]
        def __init__(self, *args: object, **kwargs: object):
            super().__init__(*args, **kwargs)
            pids.append(self.pid)

    monkeypatch.setattr(service.subprocess, "Popen", Noted)
    return pids


@pytest.fixture
def view(packages: Path) -> View:
    (packages / "index.html").write_text(f"{HEAD}<script type=module src=m.ts></script>")
    (packages / "m.ts").write_text("console.log('one' as string)")
    return View("v", packages / "index.html", "ui://a/v.html")


@pytest.fixture
def rebuilds() -> Iterator[Rebuilds]:
    made = Rebuilds()
    yield made
    made.close()


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_one_process_builds_what_changes(
    rebuilds: Rebuilds, view: View, packages: Path, started: list[int]
) -> None:
    assert '"one"' in rebuilds.rebuild(view, root=packages).html
    for word in ("two", "three"):
        (packages / "m.ts").write_text(f"import './n'; console.log('{word}' as string)")
        (packages / "n.ts").write_text(f"console.log('n-{word}' as string)")
        html = rebuilds.rebuild(view, root=packages).html
        assert f'"n-{word}"' in html
        assert f'"{word}"' in html
    [pid] = started
    assert is_running(pid)
    rebuilds.close()
    assert not is_running(pid)


def test_failed_build_keeps_the_last_good_one_and_the_process(
    rebuilds: Rebuilds, view: View, packages: Path, started: list[int]
) -> None:
    good = rebuilds.rebuild(view, root=packages)
    (packages / "m.ts").write_text("let a = ;")
    with pytest.raises(SourceError) as caught:
        rebuilds.rebuild(view, root=packages)
    assert (caught.value.position.path, caught.value.position.column) == ("m.ts", 9)
    assert rebuilds.last("v") is good
    (packages / "m.ts").write_text("console.log('mended' as string)")
    assert '"mended"' in rebuilds.rebuild(view, root=packages).html
    assert len(started) == 1


def test_process_that_has_gone_is_started_again(
    rebuilds: Rebuilds, view: View, packages: Path, started: list[int]
) -> None:
    good = rebuilds.rebuild(view, root=packages)
    os.kill(started[0], getattr(signal, "SIGKILL", signal.SIGTERM))
    with pytest.raises(UserError, match="cannot be used"):
        rebuilds.rebuild(view, root=packages)
    assert rebuilds.last("v") is good
    assert rebuilds.rebuild(view, root=packages).html == good.html
    assert len(started) == 2


@pytest.mark.skipif(os.name == "nt", reason="a program made of a shell script")
def test_an_esbuild_on_path_is_asked_for_its_version_once(
    rebuilds: Rebuilds, tmp_path: Path, packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = find_esbuild(packages).binary
    assert found is not None
    log = tmp_path / "log"
    program = tmp_path / "bin" / "esbuild"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$1" >> "{log}"\nexec "{found.path}" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "index.html").write_text(f"{HEAD}<script type=module src=m.ts></script>")
    view = View("v", tmp_path / "index.html", "ui://a/v.html")
    for word in ("one", "two", "three"):
        (tmp_path / "m.ts").write_text(f"console.log('{word}' as string)")
        assert f'"{word}"' in rebuilds.rebuild(view, root=tmp_path).html
    assert log.read_text().splitlines() == ["--version", f"--service={found.version}"]
