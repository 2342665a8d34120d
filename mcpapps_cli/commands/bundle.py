"""`mcpapps bundle`: turn Views into self-contained pages."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, NamedTuple, cast

from mcpapps_cli import console
from mcpapps_cli.bundle import EngineMissing, Toolchain, build_bundle, check_bundle, write_bundle
from mcpapps_cli.bundle.output import output_paths
from mcpapps_cli.commands.bundle_report import Built, report_json, rows
from mcpapps_cli.commands.error_json import end_with, error_json
from mcpapps_cli.config import read_project
from mcpapps_cli.config.building import ENGINES, POLICIES, TRIMS, parse_size
from mcpapps_cli.errors import ExitStatus, McpAppsError, UserError
from mcpapps_cli.files import shown
from mcpapps_cli.frame import frame
from mcpapps_cli.model import Bundle, Project, View
from mcpapps_cli.words import count

if TYPE_CHECKING:
    from mcpapps_cli.model import Engine, PolicyMode

_PATIENCE = 1.0
"""Seconds after which it is said what is being done."""


class _Wish(NamedTuple):
    """What the command line asks for beside the Views."""

    check: bool
    out: Path | None
    format_: str
    fetch: bool
    amend: Callable[[View], View]


def bundle(
    names: Sequence[str] = (),
    *,
    check: bool = False,
    out: Path | None = None,
    folder: Path | None = None,
    watch: bool = False,
    format_: str = "text",
    engine: str | None = None,
    esbuild: Path | None = None,
    fetch: bool = False,
    policy: str | None = None,
    allow_external: bool = False,
    trim: Sequence[str] = (),
    max_size: str | None = None,
) -> ExitStatus:
    """Bundle the Views of a project, or compare what is written with what would be.

    Every View is built before anything is written.

    Args:
        names: Which Views. Default: all.
        check: Write nothing; a View that is out of date gives exit code 1.
        out: Where to write. Default: the project's `out`.
        folder: A folder of the project. Default: the current one.
        watch: Build again whenever a file changes, until interrupted.
        format_: `text` or `json`.
        engine: In the place of every View's own.
        esbuild: The executable to use.
        fetch: Whether esbuild may be fetched when it is needed and there is none.
        policy: In the place of every View's own.
        allow_external: As if every View allowed it.
        trim: In addition to every View's own.
        max_size: In the place of every View's own.

    Raises:
        UserError: The project, a name, a View or the output folder cannot be used; with `json`
            it is written as JSON instead.
    """
    wish = _Wish(
        check=check,
        out=out,
        format_=format_,
        fetch=fetch,
        amend=_amendment(engine, policy, allow_external, trim, max_size),
    )
    start = (folder or Path.cwd()).resolve()
    with Toolchain(esbuild=esbuild, keep=watch) as toolchain:
        if watch:
            # Nothing else here needs it.
            import asyncio

            asyncio.run(_watch(start, names, wish, toolchain))
        try:
            return _once(start, names, wish, toolchain)
        except McpAppsError as exc:
            return end_with(exc, format_)


def _once(start: Path, names: Sequence[str], wish: _Wish, toolchain: Toolchain) -> ExitStatus:
    began = time.monotonic()
    project = read_project(start)
    target = (wish.out or project.out).resolve()
    views = [wish.amend(view) for view in _choose(project, names)]
    _refuse_collisions(views, target)
    bundles = [_build(view, project, wish, toolchain) for view in views]
    for each in bundles if wish.format_ == "text" else ():
        for notice in each.notices:
            console.warning(notice.message)
            console.note(frame(notice.position))
            console.note(f" help: {notice.help}")
    if wish.check:
        return _check(views, bundles, target, wish.format_)
    for each in bundles:
        write_bundle(each, target)
    built = _described(views, bundles, target)
    if wish.format_ == "json":
        console.out(report_json(built))
        return ExitStatus.OK
    for line in rows(built):
        console.out(line)
    for made in built:
        for hint in made.bundle.hints:
            console.note(f"{made.view.name}: {hint}")
    number = count(len(views), "View")
    console.note(f"\nBundled {number} in {time.monotonic() - began:.2f} s.")
    return ExitStatus.OK


def _build(view: View, project: Project, wish: _Wish, toolchain: Toolchain) -> Bundle:
    with _told(f"building {view.name} …"):
        try:
            return build_bundle(view, root=project.root, toolchain=toolchain)
        except EngineMissing as exc:
            if not (wish.fetch or _agreed(exc)):
                raise
    _fetch(view)
    with _told(f"building {view.name} …"):
        return build_bundle(view, root=project.root, toolchain=toolchain)


def _agreed(missing: EngineMissing) -> bool:
    if not console.is_terminal():
        return False
    console.note(f"{missing.message}.")
    answer = console.ask("Fetch it once into the cache (5 MB), yes or no?", "no")
    return answer.lower() in ("y", "yes")


def _fetch(view: View) -> None:
    from mcpapps_cli.bundle.esbuild.fetch import fetch_esbuild

    path = fetch_esbuild(
        view.entry.parent, on_way=lambda way: console.note(f"fetching esbuild {way} …", "dim")
    )
    console.note(f"esbuild is kept as {path}", "dim")


async def _watch(start: Path, names: Sequence[str], wish: _Wish, toolchain: Toolchain) -> None:
    """Build at once and after every change, until interrupted."""
    from mcpapps_cli.dev.watch import Watcher

    project = read_project(start)
    project = replace(project, out=(wish.out or project.out).resolve())
    watcher = Watcher(project, on_note=partial(console.note, style="dim"))
    try:
        # Nothing has changed yet, but from now on no save is missed.
        await watcher.begin()
        _once_more(start, names, wish, toolchain)
        console.note(f"\nWatching {shown(project.root)}/ …", "dim")
        async for _ in watcher.changes():
            _once_more(start, names, wish, toolchain)
    finally:
        await watcher.close()
    raise UserError(f'"{project.root}" does not exist any more', help="start it elsewhere")


def _once_more(start: Path, names: Sequence[str], wish: _Wish, toolchain: Toolchain) -> None:
    """Build; after an error what was written last stays."""
    try:
        _once(start, names, wish, toolchain)
    except McpAppsError as exc:
        console.out(error_json(exc)) if wish.format_ == "json" else console.error(exc)


@contextmanager
def _told(text: str, *, after: float = _PATIENCE) -> Iterator[None]:
    """Say what is being done, when it takes longer than `after` seconds."""
    timer = Timer(after, console.note, (text, "dim"))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _described(views: Sequence[View], bundles: Sequence[Bundle], out: Path) -> list[Built]:
    return [
        Built(
            view,
            bundle,
            shown(view.entry),
            shown(output_paths(view.name, out)[0]),
        )
        for view, bundle in zip(views, bundles, strict=True)
    ]


def _check(views: Sequence[View], bundles: Sequence[Bundle], out: Path, format_: str) -> ExitStatus:
    states = {built.view: check_bundle(built, out) for built in bundles}
    fresh = all(state == "fresh" for state in states.values())
    if format_ == "json":
        console.out(report_json(_described(views, bundles, out), dict(states)))
        return ExitStatus.OK if fresh else ExitStatus.FINDINGS
    for name, state in states.items():
        page, _ = output_paths(name, out)
        if state == "fresh":
            console.out(f"{shown(page)} is up to date.")
            continue
        fault = {
            "stale": "is out of date",
            "missing": "does not exist",
            "other-version": "was built by another version of mcpapps or esbuild",
        }[state]
        console.out(f'{shown(page)} {fault}; run "mcpapps bundle".')
    return ExitStatus.OK if fresh else ExitStatus.FINDINGS


def _amendment(
    engine: str | None,
    policy: str | None,
    allow_external: bool,
    trim: Sequence[str],
    max_size: str | None,
) -> Callable[[View], View]:
    if engine is not None:
        _one_of(engine, ENGINES, "engine")
    if policy is not None:
        _one_of(policy, POLICIES, "policy")
    for name in trim:
        _one_of(name, TRIMS, "part to trim")
    limit = parse_size(max_size) if max_size is not None else None
    if max_size is not None and limit is None:
        raise UserError(f'"{max_size}" is no size', help='write it as "500 kB"')

    def amend(view: View) -> View:
        own = view.building
        building = replace(
            own,
            engine=cast("Engine", engine) if engine else own.engine,
            policy=cast("PolicyMode", policy) if policy else own.policy,
            allow_external=allow_external or own.allow_external,
            trim=tuple(dict.fromkeys((*own.trim, *trim))),
            max_size=limit if limit is not None else own.max_size,
        )
        return replace(view, building=building)

    return amend


def _one_of(value: str, choices: Sequence[str], noun: str) -> None:
    if value not in choices:
        close = get_close_matches(value, choices, 1)
        advice = f'did you mean "{close[0]}"?' if close else f"use {', '.join(choices)}"
        raise UserError(f'no {noun} "{value}"', help=advice)


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
                f'the bundle of "{view.name}" would replace its own page "{shown(page)}"',
                help="choose another out, or move the page",
            )
        # Some file systems do not tell case.
        other = seen.setdefault(view.name.casefold(), view.name)
        if other != view.name:
            raise UserError(
                f'Views "{other}" and "{view.name}" would be written to one file',
                help="rename one of them",
            )
