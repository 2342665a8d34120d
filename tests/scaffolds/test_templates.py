"""Every template, as somebody gets it."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from mcpapps_cli import embed
from mcpapps_cli.bundle import build_bundle, check_bundle
from mcpapps_cli.config import read_project
from mcpapps_cli.scaffold import Template, list_templates, plan_files, write_plan

TEMPLATES = {each.name: each for each in list_templates()}


@pytest.fixture(params=TEMPLATES, scope="module")
def template(request: pytest.FixtureRequest) -> Template:
    return TEMPLATES[request.param]


@pytest.fixture(scope="module")
def project(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("new") / "My-Weather2"
    write_plan(plan_files(template, target, target.name))
    return target


def run(*args: str, cwd: Path) -> None:
    done = subprocess.run(
        [sys.executable, *args],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", TEMPLATES)
def test_committed_bundles_are_fresh_in_the_template_itself(name: str) -> None:
    project = read_project(TEMPLATES[name].folder)
    states = {
        view.name: check_bundle(build_bundle(view, root=project.root), project.out)
        for view in project.views
    }
    assert set(states.values()) == {"fresh"}, states


def test_bundles_are_fresh_under_another_name(project: Path) -> None:
    run("-m", "mcpapps_cli", "bundle", "--check", cwd=project)


def test_its_own_tests_pass(project: Path) -> None:
    run("-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=project)


def test_lint_has_nothing_to_say(project: Path) -> None:
    run("-m", "mcpapps_cli", "lint", cwd=project)


def test_nothing_of_the_placeholder_is_left(project: Path) -> None:
    for path in project.rglob("*"):
        text = path.read_text("utf-8") if path.is_file() else ""
        for word in ("hello_app", "hello-app", "_git"):
            assert word not in path.name
            assert word not in text, path


def test_everything_is_lf_and_text(project: Path) -> None:
    for path in project.rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            assert b"\r" not in path.read_bytes(), path


def test_types_for_editors_are_those_of_the_bridge(template: Template) -> None:
    types = (template.folder / "mcpapps-env.d.ts").read_text("utf-8")
    assert types == embed.environment_types()


def test_wheel_of_a_project_carries_the_view(project: Path, tmp_path: Path) -> None:
    run("-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path), cwd=project)
    [wheel] = tmp_path.glob("*.whl")
    declared = read_project(project)
    built = declared.out.relative_to(project).as_posix()
    pair = {
        f"{built}/{view.name}.{suffix}" for view in declared.views for suffix in ("html", "json")
    }
    assert pair <= set(zipfile.ZipFile(wheel).namelist())


def test_bundle_is_inside_the_package_and_kept_by_git(project: Path) -> None:
    declared = read_project(project)
    ignored = (project / ".gitignore").read_text("utf-8").splitlines()
    attributes = (project / ".gitattributes").read_text("utf-8")
    package = "My_Weather2"
    assert declared.out.is_relative_to(project / package)
    assert f"{declared.out.relative_to(project).as_posix()}/* -text" in attributes
    assert not {part for part in declared.out.parts if f"{part}/" in ignored}
