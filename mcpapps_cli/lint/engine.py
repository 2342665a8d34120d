"""Runs the rules over an inventory and makes one report of what they find."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mcpapps_cli.errors import ConfigError, ExitStatus, UserError
from mcpapps_cli.lint.found import INTERNAL_CODE as INTERNAL_CODE
from mcpapps_cli.lint.found import INTERNAL_ERROR as INTERNAL_ERROR
from mcpapps_cli.lint.found import MESSAGE_CHARS as MESSAGE_CHARS
from mcpapps_cli.lint.found import Found
from mcpapps_cli.lint.observed import NOTHING, Observed
from mcpapps_cli.lint.pages import read_pages
from mcpapps_cli.lint.registry import all_rules, find_rule
from mcpapps_cli.lint.rule import Rule, Subject
from mcpapps_cli.model import Finding, Inventory, Project, Report


def run_rules(
    inventory: Inventory,
    *,
    project: Project | None = None,
    observed: Observed = NOTHING,
    profiles: Sequence[str] = (),
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    rules: Sequence[Rule] | None = None,
    jobs: int = 1,
) -> Report:
    """Return what the rules find; a rule that raises becomes a finding of its own.

    Args:
        inventory: What the server sent.
        project: Its `lint_ignore` counts like `ignore`.
        observed: What was seen beside the inventory.
        profiles: Names of hosts whose own limits count too.
        select: Names or codes of the only rules to run. Default: all.
        ignore: Names or codes of rules not to run.
        rules: The rules there are. Default: every rule of `lint/rules`.
        jobs: How many processes may read pages at once, when they are many. With more than 1 the
            main module must be guarded as `multiprocessing` asks for.

    Raises:
        UserError: A name that no rule has, in an option or in the project file.
    """
    known = all_rules() if rules is None else tuple(rules)
    chosen = _choose(known, project, select, ignore)
    subject = Subject(inventory, project, observed, frozenset(profiles))
    found = Found()
    for rule in chosen:
        if rule.evidence != "static":
            found.take(rule, subject)
    static = tuple(rule for rule in chosen if rule.evidence == "static")
    found.add(read_pages(subject, static, jobs=jobs if rules is None else 1))
    skips = dict.fromkeys((*inventory.unread, *found.skips))
    return Report(
        findings=tuple(sorted(dict.fromkeys(found.findings), key=_order)),
        not_checked=tuple(skip for skip in skips if skip.subject not in found.explained),
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
