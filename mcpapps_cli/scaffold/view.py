"""A further View of a project: its page, style and script, and its table in the project file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from mcpapps_cli.errors import UserError
from mcpapps_cli.model import FileAction, Plan, Project
from mcpapps_cli.resources import scaffolds_dir
from mcpapps_cli.scaffold.name import ascii_word
from mcpapps_cli.scaffold.project_file import find_project_file, read_text, with_view

_FOLDER: Final = "_view"
_NAME: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?")
_LONGEST_NAME: Final = 64


def plan_view(project: Project, name: str) -> Plan:
    """Return what adding a View to a project would write, its bundle not included.

    Args:
        project: The project as its file says it.
        name: The View's name: letters, digits, - and _, since it becomes a file name and a URI.

    Raises:
        UserError: The name is not usable or taken, a file is in the way, or there is no project.
    """
    file = find_project_file(project.root)
    _check_name(project, name)
    folder = _pages(project) / name
    entry = (folder / "index.html").relative_to(project.root).as_posix()
    before = read_text(file)
    after = with_view(before, file.name, name, entry=entry, uri=_uri(project, name))
    actions = [
        FileAction("create", path.relative_to(project.root).as_posix(), text)
        for path, text in _files(folder, name)
    ]
    bundle = (project.out / f"{name}{suffix}" for suffix in (".html", ".json"))
    for path in (*(project.root / action.path for action in actions), *bundle):
        if path.exists():
            raise UserError(f'"{_shown(project, path)}" exists', help="choose another name")
    return Plan(project.root, _FOLDER, (*actions, FileAction("edit", file.name, after)))


def title(name: str) -> str:
    """Return a name as people read it: `Sea state` for `sea-state`."""
    words = re.sub(r"[_-]+", " ", name).strip()
    return words[:1].upper() + words[1:]


def _check_name(project: Project, name: str) -> None:
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        near = ascii_word(name, longest=_LONGEST_NAME)
        raise UserError(
            f'"{name}" is not usable as the name of a View',
            help=f"use {near}" if near else "use ASCII letters, digits, - and _",
        )
    for view in project.views:
        # Some file systems do not tell case.
        if view.name.casefold() == name.casefold():
            page = _shown(project, view.entry)
            raise UserError(f'View "{view.name}" exists', help=f"its page is {page}")


def _files(folder: Path, name: str) -> list[tuple[Path, str]]:
    new = {"Hello view": title(name), "hello-view": name}
    pattern = re.compile("|".join(new))
    source = scaffolds_dir() / _FOLDER
    return [
        (
            folder / path.name,
            pattern.sub(lambda match: new[match[0]], path.read_bytes().decode("utf-8")),
        )
        for path in sorted(source.iterdir())
        if path.suffix in (".html", ".css", ".js")
    ]


def _pages(project: Project) -> Path:
    """Return the folder in which the project has a folder for each View."""
    for view in project.views:
        parent = view.entry.parent.parent
        if view.entry.parent.name == view.name and parent.is_relative_to(project.root):
            return parent
    return project.root / "views"


def _uri(project: Project, name: str) -> str:
    """Return a URI beside those of the project's other Views."""
    for view in project.views:
        start, slash, last = view.uri.rpartition("/")
        if slash and not start.endswith("/"):
            return f"{start}/{name}{'.html' if last.endswith('.html') else ''}"
    authority = re.sub(r"[^a-z0-9-]+", "-", project.name.lower()).strip("-")
    return f"ui://{authority or 'app'}/{name}.html"


def _shown(project: Project, path: Path) -> str:
    return (
        path.relative_to(project.root).as_posix()
        if path.is_relative_to(project.root)
        else path.as_posix()
    )
