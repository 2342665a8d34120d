"""`mcpapps bundle`: turn Views into self-contained pages."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from mcpapps_cli import console
from mcpapps_cli.bundle import build_bundle, check_bundle, write_bundle
from mcpapps_cli.bundle.output import output_paths
from mcpapps_cli.config import read_project
from mcpapps_cli.errors import ExitStatus, UserError
from mcpapps_cli.frame import frame
from mcpapps_cli.model import Bundle, Project, View

_NOUNS = {"script": "script", "style": "style", "image": "image"}


def bundle(
    names: Sequence[str] = (),
    *,
    check: bool = False,
    out: Path | None = None,
    folder: Path | None = None,
) -> ExitStatus:
    """Bundle the Views of a project, or compare what is written with what would be.

    Every View is built before anything is written.

    Args:
        names: Which Views. Default: all.
        check: Write nothing; a View that is out of date gives exit code 1.
        out: Where to write. Default: the project's `out`.
        folder: A folder of the project. Default: the current one.

    Raises:
        UserError: The project, a name, a View or the output folder cannot be used.
    """
    began = time.monotonic()
    project = read_project((folder or Path.cwd()).resolve())
    target = (out or project.out).resolve()
    views = _choose(project, names)
    _refuse_collisions(views, target)
    bundles = [build_bundle(view, root=project.root) for view in views]
    for each in bundles:
        for notice in each.notices:
            console.warning(notice.message)
            console.note(frame(notice.position))
            console.note(f" help: {notice.help}")
    if check:
        return _check(bundles, target)
    rows = []
    for view, built in zip(views, bundles, strict=True):
        page, _ = write_bundle(built, target)
        rows.append((view.name, f"{_shown(view.entry)} -> {_shown(page)}", built))
    width = max(len(name) for name, _, _ in rows)
    reach = max(len(way) for _, way, _ in rows)
    for name, way, built in rows:
        size = f"{built.size / 1000:.1f} kB"
        console.out(f"{name:<{width}}   {way:<{reach}}   {size:>9}   {describe_parts(built)}")
    count = f"{len(views)} View{'s' if len(views) > 1 else ''}"
    console.note(f"\nBundled {count} in {time.monotonic() - began:.2f} s.")
    return ExitStatus.OK


def describe_parts(bundle: Bundle) -> str:
    """Return what a bundle is made of, such as `2 scripts, 1 style, bridge inlined`."""
    counts = Counter(part.kind for part in bundle.inlined)
    parts = [
        f"{counts[kind]} {kind}{'s' if counts[kind] > 1 else ''}"
        for kind in ("script", "style", "image")
        if counts[kind]
    ]
    if counts["bridge"]:
        parts.append("bridge")
    inlined = f"{', '.join(parts)} inlined" if parts else "nothing to inline"
    return f"{inlined}, {len(bundle.external)} external" if bundle.external else inlined


def _check(bundles: Sequence[Bundle], out: Path) -> ExitStatus:
    status = ExitStatus.OK
    for built in bundles:
        page, _ = output_paths(built.view, out)
        state = check_bundle(built, out)
        if state == "fresh":
            console.out(f"{_shown(page)} is up to date.")
            continue
        status = ExitStatus.FINDINGS
        fault = {
            "stale": "is out of date",
            "missing": "does not exist",
            "other-version": "was built by another version of mcpapps",
        }[state]
        console.out(f'{_shown(page)} {fault}; run "mcpapps bundle".')
    return status


def _choose(project: Project, names: Sequence[str]) -> tuple[View, ...]:
    known = {view.name: view for view in project.views}
    if not known:
        raise UserError(
            f'"{project.name}" declares no View',
            help="add [tool.mcpapps.views.NAME] with entry and uri to pyproject.toml",
        )
    for name in names:
        if name not in known:
            close = get_close_matches(name, known, 1)
            advice = f'did you mean "{close[0]}"?' if close else f"there is {', '.join(known)}"
            raise UserError(f'no View "{name}"', help=advice)
    return tuple(view for view in project.views if not names or view.name in names)


def _refuse_collisions(views: Sequence[View], out: Path) -> None:
    seen: dict[str, str] = {}
    for view in views:
        page, _ = output_paths(view.name, out)
        if page == view.entry.resolve():
            raise UserError(
                f'the bundle of "{view.name}" would replace its own page "{_shown(page)}"',
                help="choose another out, or move the page",
            )
        # Some file systems do not tell case.
        other = seen.setdefault(view.name.casefold(), view.name)
        if other != view.name:
            raise UserError(
                f'Views "{other}" and "{view.name}" would be written to one file',
                help="rename one of them",
            )


def _shown(path: Path) -> str:
    try:
        return Path(os.path.relpath(path)).as_posix()
    except ValueError:
        # Another drive on Windows.
        return path.as_posix()
