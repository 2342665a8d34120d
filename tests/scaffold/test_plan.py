import os
import sys
from collections import Counter
from pathlib import Path

import pytest

from mcpapps_cli.errors import UserError
from mcpapps_cli.scaffold import (
    Template,
    check_plan,
    check_sdk,
    find_template,
    plan_files,
    write_plan,
)


@pytest.fixture
def template(tmp_path: Path) -> Template:
    folder = tmp_path / "templates" / "tiny"
    files = {
        "_template.toml": 'summary = "tiny"\n',
        "_gitignore": "dist/\n",
        "pyproject.toml": '[project]\nname = "hello-app"\nuri = "ui://hello-app/a.html"\n',
        "hello_app/__init__.py": "# hello_app, hello-app\r\n",
        "hello_app/__pycache__/x.pyc": "left over",
        "hello_app.egg-info/PKG-INFO": "left over",
    }
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())
    return Template("tiny", "tiny", folder)


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_files_carry_the_new_name_and_nothing_left_over(template: Template, tmp_path: Path) -> None:
    write_plan(plan_files(template, tmp_path / "x", "My-App"))
    assert tree(tmp_path / "x") == {
        ".gitignore": b"dist/\n",
        "pyproject.toml": b'[project]\nname = "My-App"\nuri = "ui://my-app/a.html"\n',
        "My_App/__init__.py": b"# My_App, My-App\n",
    }


def test_name_that_contains_the_placeholder_is_replaced_once(
    template: Template, tmp_path: Path
) -> None:
    write_plan(plan_files(template, tmp_path / "x", "hello-app-2"))
    files = tree(tmp_path / "x")
    assert files["pyproject.toml"] == (
        b'[project]\nname = "hello-app-2"\nuri = "ui://hello-app-2/a.html"\n'
    )
    assert "hello_app_2/__init__.py" in files


def test_planning_writes_nothing(template: Template, tmp_path: Path) -> None:
    plan = plan_files(template, tmp_path / "x", "weather")
    assert {action.verb for action in plan.actions} == {"create"}
    assert not (tmp_path / "x").exists()


def test_second_run_is_identical_and_leaves_files_alone(template: Template, tmp_path: Path) -> None:
    target = tmp_path / "x"
    write_plan(plan_files(template, target, "weather"))
    os.utime(target / "pyproject.toml", (1, 1))
    plan = plan_files(template, target, "weather")
    assert {action.verb for action in plan.actions} == {"identical"}
    check_plan(plan)
    write_plan(plan)
    assert (target / "pyproject.toml").stat().st_mtime == 1


def test_changed_file_is_a_conflict_that_names_it(template: Template, tmp_path: Path) -> None:
    target = tmp_path / "x"
    target.mkdir()
    (target / "pyproject.toml").write_text("mine")
    with pytest.raises(UserError, match="differs from the template in 1 file") as caught:
        check_plan(plan_files(template, target, "weather"))
    assert caught.value.details == ("conflict  x/pyproject.toml",)
    assert tree(target) == {"pyproject.toml": b"mine"}


def test_overwrite_replaces_the_changed_file(template: Template, tmp_path: Path) -> None:
    target = tmp_path / "x"
    target.mkdir()
    (target / "pyproject.toml").write_text("mine")
    plan = plan_files(template, target, "weather", overwrite=True)
    check_plan(plan, overwrite=True)
    write_plan(plan)
    assert Counter(action.verb for action in plan.actions) == {"create": 2, "overwrite": 1}
    assert b"weather" in (target / "pyproject.toml").read_bytes()


def test_folder_with_something_else_in_it_is_refused(template: Template, tmp_path: Path) -> None:
    target = tmp_path / "x"
    target.mkdir()
    (target / "letter.txt").write_text("mine")
    plan = plan_files(template, target, "weather")
    with pytest.raises(UserError, match='"x" is not empty') as caught:
        check_plan(plan)
    assert caught.value.details == ("exists  x/letter.txt",)
    check_plan(plan, overwrite=True)


def test_fresh_repository_counts_as_empty(template: Template, tmp_path: Path) -> None:
    (tmp_path / "x" / ".git").mkdir(parents=True)
    check_plan(plan_files(template, tmp_path / "x", "weather"))


def test_interrupted_run_is_completed(template: Template, tmp_path: Path) -> None:
    target = tmp_path / "x"
    write_plan(plan_files(template, target, "weather"))
    (target / "pyproject.toml").unlink()
    plan = plan_files(template, target, "weather")
    check_plan(plan)
    write_plan(plan)
    assert len(tree(target)) == 3


def test_file_where_a_folder_is_needed_is_refused_even_with_overwrite(
    template: Template, tmp_path: Path
) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "weather").write_text("a file")
    with pytest.raises(UserError, match='"x/weather" is a file'):
        plan_files(template, tmp_path / "x", "weather", overwrite=True)


def test_folder_where_a_file_is_needed_is_refused(template: Template, tmp_path: Path) -> None:
    (tmp_path / "x" / "pyproject.toml").mkdir(parents=True)
    with pytest.raises(UserError, match=r'"x/pyproject\.toml" is a folder'):
        plan_files(template, tmp_path / "x", "weather", overwrite=True)


def test_target_that_is_a_file_is_refused(template: Template, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("a file")
    with pytest.raises(UserError, match='"x" is a file'):
        plan_files(template, tmp_path / "x", "weather")


def test_parent_that_is_a_file_is_refused(template: Template, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("a file")
    with pytest.raises(UserError, match='"x" is a file') as caught:
        plan_files(template, tmp_path / "x" / "below", "weather")
    assert caught.value.help == "choose another folder"


def test_folder_with_too_long_a_name_is_refused(template: Template, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot use \"x{40}\" as a folder: ") as caught:
        plan_files(template, tmp_path / ("x" * 300), "weather")
    assert caught.value.help == "choose another folder"


@pytest.mark.skipif(sys.platform != "linux", reason="needs a folder that nobody may write in")
def test_folder_that_cannot_be_written_says_what_to_do(template: Template) -> None:
    plan = plan_files(template, Path("/proc/weather"), "weather")
    with pytest.raises(UserError, match=r'"/proc/weather.*" cannot be written') as caught:
        write_plan(plan)
    assert caught.value.help == "choose a folder you may write in"


def test_linked_folder_is_not_written_through(template: Template, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "weather").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    with pytest.raises(UserError, match="is a link to a folder"):
        plan_files(template, tmp_path / "x", "weather", overwrite=True)


def test_unknown_template_gets_the_closest_name(template: Template) -> None:
    with pytest.raises(UserError, match='no template "tini"') as caught:
        find_template("tini", [template])
    assert caught.value.help == 'did you mean "tiny"?'


@pytest.fixture
def several(tmp_path: Path) -> Template:
    folder = tmp_path / "templates" / "several"
    files = {
        "pyproject.toml": 'name = "hello-app"\ndependencies = ["mcp>=2"]\n',
        "hello_app/server.py": "default",
        "hello_app/server_mcp1.py": "older",
        "hello_app/server_fastmcp.py": "other",
        "README.md": "needs mcp>=2",
    }
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    sdks = {"mcp": "mcp>=2", "mcp1": "mcp<2", "fastmcp": "fastmcp"}
    return Template("several", "several", folder, sdks)


@pytest.mark.parametrize(
    ("sdk", "server", "requirement"),
    [
        ("mcp", b"default", b"mcp>=2"),
        ("mcp1", b"older", b"mcp<2"),
        ("fastmcp", b"other", b"fastmcp"),
    ],
)
def test_server_and_requirement_are_those_of_the_sdk(
    several: Template, tmp_path: Path, sdk: str, server: bytes, requirement: bytes
) -> None:
    write_plan(plan_files(several, tmp_path / "x", "weather", sdk=sdk))
    assert tree(tmp_path / "x") == {
        "pyproject.toml": b'name = "weather"\ndependencies = ["' + requirement + b'"]\n',
        "weather/server.py": server,
        "README.md": b"needs mcp>=2",
    }


def test_template_without_a_server_for_the_sdk_names_those_that_have_one(
    template: Template, several: Template
) -> None:
    check_sdk(template, "mcp", [template, several])
    check_sdk(several, "mcp1", [template, several])
    with pytest.raises(UserError, match='template "tiny" has no server for "mcp1"') as caught:
        check_sdk(template, "mcp1", [template, several])
    assert caught.value.help == "use --template several, or leave --sdk away"


@pytest.mark.parametrize(
    ("sdk", "advice"),
    [("fastmpc", 'did you mean "fastmcp"?'), ("go", "there is mcp, fastmcp, mcp1")],
)
def test_unknown_sdk_gets_the_closest_name(template: Template, sdk: str, advice: str) -> None:
    with pytest.raises(UserError, match=f'no SDK "{sdk}"') as caught:
        check_sdk(template, sdk, [template])
    assert caught.value.help == advice
