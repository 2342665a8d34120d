"""`mcpapps add`: a further View or tool in a project that there is."""

from __future__ import annotations

import os
from pathlib import Path

from mcpapps_cli import console
from mcpapps_cli.config import read_project
from mcpapps_cli.errors import ExitStatus, UserError
from mcpapps_cli.files import shown, text_diff
from mcpapps_cli.model import Plan, Project, View
from mcpapps_cli.scaffold import write_plan
from mcpapps_cli.scaffold.project_file import find_project_file


def add_view(
    name: str, *, folder: Path | None = None, dry_run: bool = False, diff: bool = False
) -> ExitStatus:
    """Add a View to a project and bundle it.

    Args:
        name: The View's name.
        folder: A folder of the project. Default: the current one.
        dry_run: Name the files and write nothing.
        diff: Show every line that would be written and write nothing.

    Raises:
        UserError: There is no project, the name is not usable or taken, or a file is in the way.
    """
    from mcpapps_cli.bundle import build_bundle, write_bundle
    from mcpapps_cli.bundle.output import output_paths
    from mcpapps_cli.scaffold.view import plan_view

    project = _project(folder)
    plan = plan_view(project, name)
    bundle = output_paths(name, project.out)
    if dry_run or diff:
        return _show(plan, bundle, dry_run, diff)
    write_plan(plan)
    _list(plan)
    made = next(view for view in read_project(project.root).views if view.name == name)
    write_bundle(build_bundle(made, root=project.root), project.out)
    for path in bundle:
        console.verb("create", shown(path))
    console.out(f"\nAdded the View {name}, served as {made.uri} once a tool links it.")
    console.out(f"\n  mcpapps add tool show_{_word(name)} --view {name}")
    return ExitStatus.OK


def add_tool(
    name: str,
    *,
    view: str | None = None,
    server: Path | None = None,
    folder: Path | None = None,
    dry_run: bool = False,
    diff: bool = False,
) -> ExitStatus:
    """Add a tool that is linked with a View to the project's server.

    Args:
        name: The tool's name and its function's.
        view: The View. Default: the only one of the project.
        server: The server's file. Default: what the project's command runs.
        folder: A folder of the project. Default: the current one.
        dry_run: Name the file and write nothing.
        diff: Show every line that would be written and write nothing.

    Raises:
        UserError: There is no project, the name is not usable or taken, or there is no server
            file to which a tool can be added.
    """
    from mcpapps_cli.scaffold.server_file import OtherLanguage, find_server_file
    from mcpapps_cli.scaffold.tool import choose_view, plan_tool, typescript

    project = _project(folder)
    linked = choose_view(project, view)
    try:
        file = find_server_file(project, server)
    except OtherLanguage as exc:
        page = os.path.relpath(project.out / linked.name, project.root)
        lines = typescript(name, linked, Path(page).as_posix())
        raise UserError(
            f"{exc.message}; nothing was written",
            help="paste these lines into the server, or name a Python file with --server",
            details=lines,
        ) from exc
    plan = plan_tool(project, name, linked, file)
    if dry_run or diff:
        return _show(plan, (), dry_run, diff)
    write_plan(plan)
    _list(plan)
    console.out(f"\nAdded the tool {name}, which shows the View {linked.name}.")
    _tell_unbundled(project, linked)
    return ExitStatus.OK


def _project(folder: Path | None) -> Project:
    project = read_project((folder or Path.cwd()).resolve())
    find_project_file(project.root)
    return project


def _show(plan: Plan, bundle: tuple[Path, ...], dry_run: bool, diff: bool) -> ExitStatus:
    if diff:
        for action in plan.actions:
            path = plan.target / action.path
            before = path.read_bytes().decode("utf-8") if path.exists() else None
            console.out(text_diff(before, action.text, action.path))
    if dry_run:
        _list(plan)
        for path in bundle:
            console.verb("create", shown(path))
        console.note("\nNothing was written.")
    return ExitStatus.OK


def _list(plan: Plan) -> None:
    for action in plan.actions:
        console.verb(action.verb, shown(plan.target / action.path))


def _tell_unbundled(project: Project, view: View) -> None:
    if not (project.out / f"{view.name}.json").is_file():
        console.warning(f'the View "{view.name}" has no bundle yet', "run mcpapps bundle")


def _word(name: str) -> str:
    return name.replace("-", "_").lower()
