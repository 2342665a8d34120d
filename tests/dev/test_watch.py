"""Which files are looked at, and what a changed one means."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import sys
from collections.abc import Callable
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from watchfiles import Change

from mcpapps_cli.dev.watch import ChangeKind, Graph, SourceFilter, Watcher, classify
from mcpapps_cli.model import Project, View

ROOT = Path("/project")
VIEW = View("chart", ROOT / "views/chart/index.html", "ui://x/chart")
PROJECT = Project(root=ROOT, name="x", out=ROOT / "x/built", views=(VIEW,))
INPUTS = {"chart": frozenset({ROOT / "views/chart/index.html", ROOT / "shared/base.css"})}
BY_NAME = Graph(INPUTS)
BY_USE = Graph(
    INPUTS,
    modules=frozenset({ROOT / "x/server.py", ROOT / "views/chart/serve.py", Path("/side/lib.py")}),
    read=frozenset({ROOT / "data/cities.json", ROOT / "shared/base.css"}),
    written=frozenset({ROOT / "x/state.json"}),
    files=frozenset({ROOT / "x/server.py", ROOT / "x/unused.py"}),
)


@pytest.mark.parametrize(
    ("path", "kind", "views"),
    [
        ("views/chart/index.html", ChangeKind.VIEW, ("chart",)),
        ("views/chart/Index.HTML", ChangeKind.VIEW, ("chart",)),
        ("shared/base.css", ChangeKind.VIEW, ("chart",)),
        ("views/chart/missing-until-now.js", ChangeKind.VIEW, ("chart",)),
        ("x/server.py", ChangeKind.SERVER, ()),
        ("views/chart/server.py", ChangeKind.SERVER, ()),
        ("data/cities.json", ChangeKind.SERVER, ()),
        (".env", ChangeKind.CONFIG, ()),
        ("pyproject.toml", ChangeKind.CONFIG, ()),
        ("mcpapps.toml", ChangeKind.CONFIG, ()),
        ("inner/pyproject.toml", ChangeKind.SERVER, ()),
        ("tests/test_server.py", ChangeKind.TEST, ()),
        ("README.md", ChangeKind.IGNORED, ()),
        ("mcpapps-tools.d.ts", ChangeKind.IGNORED, ()),
        ("views/chart/mcpapps-env.d.ts", ChangeKind.IGNORED, ()),
        ("views/chart/own.d.ts", ChangeKind.VIEW, ("chart",)),
    ],
)
def test_a_path_has_one_meaning(path, kind, views):
    assert classify(ROOT / path, PROJECT, BY_NAME) == (kind, views)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("x/server.py", ChangeKind.SERVER),
        ("/side/lib.py", ChangeKind.SERVER),
        ("data/cities.json", ChangeKind.SERVER),
        ("shared/base.css", ChangeKind.SERVER),
        ("views/chart/index.html", ChangeKind.VIEW),
        ("x/unused.py", ChangeKind.IGNORED),
        ("x/new_plugin.py", ChangeKind.SERVER),
        ("elsewhere/tool.py", ChangeKind.IGNORED),
        ("data/other.json", ChangeKind.IGNORED),
        ("x/state.json", ChangeKind.IGNORED),
        ("tests/test_server.py", ChangeKind.TEST),
        ("pyproject.toml", ChangeKind.CONFIG),
    ],
)
def test_what_the_server_used_decides_where_that_is_known(path, kind):
    assert classify(ROOT / path, PROJECT, BY_USE)[0] is kind


@pytest.mark.parametrize(
    ("path", "kind", "views"),
    [
        ("views", ChangeKind.SERVER, ("chart",)),
        ("shared", ChangeKind.SERVER, ("chart",)),
        ("x", ChangeKind.SERVER, ()),
        ("data", ChangeKind.SERVER, ()),
        ("elsewhere", ChangeKind.IGNORED, ()),
    ],
)
def test_a_folder_means_what_the_files_in_it_mean(path, kind, views):
    graph = replace(BY_USE, modules=BY_USE.modules | {ROOT / "views/serve.py"})
    assert classify(ROOT / path, PROJECT, graph) == (kind, views)


def test_after_a_failed_start_any_source_may_be_the_reason():
    path = ROOT / "elsewhere/tool.py"
    assert classify(path, PROJECT, BY_USE, failed=True)[0] is ChangeKind.SERVER
    assert classify(ROOT / "x/state.json", PROJECT, BY_USE, failed=True)[0] is ChangeKind.IGNORED


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("server.py", True),
        ("views/chart/view.js", True),
        ("x/built/chart.html", False),
        ("x/built", False),
        ("x/built.py", True),
        ("x/built_views/chart.py", True),
        ("node_modules/a/index.js", False),
        (".venv/lib/a.py", False),
        (".git/index", False),
        ("env/lib/python3/site-packages/a.py", False),
        ("my-environment/lib/a.py", False),
    ],
)
def test_environments_and_outputs_are_never_watched(tmp_path, path, counts):
    (tmp_path / "my-environment").mkdir()
    (tmp_path / "my-environment" / "pyvenv.cfg").touch()
    project = Project(root=tmp_path, name="x", out=tmp_path / "x/built")
    assert SourceFilter(project)(Change.modified, str(tmp_path / path)) is counts


@pytest.mark.parametrize(
    ("out", "path", "counts"),
    [
        (".", "views/chart/index.html", True),
        (".", "server.py", True),
        (".", "chart.html", False),
        (".", "chart.json", False),
        (".", ".chart.html.0a1b2c3d", False),
        ("views", "views/chart/view.js", True),
        ("views", "views/chart.html", False),
        ("views", "views", False),
    ],
)
def test_in_an_output_folder_with_sources_only_what_is_written_is_ignored(out, path, counts):
    project = replace(PROJECT, out=ROOT / out)
    assert SourceFilter(project)(Change.modified, str(ROOT / path)) is counts


class Watched:
    """A folder that is being watched, and the bursts that were seen."""

    def __init__(self, root: Path):
        self.root = root
        self.watcher = Watcher(Project(root=root, name="x", out=root / "built"))
        self.changes = self.watcher.changes()

    async def next(self) -> set[str]:
        async with asyncio.timeout(20):
            paths = await anext(self.changes)
        return {str(path.relative_to(self.root)) for path in paths}

    async def write(self, path: str) -> None:
        """Write a file, and wait until it is seen."""
        (self.root / path).write_text("x")
        while path not in await self.next():
            pass


@pytest.fixture
async def watched(tmp_path):
    (tmp_path / "pkg" / "deep" / "node_modules" / "a").mkdir(parents=True)
    (tmp_path / "plain" / "below").mkdir(parents=True)
    made = Watched(tmp_path)
    await made.watcher.begin()
    yield made
    await made.watcher.close()


@pytest.mark.anyio
async def test_files_at_every_depth_are_seen_and_ignored_folders_not_entered(watched):
    await watched.write("top.py")
    await watched.write("plain/below/a.py")
    await watched.write("pkg/deep/b.py")
    folders = {
        str(f.relative_to(watched.root)) for _, key in watched.watcher._running for f, _ in key
    }
    assert folders == {".", "pkg", "pkg/deep", "plain"}


@pytest.mark.anyio
async def test_a_project_with_nothing_to_ignore_is_watched_whole(tmp_path):
    (tmp_path / "plain" / "below").mkdir(parents=True)
    watched = Watched(tmp_path)
    await watched.watcher.begin()
    await watched.write("top.py")
    await watched.write("plain/below/a.py")
    await watched.watcher.close()


@contextmanager
def one_descriptor():
    """Leave the process one file that it can open; a watch needs more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = max(int(each.name) for each in Path("/dev/fd").iterdir()) + 16
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    taken = []
    try:
        with suppress(OSError):
            while True:
                taken.append(os.open(os.devnull, os.O_RDONLY))
        os.close(taken.pop())
        yield
    finally:
        for descriptor in taken:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.anyio
async def test_files_are_polled_where_the_system_gives_no_watch(tmp_path):
    watched = Watched(tmp_path)
    told = asyncio.get_running_loop().create_future()
    watched.watcher._on_note = told.set_result
    with one_descriptor():
        await watched.watcher.begin()
        async with asyncio.timeout(20):
            note = await told
    assert "max_user_watches" in note
    await watched.write("top.py")
    (tmp_path / "plain").mkdir()
    await watched.write("plain/a.py")
    await watched.watcher.close()


@pytest.mark.anyio
@pytest.mark.skipif(sys.platform != "linux", reason="file names that are no text")
async def test_a_name_that_is_no_text_does_not_end_the_watch(watched):
    (watched.root / "plain" / os.fsdecode(b"\xff.py")).touch()
    await watched.next()
    await watched.write("plain/below/a.py")
    await watched.write("top.py")


@pytest.mark.anyio
async def test_a_new_folder_is_watched_too(watched):
    (watched.root / "fresh").mkdir()
    assert await watched.next() == {"fresh"}
    await watched.write("fresh/a.py")


@pytest.mark.anyio
async def test_a_burst_is_one_set(watched):
    for name in ("b.py", "c.py", "d.py"):
        (watched.root / "plain" / name).write_text("x")
    seen = await watched.next()
    assert seen == {"plain/b.py", "plain/c.py", "plain/d.py"}


@pytest.mark.anyio
async def test_a_file_replaced_whole_counts_as_changed(watched):
    await watched.write("plain/a.py")
    temporary = watched.root / "plain" / "a.py~tmp"
    temporary.write_text("new")
    temporary.replace(watched.root / "plain" / "a.py")
    assert "plain/a.py" in await watched.next()


@pytest.mark.anyio
async def test_folders_outside_are_watched_once_they_are_followed(watched, tmp_path_factory):
    side = tmp_path_factory.mktemp("side")
    (side / "lib.py").touch()
    await watched.watcher.follow(watched.watcher._project, [side / "lib.py"])
    watched.root = side
    await watched.write("lib.py")


@pytest.mark.anyio
async def test_the_end_of_the_folder_ends_the_watch(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    watched = Watched(root)
    await watched.watcher.begin()
    await watched.write("top.py")
    (root / "top.py").unlink()
    root.rmdir()
    async with asyncio.timeout(20):
        async for _ in watched.changes:
            pass
    await watched.watcher.close()


def _aside(root: Path, name: str) -> Path:
    """Return a copy of `a`, beside the project where nobody watches."""
    return Path(shutil.copytree(root / "a", root.parent / name))


def _swap(new: Path, place: Path) -> None:
    place.rename(new.parent / "old")
    new.rename(place)


def _check_out(root: Path) -> None:
    shutil.rmtree(root / "a")
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "b" / "x.py").write_text("of the other branch")


def _turn_link(root: Path) -> None:
    (root / "turned").symlink_to(_aside(root, "second"))
    (root / "turned").rename(root / "link")


MOVES: dict[str, tuple[Callable[[Path], object], str]] = {
    "renamed": (lambda root: (root / "a").rename(root / "z"), "z/b"),
    "renamed below": (lambda root: (root / "a/b").rename(root / "a/c"), "a/c"),
    "moved in": (lambda root: _aside(root, "new").rename(root / "in"), "in/b"),
    "replaced": (lambda root: _swap(_aside(root, "new"), root / "a"), "a/b"),
    "replaced below": (lambda root: _swap(_aside(root, "new") / "b", root / "a/b"), "a/b"),
    "checked out": (_check_out, "a/b"),
    "project replaced": (
        lambda root: _swap(Path(shutil.copytree(root, root.parent / "new")), root),
        "a/b",
    ),
    "link turned": (_turn_link, "link/b"),
}


@pytest.mark.anyio
@pytest.mark.parametrize("ignored", [False, True], ids=["watched whole", "with node_modules"])
@pytest.mark.parametrize("move", MOVES)
@pytest.mark.skipif(os.name == "nt", reason="an open folder cannot be moved, links need a right")
async def test_a_folder_in_another_place_is_reported_and_watched(tmp_path, move, ignored):
    act, place = MOVES[move]
    root = tmp_path / "project"
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "b" / "x.py").touch()
    (root / "link").symlink_to(_aside(root, "first"))
    if ignored:
        for folder in (root, root / "a"):
            (folder / "node_modules" / "m").mkdir(parents=True)
    watched = Watched(root)
    await watched.watcher.begin()
    act(root)
    seen: set[str] = set()
    while f"{place}/x.py" not in seen:
        seen |= await watched.next()
    assert not any("node_modules" in path for path in seen)
    # What happens in it from now on is seen too.
    await watched.write(f"{place}/fresh.py")
    await watched.watcher.close()


@pytest.mark.anyio
@pytest.mark.skipif(os.name == "nt", reason="links need a right")
async def test_a_link_is_followed_out_of_the_project_but_not_back_into_itself(tmp_path):
    root = tmp_path / "project"
    (root / "node_modules").mkdir(parents=True)
    (tmp_path / "shared").mkdir()
    (root / "shared").symlink_to(tmp_path / "shared")
    (root / "loop").symlink_to(root)
    watched = Watched(root)
    await watched.watcher.begin()
    await watched.write("shared/a.py")
    await watched.write("top.py")
    await watched.watcher.close()
