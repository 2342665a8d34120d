"""`mcpapps test`: try the Views of a project in many hosts, and write a report with pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mcpapps_cli import __version__, console
from mcpapps_cli.commands.error_json import end_with
from mcpapps_cli.config.options import sample_calls
from mcpapps_cli.errors import ExitStatus, McpAppsError, UserError
from mcpapps_cli.files import shown
from mcpapps_cli.host.override import host_names, load_host
from mcpapps_cli.model import EraChoice, Project
from mcpapps_cli.testing.app import McpApp
from mcpapps_cli.testing.browser import Browser
from mcpapps_cli.testing.cell import Cell, Matrix, Size
from mcpapps_cli.testing.fault import Allowance
from mcpapps_cli.testing.inputs import plan_inputs
from mcpapps_cli.testing.loop import Held, Loop
from mcpapps_cli.testing.matrix import places, try_views
from mcpapps_cli.testing.report import (
    call_text,
    report_html,
    report_json,
    report_junit,
    untried_lines,
)
from mcpapps_cli.testing.server import open_server
from mcpapps_cli.wire import DISPLAY_MODES, THEMES
from mcpapps_cli.words import count

REPORT: Final = Path("reports/mcpapps-test.html")
"""Where the report goes, from the project's root."""
ALL: Final = "all"
_SIZE: Final = re.compile(r"(\d{2,5})(?:x(\d{2,5}))?")
_MARKS: Final[dict[str, tuple[str, console.Style]]] = {
    "passed": ("ok", "good"),
    "failed": ("FAILED", "error"),
    "skipped": ("skipped", "dim"),
}


@dataclass(frozen=True, slots=True)
class Options:
    """What `test` was asked for; an empty sequence is the default of its kind.

    Attributes:
        profiles: Hosts; `all` is every one. Default: `spec`.
        themes: Default: both.
        modes: Display modes. Default: `inline`.
        sizes: `WIDTH` or `WIDTHxHEIGHT` in CSS pixels, or `host`. Default: as the host has it.
        calls: Tool calls as `TOOL=JSON`, in place of those that the project declares.
        recordings: Files of `dev --record` whose calls are made.
        allow: What may be wrong; see `testing.fault.Allowance`.
        report: The HTML file.
        junit: A file for JUnit XML.
        format: `text` or `json`.
        era: Which handshake to use.
        timeout: Seconds the server has for the start and for each answer.
    """

    profiles: Sequence[str] = ()
    themes: Sequence[str] = ()
    modes: Sequence[str] = ()
    sizes: Sequence[str] = ()
    calls: Sequence[str] = ()
    recordings: Sequence[Path] = ()
    allow: Sequence[str] = ()
    report: Path | None = None
    junit: Path | None = None
    format: str = "text"
    era: EraChoice = "auto"
    timeout: float = 15.0


def test(project: Callable[[], Project], options: Options = Options()) -> ExitStatus:
    """Try every View in every place, and write the report.

    Args:
        project: Gives the project whose server is started.
        options: What was asked for.

    Returns:
        OK; FINDINGS when a cell failed; USAGE for an error that was written as JSON.

    Raises:
        McpAppsError: Something the user can fix; with `json` it is written as JSON instead.
    """
    try:
        resolved = project()
        matrix = _run(resolved, options)
        path = options.report or resolved.root / REPORT
        _write(path, report_html(matrix))
        if options.junit is not None:
            _write(options.junit, report_junit(matrix))
    except McpAppsError as exc:
        return end_with(exc, options.format)
    if options.format == "json":
        console.out(report_json(matrix, report=str(path)))
    else:
        _tell(matrix, path)
    return ExitStatus.FINDINGS if matrix.count("failed") else ExitStatus.OK


def _run(project: Project, options: Options) -> Matrix:
    profiles = list(options.profiles) or ["spec"]
    if ALL in profiles:
        profiles = list(host_names(project.hosts))
    for name in profiles:
        load_host(name, project.hosts)
    where = places(
        list(dict.fromkeys(profiles)),
        _words(options.themes, THEMES, THEMES, "theme"),
        _words(options.modes, DISPLAY_MODES, ("inline",), "display mode"),
        [_size(text) for text in options.sizes] or [Size()],
    )
    Allowance(options.allow)
    calls = sample_calls(options.calls)
    assert project.server is not None
    if project.server.why:
        console.note(project.server.why, "dim")
    with ExitStack() as stack:
        loop = Loop()
        stack.callback(loop.close)
        server = Held(loop, open_server(project.server, era=options.era, timeout=options.timeout))
        stack.callback(server.release)
        inputs, untried = plan_inputs(
            server.value.inventory(),
            calls=calls,
            recordings=options.recordings,
            declared=project.lint_calls,
        )
        if not inputs:
            why = f": {untried[0][0]}: {untried[0][1]}" if untried else ""
            raise UserError(
                f"there is no View to try{why}", help="name a call with --call TOOL=JSON"
            )
        browser = Browser()
        stack.callback(browser.close)
        app = McpApp(server.value, loop=loop, browser=browser, hosts=project.hosts)
        stack.callback(app.close)
        report = _Progress(len(inputs) * len(where))
        cells = try_views(
            app, inputs, where, hosts=project.hosts, allow=options.allow, report=report.take
        )
    return Matrix(project.name, cells, untried, __version__)


class _Progress:
    """Writes a line to stderr for each cell."""

    def __init__(self, total: int):
        self._total = total
        self._done = 0

    def take(self, cell: Cell) -> None:
        self._done += 1
        mark, style = _MARKS[cell.state]
        counted = f"[{self._done:>{len(str(self._total))}}/{self._total}]"
        text = f"  {counted} {call_text(cell.input)}  {cell.place}"
        console.labelled(f"{mark:>8}", f"{text}  {cell.skipped}".rstrip(), style)
        for fault in cell.faults:
            console.note(f"{'':>10}{fault}")


def _tell(matrix: Matrix, path: Path) -> None:
    for line in untried_lines(matrix):
        console.out(line)
    failed, passed = matrix.count("failed"), matrix.count("passed")
    tried = failed + passed
    cells = count(tried, "cell")
    if not tried:
        said = "Nothing was tried: every cell was skipped."
    elif failed:
        said = f"{failed} of {cells} failed."
    else:
        said = f"{'The only cell' if tried == 1 else f'All {cells}'} passed."
    console.out(said)
    console.out(f"Report: {shown(path)}")


def _words(
    given: Sequence[str], known: Sequence[str], default: Sequence[str], what: str
) -> list[str]:
    for word in given:
        if word not in known:
            raise UserError(f'"{word}" is no {what}', help=f"use {', '.join(known)}")
    return list(dict.fromkeys(given)) or list(default)


def _size(text: str) -> Size:
    if text == "host":
        return Size()
    match = _SIZE.fullmatch(text)
    if match is None:
        raise UserError(f'"{text}" is no size', help="write 320, 320x600 or host")
    return Size(int(match[1]), int(match[2]) if match[2] else None)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as exc:
        raise UserError(
            f'"{path}" cannot be written: {exc.strerror}',
            help="check the folder, or name another file",
        ) from exc
