"""The templates: folders that are real projects, and their text under another name.

A template is a folder of `scaffolds_dir()` and a real project called `hello-app` that runs as it
stands. It holds text files only. A new project is a copy in which that name is replaced, and a
leading `_git` becomes `.git`, because git would obey a `.gitignore` inside a template.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mcpapps_cli.errors import UserError
from mcpapps_cli.resources import scaffolds_dir
from mcpapps_cli.scaffold.name import module_name

DEFAULT_TEMPLATE: Final = "vanilla"
_ABOUT: Final = "_template.toml"
_PROJECT: Final = "hello-app"
_MODULE: Final = "hello_app"
_URI: Final = f"ui://{_PROJECT}/"
_PLACEHOLDER: Final = re.compile(f"{_URI}|{_PROJECT}|{_MODULE}")

# What running a template in place leaves behind; never part of it.
_LEFTOVERS: Final = frozenset(
    {"__pycache__", ".venv", ".pytest_cache", ".ruff_cache", ".mypy_cache", ".mcpapps", "dist"}
    | {"node_modules", "uv.lock", ".DS_Store"}
)


@dataclass(frozen=True, slots=True)
class Template:
    """A folder of `scaffolds_dir()`.

    Attributes:
        name: The folder's name, which `--template` takes.
        summary: One line without a full stop.
        folder: Where it is.
    """

    name: str
    summary: str
    folder: Path


def list_templates(folder: Path | None = None) -> tuple[Template, ...]:
    """Return the templates of `folder` (default `scaffolds_dir()`), the default one first."""
    found = [
        Template(
            about.parent.name, tomllib.loads(about.read_text("utf-8"))["summary"], about.parent
        )
        for about in (folder or scaffolds_dir()).glob(f"*/{_ABOUT}")
    ]
    return tuple(sorted(found, key=lambda each: (each.name != DEFAULT_TEMPLATE, each.name)))


def find_template(name: str, templates: Sequence[Template] | None = None) -> Template:
    """Return the template called `name`.

    Raises:
        UserError: There is none; the help names the closest one.
    """
    known = {each.name: each for each in (list_templates() if templates is None else templates)}
    if name in known:
        return known[name]
    closest = difflib.get_close_matches(name, known, n=1)
    advice = f'did you mean "{closest[0]}"?' if closest else f"there is {', '.join(known)}"
    raise UserError(f'no template "{name}"', help=advice)


def read_files(template: Template, name: str) -> Iterator[tuple[str, str]]:
    """Yield relative path and text of every file that a project called `name` starts with."""
    for path in template.folder.rglob("*"):
        relative = path.relative_to(template.folder)
        leftover = any(part in _LEFTOVERS or part.endswith(".egg-info") for part in relative.parts)
        if not path.is_file() or leftover or relative.as_posix() == _ABOUT:
            continue
        text = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
        yield _rename(_dot_git(relative.as_posix()), name), _rename(text, name)


def _dot_git(path: str) -> str:
    folder, slash, file = path.rpartition("/")
    return f"{folder}{slash}.{file[1:]}" if file.startswith("_git") else path


def _rename(text: str, name: str) -> str:
    # The authority of a URI has no case, and one library or another lowers it. One pass, for a
    # name may contain the placeholder.
    new = {_URI: f"ui://{name.lower()}/", _PROJECT: name, _MODULE: module_name(name)}
    return _PLACEHOLDER.sub(lambda match: new[match[0]], text)
