"""The project file as text: where it is, and a table of a View added to it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

from mcpapps_cli.errors import ConfigError, UserError

_TABLE: Final = """\
entry = "{entry}"
uri = "{uri}"
prefers-border = true
# Empty lists say "nothing from outside"; some hosts warn when the lists are missing.
csp = {{ connectDomains = [], resourceDomains = [], frameDomains = [], baseUriDomains = [] }}

"""


def find_project_file(root: Path) -> Path:
    """Return the file that has the project's settings.

    Raises:
        UserError: There is no project.
    """
    if (root / "mcpapps.toml").is_file():
        return root / "mcpapps.toml"
    file = root / "pyproject.toml"
    if file.is_file() and "mcpapps" in tomllib.loads(read_text(file)).get("tool", {}):
        return file
    raise UserError(
        f'"{root.name or root}" is no project',
        help="start one with mcpapps new, or add [tool.mcpapps] to its pyproject.toml",
    )


def read_text(file: Path) -> str:
    """Return the text of a file, its line ends as they are.

    Raises:
        UserError: It cannot be read, or is not UTF-8.
    """
    try:
        return file.read_bytes().decode("utf-8")
    except UnicodeDecodeError as exc:
        raise UserError(
            f'"{file.name}" is not UTF-8 at byte {exc.start}', help="save it as UTF-8"
        ) from exc
    except OSError as exc:
        reason = (exc.strerror or str(exc)).lower()
        raise UserError(f'"{file}" cannot be read: {reason}', help="check the file") from exc


def with_view(text: str, file_name: str, name: str, *, entry: str, uri: str) -> str:
    """Return the text of a project file with the table of one more View.

    What is in the file stays as it is.

    Args:
        text: The file's text.
        file_name: `pyproject.toml`, where the settings are under `tool.mcpapps`, or another.
        name: The View's name.
        entry: Its page, from the project's folder.
        uri: Its `ui://` URI.

    Raises:
        ConfigError: The file has its Views in a form to which no table can be added.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    keys = ("tool", "mcpapps") if file_name == "pyproject.toml" else ()
    table = tomlkit.table()
    for word, item in tomlkit.parse(_TABLE.format(entry=entry, uri=uri)).body:
        table.append(word, item)
    try:
        document = tomlkit.parse(text)
        settings: Any = document
        for key in keys:
            settings = settings[key]
        views = settings.get("views")
        if views is None:
            views = tomlkit.table(is_super_table=True)
            settings.add("views", views)
            views = settings["views"]
        views.add(name, table)
        after = tomlkit.dumps(document)
    except (TOMLKitError, TypeError, AttributeError, ValueError) as exc:
        raise _refusal(file_name, keys, name, entry, uri) from exc
    # Between tables there is a line, at the end of the file there is none.
    header = f"[{'.'.join((*keys, 'views', name))}]\n"
    start, _, rest = after.replace("\r\n", "\n").partition(header)
    after = f"{start.rstrip()}\n\n{header}{rest.rstrip()}\n".lstrip()
    if "\r\n" in text:
        after = after.replace("\n", "\r\n")
    if not _is_only_addition(text, after, (*keys, "views", name)):
        raise _refusal(file_name, keys, name, entry, uri)
    return after


def _is_only_addition(before: str, after: str, path: tuple[str, ...]) -> bool:
    old, new = tomllib.loads(before), tomllib.loads(after)
    *parents, name = path
    inner: Any = new
    for key in parents:
        inner = inner[key]
    inner.pop(name)
    mine: Any = old
    for key in parents[:-1]:
        mine = mine[key]
    mine.setdefault(parents[-1], {})
    return old == new


def _refusal(file_name: str, keys: tuple[str, ...], name: str, entry: str, uri: str) -> ConfigError:
    header = ".".join((*keys, "views", name))
    return ConfigError(
        f'"{file_name}" has its Views in a form to which no table can be added',
        help="add these lines yourself",
        details=(f"[{header}]", f'entry = "{entry}"', f'uri = "{uri}"'),
    )
