"""`mcpapps lint`: read what a server sends, check it, and print a report."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mcpapps_cli import console
from mcpapps_cli.commands.error_json import end_with
from mcpapps_cli.commands.stale import old_bundles
from mcpapps_cli.config import read_project
from mcpapps_cli.config.options import sample_calls
from mcpapps_cli.errors import ExitStatus, McpAppsError, UserError
from mcpapps_cli.inventory import load_inventory, save_inventory
from mcpapps_cli.lint.collect import Wanted, collect
from mcpapps_cli.lint.engine import report_status, run_rules
from mcpapps_cli.lint.formats import FORMATS, no_ui_tool
from mcpapps_cli.lint.matrix import check_profile, profiles_from
from mcpapps_cli.lint.observed import Observed
from mcpapps_cli.lint.project import look_at_project
from mcpapps_cli.lint.registry import find_rule
from mcpapps_cli.model import EraChoice, Inventory, Project, Report, SampleCall, Skip
from mcpapps_cli.words import count

_FAIL_ON = ("error", "warning", "info", "never")


@dataclass(frozen=True, slots=True)
class Options:
    """What `lint` was asked for.

    Attributes:
        inventory: A saved inventory, checked in place of a live server.
        save: Where to save what the server sent.
        format: A name in `lint.formats.FORMATS`.
        select: The only rules to run, by name or code.
        ignore: Rules not to run.
        calls: Sample calls as `TOOL=JSON`, beside those of the project.
        run: Whether to mount the Views in a browser.
        profiles: Hosts whose own limits count too.
        fail_on: The mildest severity that makes exit code 1, or `never`.
        allow_skips: Whether what could not be checked is no failure.
        require_ui: Whether a server without a tool that has a View is a failure.
        baseline: A saved inventory that the pages are compared with.
        wheel: The wheel that must carry the Views.
        network: Whether to ask for the files that pages load from elsewhere.
        fix: Whether to correct the project's files.
        diff: Whether to show the corrections and write nothing.
        era: Which handshake to use.
        timeout: Seconds the server has for the start and for each answer.
    """

    inventory: Path | None = None
    save: Path | None = None
    format: str = "text"
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    calls: Sequence[str] = ()
    run: bool = False
    profiles: Sequence[str] = ()
    fail_on: str = "error"
    allow_skips: bool = False
    require_ui: bool = False
    baseline: Path | None = None
    wheel: Path | None = None
    network: bool = False
    fix: bool = False
    diff: bool = False
    era: EraChoice = "auto"
    timeout: float = 15.0


def lint(project: Callable[[], Project], options: Options = Options()) -> ExitStatus:
    """Check a server and write the report to stdout.

    Args:
        project: Gives the project whose server is checked; not called with an inventory.
        options: What was asked for.

    Returns:
        OK; FINDINGS for a failure as the options define it; USAGE when nothing could be checked
        and for an error that was written as JSON; BUG when a rule failed.

    Raises:
        McpAppsError: Something the user can fix; with `json` it is written as JSON instead.
    """
    if options.format not in FORMATS:
        raise UserError(f'"{options.format}" is not a format', help=f"use {', '.join(FORMATS)}")
    try:
        report, checked = _check(project, options)
    except McpAppsError as exc:
        return end_with(exc, options.format)
    if options.fix or options.diff:
        return _repair(checked, report, options)
    if text := FORMATS[options.format](report):
        console.out(text)
    if not report.ui_tools and options.format != "text":
        console.note(no_ui_tool(report), "warning")
    if not report.ui_tools and options.require_ui:
        # Else the report may end with "All checks passed" and the exit code says otherwise.
        console.note("failed: --require-ui asks for a tool with a View", "error")
    return report_status(
        report,
        fail_on=options.fail_on,  # type: ignore[arg-type]
        allow_skips=options.allow_skips,
        require_ui=options.require_ui,
    )


def _check(project: Callable[[], Project], options: Options) -> tuple[Report, Project]:
    for name in (*options.select, *options.ignore):
        # A wrong name is told before the server is started.
        find_rule(name)
    if options.fail_on not in _FAIL_ON:
        raise UserError(
            f'"{options.fail_on}" is no severity', help=f"use one of {', '.join(_FAIL_ON)}"
        )
    profiles = profiles_from(options.profiles)
    calls = sample_calls(options.calls)
    checked, found, observed = _read(project, options, calls, profiles)
    if options.save is not None:
        verb = "overwrite" if options.save.exists() else "create"
        save_inventory(found, options.save)
        console.verb(verb, options.save.as_posix())
    observed, skips = look_at_project(
        checked,
        observed,
        pages=found.resources,
        wheel=options.wheel,
        baseline=options.baseline,
        network=options.network,
    )
    report = run_rules(
        replace(found, unread=(*found.unread, *skips)),
        project=checked,
        observed=observed,
        profiles=profiles,
        select=options.select,
        ignore=options.ignore,
        jobs=min(os.cpu_count() or 1, 4),
    )
    return report, checked


def _read(
    project: Callable[[], Project],
    options: Options,
    calls: tuple[SampleCall, ...],
    profiles: tuple[str, ...],
) -> tuple[Project, Inventory, Observed]:
    if options.inventory is not None:
        if options.run or calls:
            raise UserError(
                "a saved inventory has no server to call", help="leave --run and --call out"
            )
        # The ignores of the project around here count, as they did when it was saved.
        checked = read_project(Path.cwd())
        found = load_inventory(options.inventory)
        skips = tuple(
            Skip(f'sample call of "{call.tool}"', "a saved inventory has no server", minor=True)
            for call in checked.lint_calls
        )
        return checked, replace(found, unread=(*found.unread, *skips)), Observed()
    checked = project()
    assert checked.server is not None
    if checked.server.why:
        console.note(checked.server.why, "dim")
    host = check_profile(profiles[0]) if options.run and profiles else "spec"
    wanted = Wanted((*checked.lint_calls, *calls), options.run, host)
    found, observed = asyncio.run(
        collect(checked.server, wanted=wanted, era=options.era, timeout=options.timeout)
    )
    return checked, replace(found, unread=(*found.unread, *old_bundles(checked))), observed


def _repair(project: Project, report: Report, options: Options) -> ExitStatus:
    from mcpapps_cli.lint.fix import plan_fixes, write_fixes

    fixes = plan_fixes(project, report)
    if options.diff:
        for fix in fixes:
            console.out(fix.diff)
        console.note(f"{count(len(fixes), 'file')} would change")
        return ExitStatus.FINDINGS if fixes else ExitStatus.OK
    write_fixes(fixes)
    for fix in fixes:
        console.note(f"fixed {fix.shown}: {', '.join(fix.rules)}")
    if not fixes:
        console.note("nothing here can be fixed mechanically")
    return ExitStatus.OK
