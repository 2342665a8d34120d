"""The templates: folders that are real projects, and their text under another name.

A template is a folder of `scaffolds_dir()` and a real project called `hello-app` that runs as it
stands. It holds text files only. A new project is a copy in which that name is replaced, and a
leading `_git` becomes `.git`, because git would obey a `.gitignore` inside a template.

A template may stand on several SDKs: `_template.toml` says which, and what each is called as a
dependency. `server_mcp1.py` is then what `server.py` is on `mcp1`, and runs beside it.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

from mcpapps_cli.errors import UserError
from mcpapps_cli.resources import scaffolds_dir
from mcpapps_cli.scaffold.name import module_name

DEFAULT_TEMPLATE: Final = "vanilla"
DEFAULT_SDK: Final = "mcp"
SDKS: Final[Mapping[str, str]] = {
    "mcp": "the official SDK, 2.x",
    "fastmcp": "FastMCP",
    "mcp1": "the official SDK, 1.x",
}
"""What a server can stand on, by the name that `--sdk` takes."""
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
        sdks: The requirement of each SDK that it can stand on, the default one first; empty
            when it has one server only.
    """

    name: str
    summary: str
    folder: Path
    sdks: Mapping[str, str] = field(default_factory=dict)


def list_templates(folder: Path | None = None) -> tuple[Template, ...]:
    """Return the templates of `folder` (default `scaffolds_dir()`), the default one first."""
    found = [_read(about) for about in (folder or scaffolds_dir()).glob(f"*/{_ABOUT}")]
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


def check_sdk(template: Template, sdk: str, templates: Sequence[Template] | None = None) -> None:
    """Accept an SDK that there is, and that the template has a server for.

    Raises:
        UserError: There is no such SDK, or the template has none; the help names those that have.
    """
    if sdk not in SDKS:
        closest = difflib.get_close_matches(sdk, SDKS, n=1)
        advice = f'did you mean "{closest[0]}"?' if closest else f"there is {', '.join(SDKS)}"
        raise UserError(f'no SDK "{sdk}"', help=advice)
    if sdk == DEFAULT_SDK or sdk in template.sdks:
        return
    known = list_templates() if templates is None else templates
    having = " or ".join(f"--template {each.name}" for each in known if sdk in each.sdks)
    raise UserError(
        f'the template "{template.name}" has no server for "{sdk}"',
        help=f"use {having}, or leave --sdk away" if having else "leave --sdk away",
    )


def read_files(
    template: Template, name: str, *, sdk: str = DEFAULT_SDK
) -> Iterator[tuple[str, str]]:
    """Yield relative path and text of every file that a project called `name` starts with.

    Args:
        template: What to copy.
        name: The project's name.
        sdk: What its server stands on; see `check_sdk`.
    """
    files = {path.relative_to(template.folder).as_posix(): path for path in _files(template)}
    for relative, path in files.items():
        if _is_variant(relative, template):
            continue
        theirs = files.get(str(_variant(PurePosixPath(relative), sdk)), path)
        text = theirs.read_bytes().decode("utf-8").replace("\r\n", "\n")
        if relative == "pyproject.toml" and sdk in template.sdks:
            text = text.replace(template.sdks[DEFAULT_SDK], template.sdks[sdk])
        yield _rename(_dot_git(relative), name), _rename(text, name)


def _read(about: Path) -> Template:
    said = tomllib.loads(about.read_text("utf-8"))
    return Template(about.parent.name, said["summary"], about.parent, said.get("sdks", {}))


def _files(template: Template) -> Iterator[Path]:
    for path in template.folder.rglob("*"):
        relative = path.relative_to(template.folder)
        leftover = any(part in _LEFTOVERS or part.endswith(".egg-info") for part in relative.parts)
        if path.is_file() and not leftover and relative.as_posix() != _ABOUT:
            yield path


def _variant(path: PurePosixPath, sdk: str) -> PurePosixPath:
    return path.with_stem(f"{path.stem}_{sdk}")


def _is_variant(relative: str, template: Template) -> bool:
    return PurePosixPath(relative).stem.endswith(tuple(f"_{sdk}" for sdk in template.sdks))


def _dot_git(path: str) -> str:
    folder, slash, file = path.rpartition("/")
    return f"{folder}{slash}.{file[1:]}" if file.startswith("_git") else path


def _rename(text: str, name: str) -> str:
    # The authority of a URI has no case, and one library or another lowers it. One pass, for a
    # name may contain the placeholder.
    new = {_URI: f"ui://{name.lower()}/", _PROJECT: name, _MODULE: module_name(name)}
    return _PLACEHOLDER.sub(lambda match: new[match[0]], text)
