"""Runs the rules over an inventory and makes one report of what they find."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from mcpapps_cli.errors import ConfigError, ExitStatus, UserError
from mcpapps_cli.lint.registry import all_rules, find_rule
from mcpapps_cli.lint.rule import Fault, Rule, Subject
from mcpapps_cli.model import Finding, Inventory, Project, Report

INTERNAL_ERROR = "internal-error"
INTERNAL_CODE = "MA000"
MESSAGE_CHARS = 400


def run_rules(
    inventory: Inventory,
    *,
    project: Project | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    rules: Sequence[Rule] | None = None,
) -> Report:
    """Return what the rules find; a rule that raises becomes a finding of its own.

    Args:
        inventory: What the server sent.
        project: Its `lint_ignore` counts like `ignore`.
        select: Names or codes of the only rules to run. Default: all.
        ignore: Names or codes of rules not to run.
        rules: The rules there are. Default: every rule of `lint/rules`.

    Raises:
        UserError: A name that no rule has, in an option or in the project file.
    """
    known = all_rules() if rules is None else tuple(rules)
    chosen = _choose(known, project, select, ignore)
    subject = Subject(inventory, project)
    findings: list[Finding] = []
    explained: set[str] = set()
    for rule in chosen:
        findings += _findings(rule, subject, explained)
    return Report(
        findings=tuple(sorted(dict.fromkeys(findings), key=_order)),
        not_checked=tuple(skip for skip in inventory.unread if skip.subject not in explained),
        rules=len(chosen),
        tools=len(inventory.tools),
        resources=sum(resource.html is not None for resource in inventory.resources),
        ui_tools=len(subject.ui_tools),
    )


def report_status(report: Report) -> ExitStatus:
    """Return how `lint` ends: 3 for a fault of ours, 1 for an error or something unchecked."""
    if any(finding.rule == INTERNAL_ERROR for finding in report.findings):
        return ExitStatus.BUG
    if report.not_checked or any(finding.severity == "error" for finding in report.findings):
        return ExitStatus.FINDINGS
    return ExitStatus.OK


def _choose(
    known: tuple[Rule, ...], project: Project | None, select: Sequence[str], ignore: Sequence[str]
) -> tuple[Rule, ...]:
    wanted = {find_rule(name, known).name for name in select}
    unwanted = {find_rule(name, known).name for name in ignore}
    if project is not None:
        unwanted |= _project_ignores(known, project.lint_ignore)
    return tuple(
        rule for rule in known if rule.name not in unwanted and (not wanted or rule.name in wanted)
    )


def _project_ignores(known: tuple[Rule, ...], names: Iterable[str]) -> set[str]:
    found: set[str] = set()
    faults: list[str] = []
    for name in names:
        try:
            found.add(find_rule(name, known).name)
        except UserError as exc:
            faults.append(f"{exc.message}, {exc.help}")
    if faults:
        raise ConfigError(
            "[tool.mcpapps.lint] ignore names rules that do not exist",
            help="see mcpapps explain --list",
            details=tuple(faults),
        )
    return found


def _findings(rule: Rule, subject: Subject, explained: set[str]) -> list[Finding]:
    found: list[Finding] = []
    try:
        for fault in rule.check(subject):
            found.append(_finding(rule, fault))
            if fault.explains is not None:
                explained.add(fault.explains)
    except Exception as exc:
        found.append(_internal(rule, exc))
    return found


def _finding(rule: Rule, fault: Fault) -> Finding:
    place = fault.place
    return Finding(
        rule=rule.name,
        code=rule.code,
        severity=fault.severity or rule.severity,
        subject=place.subject,
        message=_clip(fault.message),
        help=fault.help or rule.fix,
        pointer=place.pointer,
        position=place.position,
        excerpt=place.excerpt,
    )


def _clip(message: str) -> str:
    # A message quotes what a server sent, which may be of any length.
    if len(message) <= MESSAGE_CHARS:
        return message
    return message[: MESSAGE_CHARS - 1] + "…"


def _internal(rule: Rule, exc: Exception) -> Finding:
    last = traceback.extract_tb(exc.__traceback__)[-1]
    where = f"{PurePath(last.filename).name}:{last.lineno}"
    return Finding(
        rule=INTERNAL_ERROR,
        code=INTERNAL_CODE,
        severity="error",
        subject=rule.name,
        message=f'rule "{rule.name}" failed: {type(exc).__name__}: {exc} in {where}',
        help=f"this is a bug in mcpapps; --ignore {rule.name} leaves the rule out",
        pointer=f"rules/{rule.name}#",
    )


def _order(finding: Finding) -> tuple[object, ...]:
    position = finding.position
    place = (0, 0) if position is None else (position.line, position.column)
    return (
        finding.subject,
        position.path if position else "",
        *place,
        finding.pointer or "",
        finding.code,
        finding.message,
    )
