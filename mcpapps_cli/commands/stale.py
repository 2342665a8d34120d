"""Tells when a server serves a page that is not what its View's sources would give now."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mcpapps_cli.errors import McpAppsError
from mcpapps_cli.files import is_file
from mcpapps_cli.model import Project, Skip, View

_MOST: Final = 2000
_SCRIPTS: Final = frozenset({".js", ".mjs", ".ts", ".tsx", ".jsx"})
_NO_SOURCES: Final = frozenset({"node_modules", "__pycache__", "dist"})


def old_bundles(project: Project) -> tuple[Skip, ...]:
    """Return what must be said of each View whose page was bundled before its last change.

    A View is built only when a file beside its entry may be newer than the page.
    """
    return tuple(
        skip
        for view in project.views
        if (project.out / f"{view.name}.html").is_file()
        and _may_be_newer(view.entry.parent, (project.out / f"{view.name}.html").stat().st_mtime)
        and (skip := _look(view, project)) is not None
    )


def _look(view: View, project: Project) -> Skip | None:
    from mcpapps_cli.bundle import EngineMissing, Toolchain, build_bundle, check_bundle
    from mcpapps_cli.bundle.source import BRIDGE

    subject = f'view "{view.name}"'
    try:
        with Toolchain() as toolchain:
            state = check_bundle(
                build_bundle(view, root=project.root, toolchain=toolchain), project.out
            )
    except EngineMissing:
        if (wrong := _wrong_import(view.entry.parent)) is not None:
            return Skip(subject, f'its sources import "{wrong}"; the bridge is "{BRIDGE}"')
        return Skip(subject, "its sources are newer than its page; run mcpapps bundle", minor=True)
    except McpAppsError as exc:
        reason = f"its sources cannot be bundled, so an older page was checked: {exc.message}"
        return Skip(subject, reason)
    if state != "stale":
        return None
    return Skip(
        subject, "an older page than its sources was checked; run mcpapps bundle", minor=True
    )


def _wrong_import(folder: Path) -> str | None:
    from mcpapps_cli.bundle.source import BRIDGE
    from mcpapps_cli.markup.js import imports

    scheme = BRIDGE.partition(":")[0] + ":"
    for path in _files(folder):
        if path.suffix in _SCRIPTS and is_file(path):
            for found in imports(path.read_text(encoding="utf-8", errors="replace")):
                if found.specifier.startswith(scheme) and found.specifier != BRIDGE:
                    return found.specifier
    return None


def _may_be_newer(folder: Path, time: float) -> bool:
    for path in _files(folder):
        try:
            found = path.stat().st_mtime
        except OSError:
            # A link to nothing, as Emacs makes one beside each file with changes.
            continue
        # Some file systems tell times in whole seconds.
        if found > time or found == time == int(time):
            return True
    return False


def _files(folder: Path) -> Iterator[Path]:
    count = 0
    for parent, folders, names in os.walk(folder):
        folders[:] = [one for one in folders if one not in _NO_SOURCES and one[0] != "."]
        for name in names:
            count += 1
            if count > _MOST:
                return
            yield Path(parent, name)
