"""`mcpapps lint`: read what a server sends, check it, and print a report."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from mcpapps_cli import console
from mcpapps_cli.config import read_project
from mcpapps_cli.errors import ExitStatus, McpAppsError, UserError
from mcpapps_cli.inventory import load_inventory, save_inventory, take_inventory
from mcpapps_cli.lint.engine import report_status, run_rules
from mcpapps_cli.lint.formats import FORMATS, error_json, no_ui_tool
from mcpapps_cli.lint.registry import find_rule
from mcpapps_cli.model import EraChoice, Inventory, Project


def lint(
    project: Callable[[], Project],
    *,
    inventory: Path | None = None,
    save: Path | None = None,
    format_: str = "text",
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    era: EraChoice = "auto",
    timeout: float = 15.0,
) -> ExitStatus:
    """Check a server and write the report to stdout.

    Args:
        project: Gives the project whose server is checked; not called with `inventory`.
        inventory: A saved inventory, checked in place of a live server.
        save: Where to save what the server sent.
        format_: `text`, `concise` or `json`.
        select: The only rules to run, by name or code.
        ignore: Rules not to run.
        era: Which handshake to use.
        timeout: Seconds the server has for the start and for each answer.

    Returns:
        OK, FINDINGS for an error or something that could not be checked, USAGE for an error
        that was written as JSON, BUG when a rule failed.

    Raises:
        McpAppsError: Something the user can fix; with `json` it is written as JSON instead.
    """
    if format_ not in FORMATS:
        raise UserError(f'"{format_}" is not a format', help=f"use {', '.join(FORMATS)}")
    try:
        for name in (*select, *ignore):
            # A wrong name is told before the server is started.
            find_rule(name)
        checked, found = _read(project, inventory, era, timeout)
        if save is not None:
            save_inventory(found, save)
        report = run_rules(
            found, project=checked, select=select, ignore=ignore, jobs=min(os.cpu_count() or 1, 4)
        )
    except McpAppsError as exc:
        if format_ != "json":
            raise
        console.out(error_json(exc))
        return ExitStatus.USAGE
    if text := FORMATS[format_](report):
        console.out(text)
    if not report.ui_tools and format_ != "text":
        console.note(no_ui_tool(report), "warning")
    return report_status(report)


def _read(
    project: Callable[[], Project], inventory: Path | None, era: EraChoice, timeout: float
) -> tuple[Project, Inventory]:
    if inventory is not None:
        # The ignores of the project around here count, as they did when it was saved.
        return read_project(Path.cwd()), load_inventory(inventory)
    checked = project()
    assert checked.server is not None
    if checked.server.why:
        console.note(checked.server.why, "dim")
    return checked, asyncio.run(take_inventory(checked.server, era=era, timeout=timeout))
