"""What a changed file means."""

from __future__ import annotations

from pathlib import Path

import pytest
from watchfiles import Change

from mcpapps_cli.dev.watch import ChangeKind, SourceFilter, classify
from mcpapps_cli.model import Project, View

ROOT = Path("/project")
VIEW = View("chart", ROOT / "views/chart/index.html", "ui://x/chart")
PROJECT = Project(root=ROOT, name="x", out=ROOT / "x/built", views=(VIEW,))
INPUTS = {"chart": frozenset({ROOT / "views/chart/index.html", ROOT / "shared/base.css"})}


@pytest.mark.parametrize(
    ("path", "kind", "views"),
    [
        ("views/chart/index.html", ChangeKind.VIEW, ("chart",)),
        ("shared/base.css", ChangeKind.VIEW, ("chart",)),
        ("views/chart/missing-until-now.js", ChangeKind.VIEW, ("chart",)),
        ("x/server.py", ChangeKind.SERVER, ()),
        ("views/chart/server.py", ChangeKind.SERVER, ()),
        ("data/cities.json", ChangeKind.SERVER, ()),
        (".env", ChangeKind.SERVER, ()),
        ("pyproject.toml", ChangeKind.CONFIG, ()),
        ("mcpapps.toml", ChangeKind.CONFIG, ()),
        ("inner/pyproject.toml", ChangeKind.SERVER, ()),
        ("tests/test_server.py", ChangeKind.IGNORED, ()),
        ("README.md", ChangeKind.IGNORED, ()),
    ],
)
def test_a_path_has_one_meaning(path, kind, views):
    assert classify(ROOT / path, PROJECT, INPUTS) == (kind, views)


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("server.py", True),
        ("views/chart/view.js", True),
        ("x/built/chart.html", False),
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
