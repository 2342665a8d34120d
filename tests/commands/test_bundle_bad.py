"""Bad input of `mcpapps bundle`: one error, nothing half-written, the previous output intact."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.test_bundle import HEAD, PROJECT

PEERS = Path(__file__).resolve().parent.parent / "peers" / "node_modules"
_DROP, _OVERRIDE, _SEARCH = 24, 1, 2
"""Of prctl(2) and capabilities(7): what lets root ignore the mode of files."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "views").mkdir(parents=True)
    (root / "pyproject.toml").write_text(PROJECT)
    (root / "views" / "chart.html").write_text(f"{HEAD}<p>old")
    (root / "views" / "table.html").write_text(f"{HEAD}<p>table")
    assert run(root).returncode == 0
    return root


def run(
    cwd: Path, *args: str, before: Callable[[], object] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mcpapps_cli", "bundle", *args],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
        preexec_fn=before,
        check=False,
    )


def as_anyone() -> None:
    """Let the mode of files count, for root too."""
    if os.geteuid() == 0:
        for capability in (_OVERRIDE, _SEARCH):
            ctypes.CDLL(None).prctl(_DROP, capability)


def written(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (root / "built").iterdir()}


def refused(root: Path, *args: str, before: Callable[[], object] | None = None) -> list[str]:
    """Bundle, and return the lines of the one error; what was written before is still there."""
    previous = written(root)
    done = run(root, *args, before=before)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("error: ") == 1
    assert written(root) == previous
    # What is said when it takes long is no part of the error.
    return [line for line in done.stderr.splitlines() if not line.startswith("building ")]


def test_asset_of_200_mb(project: Path) -> None:
    with (project / "views" / "big.png").open("wb") as file:
        file.truncate(200 * 10**6)
    (project / "views" / "chart.html").write_text(f"{HEAD}<img src=big.png>")
    assert refused(project) == [
        'error: "big.png" has 200.0 MB, and a View takes 33.6 MB',
        "  --> views/chart.html:3:10",
        "  |",
        "3 | <img src=big.png>",
        "  |          ^^^^^^^",
        " help: a host loads the whole View at once: link to it, or shrink it",
    ]


@pytest.mark.node
def test_asset_of_200_mb_that_a_module_imports(project: Path) -> None:
    (project / "node_modules").symlink_to(PEERS, target_is_directory=True)
    with (project / "views" / "big.png").open("wb") as file:
        file.truncate(200 * 10**6)
    (project / "views" / "chart.html").write_text(f"{HEAD}<script type=module src=a.ts></script>")
    (project / "views" / "a.ts").write_text("import big from './big.png'; draw(big as string)")
    lines = refused(project)
    assert lines[0] == 'error: "big.png" has 200.0 MB, and a View takes 33.6 MB'
    assert lines[1] == "  --> views/a.ts:1:17"


@pytest.mark.parametrize("markup", ["<img src=a.png>", "<script src=a.png></script>"])
def test_loop_of_links(project: Path, markup: str) -> None:
    (project / "views" / "a.png").symlink_to("b.png")
    (project / "views" / "b.png").symlink_to("a.png")
    (project / "views" / "chart.html").write_text(HEAD + markup)
    lines = refused(project)
    assert lines[0].startswith('error: "a.png" cannot be read: ')
    assert lines[1] == f"  --> views/chart.html:3:{markup.index('a.png') + 1}"


def test_circle_of_sheets(project: Path) -> None:
    (project / "views" / "chart.html").write_text(f"{HEAD}<link rel=stylesheet href=a.css>")
    (project / "views" / "a.css").write_text('@import "b.css";')
    (project / "views" / "b.css").write_text('p {}\n@import "a.css";')
    lines = refused(project)
    assert lines[:2] == ["error: style sheets import each other", "  --> views/b.css:2:10"]


@pytest.mark.node
def test_circle_of_modules_is_built_as_browsers_run_it(project: Path) -> None:
    (project / "node_modules").symlink_to(PEERS, target_is_directory=True)
    (project / "views" / "chart.html").write_text(f"{HEAD}<script type=module src=a.ts></script>")
    (project / "views" / "a.ts").write_text("import { b } from './b'; export const a = () => b()")
    (project / "views" / "b.ts").write_text("import { a } from './a'; export const b = () => a")
    assert run(project).returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="modes of folders mean nothing there")
@pytest.mark.parametrize("what", ["page", "script", "folder"])
def test_what_may_not_be_read_or_written(project: Path, what: str) -> None:
    chart, script, built = (
        *(project / "views" / name for name in ("chart.html", "a.js")),
        project / "built",
    )
    chart.write_text(f"{HEAD}<script src=a.js></script>")
    script.write_text("new_one()")
    path = {"page": chart, "script": script, "folder": built}[what]
    mode = path.stat().st_mode
    path.chmod(0o555 if what == "folder" else 0)
    try:
        lines = refused(project, before=as_anyone)
    finally:
        path.chmod(mode)
    meant = {
        "page": ('"views/chart.html" cannot be read: permission denied', None),
        "script": ('"a.js" cannot be read', " help: check its permissions"),
        "folder": (
            f'"{built / "chart.html"}" cannot be written: permission denied',
            " help: check the folder, or pass --out",
        ),
    }
    message, advice = meant[what]
    assert lines[0] == f"error: {message}"
    assert advice is None or lines[-1] == advice


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of a file's size there")
def test_full_disk(project: Path) -> None:
    import resource

    (project / "views" / "chart.html").write_text(f"{HEAD}{'<p>new' * 1000}")
    lines = refused(project, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)))
    assert (
        lines[0] == f'error: "{project / "built" / "chart.html"}" cannot be written: file too large'
    )


def test_two_views_of_one_name(project: Path) -> None:
    table = PROJECT.replace("views.table", "views.chart")
    (project / "pyproject.toml").write_text(table)
    assert "pyproject.toml" in refused(project)[0]
    (project / "pyproject.toml").write_text(PROJECT.replace("views.table", "views.Chart"))
    assert refused(project)[0] == ('error: Views "chart" and "Chart" would be written to one file')


@pytest.mark.parametrize("entry", ["views", "views/gone.html"])
def test_page_that_is_no_file(project: Path, entry: str) -> None:
    (project / "pyproject.toml").write_text(PROJECT.replace("views/chart.html", entry))
    assert f'"{entry}" ' in refused(project)[0]


@pytest.mark.parametrize(
    ("script", "first"),
    [
        ("foo(1;", 'error: ")" is missing'),
        ('import "./gone.js"', 'error: "./gone.js" does not exist'),
        ('import { a } from "../../a.js"', 'error: "../../a.js" does not exist'),
    ],
)
def test_script_that_cannot_be_used(project: Path, script: str, first: str) -> None:
    (project / "views" / "chart.html").write_text(f"{HEAD}<script type=module>{script}</script>")
    lines = refused(project)
    assert lines[0] == first
    assert lines[3] == f"3 | <script type=module>{script}</script>"
    assert "^" in lines[4]
