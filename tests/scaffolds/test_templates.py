"""Every template, on every SDK that it has, as somebody gets it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from mcpapps_cli import embed
from mcpapps_cli.bundle import build_bundle, check_bundle
from mcpapps_cli.config import read_project
from mcpapps_cli.model import ServerSpec
from mcpapps_cli.rpc import connect
from mcpapps_cli.scaffold import DEFAULT_SDK, Template, list_templates, plan_files, write_plan
from tests.conftest import build_wheel
from tests.npm import NPM, install_packages
from tests.sdks import REQUIREMENTS, environ, new_env, sdk_env

TEMPLATES = {each.name: each for each in list_templates()}
ENVIRONMENTS = {"mcp": "mcp-2", "fastmcp": "fastmcp-4", "mcp1": "mcp-1"}
# To bundle them takes npm; to run them does not.
ON_NPM = [each for each in TEMPLATES if (TEMPLATES[each].folder / "package.json").is_file()]
CASES = [
    pytest.param(
        (each, sdk), id=f"{each}-{sdk}", marks=[pytest.mark.node] if each in ON_NPM else []
    )
    for each in TEMPLATES
    for sdk in TEMPLATES[each].sdks or (DEFAULT_SDK,)
]
PACKAGE = "My_Weather2"

Run = Callable[..., str]


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest) -> tuple[Template, str]:
    template, sdk = request.param
    return TEMPLATES[template], sdk


@pytest.fixture(scope="module")
def project(case: tuple[Template, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    template, sdk = case
    target = tmp_path_factory.mktemp("new") / "My-Weather2"
    write_plan(plan_files(template, target, target.name, sdk=sdk))
    return target


@pytest.fixture(scope="module")
def run(case: tuple[Template, str], project: Path, work: Callable[[str], Path]) -> Run:
    """Return what runs a module of the SDK's environment in the project."""
    python = work(ENVIRONMENTS[case[1]])

    def run(*args: str, cwd: Path = project) -> str:
        done = subprocess.run(
            [python, "-m", *args],
            cwd=cwd,
            capture_output=True,
            text=True,
            env=environ(python),
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


@pytest.mark.parametrize("name", sorted(TEMPLATES.keys() - ON_NPM))
def test_committed_bundles_are_fresh_in_the_template_itself(name: str) -> None:
    project = read_project(TEMPLATES[name].folder)
    states = {
        view.name: check_bundle(build_bundle(view, root=project.root), project.out)
        for view in project.views
    }
    assert set(states.values()) == {"fresh"}, states


def test_bundles_are_fresh_under_another_name(project: Path, run: Run, tmp_path: Path) -> None:
    if not (project / "package.json").exists():
        run("mcpapps_cli", "bundle", "--check")
        return
    work = tmp_path / project.name
    shutil.copytree(project, work)
    install_packages(work)
    for script in ("build", "check"):
        subprocess.run([NPM, "run", "--if-present", "--silent", script], cwd=work, check=True)
    run("mcpapps_cli", "bundle", "--check", cwd=work)
    run("mcpapps_cli", "types", "--check", cwd=work)


def test_lock_files_name_no_registry() -> None:
    for name in ON_NPM:
        packages = json.loads((TEMPLATES[name].folder / "package-lock.json").read_text("utf-8"))
        assert not [key for key, each in packages["packages"].items() if "resolved" in each]


def test_its_own_tests_pass(run: Run) -> None:
    run("pytest", "-q", "-p", "no:cacheprovider")


def test_lint_has_no_error_and_no_warning(run: Run) -> None:
    run("mcpapps_cli", "lint", "--fail-on", "warning")


def test_requirement_is_the_one_that_the_template_names(
    case: tuple[Template, str], project: Path
) -> None:
    template, sdk = case
    said = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    assert said["dependencies"] == [template.sdks.get(sdk, "mcp>=2.3,<3")]


def test_nothing_of_the_placeholder_or_of_another_sdk_is_left(project: Path) -> None:
    others = tuple(f"_{sdk}" for sdk in ENVIRONMENTS)
    # The project's own tests have run, and left their byte code.
    made = [path for path in project.rglob("*") if "__pycache__" not in path.parts]
    for path in made:
        text = path.read_text("utf-8") if path.is_file() else ""
        assert not path.stem.endswith(others)
        for word in ("hello_app", "hello-app", "_git"):
            assert word not in path.name
            assert word not in text, path


def test_everything_is_lf_and_text(project: Path) -> None:
    for path in project.rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            assert b"\r" not in path.read_bytes(), path


def test_types_for_editors_are_those_of_the_bridge(project: Path) -> None:
    types = (project / "mcpapps-env.d.ts").read_text("utf-8")
    assert types == embed.environment_types()


def test_bundle_is_inside_the_package_and_kept_by_git(project: Path) -> None:
    declared = read_project(project)
    ignored = (project / ".gitignore").read_text("utf-8").splitlines()
    attributes = (project / ".gitattributes").read_text("utf-8")
    assert declared.out.is_relative_to(project / PACKAGE)
    assert f"{declared.out.relative_to(project).as_posix()}/* -text" in attributes
    assert not {part for part in declared.out.parts if f"{part}/" in ignored}


@pytest.mark.parametrize("name", TEMPLATES)
def test_wheel_of_a_project_carries_the_view(name: str, tmp_path: Path) -> None:
    project = tmp_path / "My-Weather2"
    write_plan(plan_files(TEMPLATES[name], project, project.name))
    build_wheel(project, tmp_path)
    [wheel] = tmp_path.glob("*.whl")
    declared = read_project(project)
    built = declared.out.relative_to(project).as_posix()
    pair = {
        f"{built}/{view.name}.{suffix}" for view in declared.views for suffix in ("html", "json")
    }
    assert pair <= set(zipfile.ZipFile(wheel).namelist())


@pytest.mark.anyio
async def test_wheel_of_a_project_serves_its_view_where_it_is_installed(tmp_path: Path) -> None:
    project = tmp_path / "My-Weather2"
    write_plan(plan_files(TEMPLATES["vanilla"], project, project.name))
    page = (project / PACKAGE / "built" / "daylight.html").read_text("utf-8")
    # hatchling is here; pip would fetch it into an environment of its own.
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    command += ["--no-build-isolation", "--wheel-dir", str(tmp_path), str(project)]
    subprocess.run(command, check=True)
    [wheel] = tmp_path.glob("*.whl")
    python = new_env(tmp_path / "elsewhere", REQUIREMENTS["mcp-2"], str(wheel))
    shutil.rmtree(project)
    server = ServerSpec(command=(str(python.with_name("My-Weather2")),), cwd=tmp_path)
    async with connect(server, timeout=60) as client:
        [listing] = await client.list_resources()
        [content] = (await client.read_resource(listing["uri"]))["contents"]
        result = await client.call_tool("show_daylight", {"place": "Oslo", "month": 6})
    assert content["text"] == page
    assert result["structuredContent"]["place"] == "Oslo"


@pytest.mark.parametrize("sdk", ENVIRONMENTS)
def test_a_view_and_a_tool_can_be_added(
    sdk: str, work: Callable[[str], Path], tmp_path: Path
) -> None:
    project = tmp_path / "My-Weather2"
    write_plan(plan_files(TEMPLATES["vanilla"], project, project.name, sdk=sdk))
    python = work(ENVIRONMENTS[sdk])

    def run(*args: str) -> str:
        command = [str(python), "-m", *args]
        done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("mcpapps_cli", "add", "view", "sea-state")
    run("mcpapps_cli", "add", "tool", "show_tides", "--view", "sea-state")
    run("mcpapps_cli", "add", "tool", "show_night", "--view", "daylight")
    run("mcpapps_cli", "bundle", "--check")
    call = ("--call", 'show_tides={"text": "high at six"}')
    checked = run("mcpapps_cli", "lint", "--fail-on", "warning", *call)
    assert "3 tools" in checked and "2 resources" in checked
    run("pytest", "-q", "-p", "no:cacheprovider")
    # The order of the file's imports and the width of its lines are what ruff wants.
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "E,F,I"]
    command += ["--line-length", "100", str(project / PACKAGE / "server.py")]
    subprocess.run(command, check=True)


@pytest.mark.browser
@pytest.mark.usefixtures("chromium")
def test_its_views_pass_in_the_host_of_the_specification(
    case: tuple[Template, str], project: Path, tmp_path: Path
) -> None:
    python = sdk_env(ENVIRONMENTS[case[1]])
    report = tmp_path / "report.html"
    options = ("--profile", "spec", "--report", str(report), "--python", str(python))
    done = subprocess.run(
        [sys.executable, "-m", "mcpapps_cli", "test", *options],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("All 2 cells passed.")
    assert report.stat().st_size > 10_000
