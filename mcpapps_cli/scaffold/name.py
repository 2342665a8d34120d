"""Names that a project, its package and its folder can have on every system."""

from __future__ import annotations

import keyword
import re
import sys
import unicodedata
from typing import Final

from mcpapps_cli.errors import UserError

_NAME: Final = re.compile(r"[A-Za-z](?:[A-Za-z0-9_-]*[A-Za-z0-9])?")
_LONGEST_NAME: Final = 64
_KEYWORDS: Final = frozenset(word.lower() for word in keyword.kwlist)
_DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}
)
# Imported by a project or by the tools that it is developed with.
_PACKAGES: Final = frozenset(
    {"test", "mcp", "mcp_types", "mcpapps", "mcpapps_cli", "fastmcp", "pydantic", "pydantic_core"}
    | {"anyio", "httpx", "httpx2", "starlette", "uvicorn", "typing_extensions", "pytest", "pip"}
)
# Letters that are no letter with an accent.
_SPELLED: Final = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"}
)
# Folders of a project, or ignored by its .gitignore and so lost from its wheel.
_FOLDERS: Final = frozenset({"tests", "views", "dist", "build", "node_modules"})


def module_name(name: str) -> str:
    """Return the package that a project called `name` has."""
    return name.replace("-", "_")


def check_name(name: str) -> None:
    """Accept `name` as a project's and, with `_` for `-`, as its package's name.

    Raises:
        UserError: It is not an identifier, is reserved, or would shadow a module.
    """
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        near = _nearest(name)
        raise UserError(
            f'"{name}" is not usable as a project name',
            help=f"pass a name, such as --name {near}"
            if near
            else "use ASCII letters, digits, - and _, starting with a letter",
        )
    fault = _fault(module_name(name))
    if fault:
        raise UserError(fault, help=f"choose another name, such as --name {name}-app")


def _fault(module: str) -> str | None:
    # Some file systems, and so some imports, do not tell case.
    lower = module.lower()
    if lower in _KEYWORDS:
        return f'"{module}" is a Python keyword'
    if lower in _DEVICES:
        return f'"{module}" is the name of a Windows device'
    if lower in sys.stdlib_module_names or lower in _PACKAGES:
        return f'a package "{module}" would shadow the module "{lower}"'
    if lower in _FOLDERS:
        return f'a project has a folder "{lower}" of its own'
    return None


def ascii_word(text: str, *, longest: int = _LONGEST_NAME) -> str:
    """Return what is nearest to `text` of ASCII letters, digits, - and _; it may be empty."""
    # Letters lose their accents rather than become hyphens.
    plain = unicodedata.normalize("NFKD", text.translate(_SPELLED)).encode("ascii", "ignore")
    return re.sub(r"[^A-Za-z0-9_]+", "-", plain.decode()).strip("-_")[:longest].strip("-_")


def _nearest(name: str) -> str | None:
    cleaned = ascii_word(name, longest=_LONGEST_NAME // 2)
    if not cleaned:
        return None
    if not _NAME.fullmatch(cleaned):
        return f"app-{cleaned}"
    return f"{cleaned}-app" if _fault(module_name(cleaned)) else cleaned
