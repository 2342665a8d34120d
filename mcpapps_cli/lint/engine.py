"""Runs the rules over an inventory and makes one report of what they find."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal

from mcpapps_cli.errors import ConfigError, ExitStatus, UserError
from mcpapps_cli.lint.declared import with_declarations
from mcpapps_cli.lint.found import INTERNAL_CODE as INTERNAL_CODE
from mcpapps_cli.lint.found import INTERNAL_ERROR as INTERNAL_ERROR
from mcpapps_cli.lint.found import MESSAGE_CHARS as MESSAGE_CHARS
from mcpapps_cli.lint.found import Found
from mcpapps_cli.lint.matrix import matrix
from mcpapps_cli.lint.observed import NOTHING, Observed
from mcpapps_cli.lint.pages import read_pages
from mcpapps_cli.lint.registry import all_rules, find_rule
from mcpapps_cli.lint.rule import Rule, Subject
from mcpapps_cli.model import Finding, Inventory, Project, Report, Severity


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
    ignored = () if project is None else _project_ignores(known, project.lint_ignore)
    chosen = _choose(known, select, ignore)
    subject = Subject(inventory, project, observed, frozenset(profiles))
    found = Found()
    for rule in chosen:
        if rule.evidence != "static":
            found.take(rule, subject)
    static = tuple(rule for rule in chosen if rule.evidence == "static")
    found.add(read_pages(subject, static, jobs=jobs if rules is None else 1))
    hits = {finding.rule for finding in found.findings}
    kept = [finding for finding in found.findings if finding.rule not in ignored]
    ordered = sorted(dict.fromkeys(kept), key=_order)
    findings = tuple(with_declarations(ordered, observed.sources))
    skips = dict.fromkeys((*inventory.unread, *found.skips))
    return Report(
        findings=findings,
        not_checked=tuple(skip for skip in skips if skip.subject not in found.explained),
        rules=sum(rule.name not in ignored for rule in chosen),
        tools=len(inventory.tools),
        resources=sum(resource.html is not None for resource in inventory.resources),
        ui_tools=len(subject.ui_tools),
        unused_ignores=tuple(
            name for name in ignored if name not in hits and any(r.name == name for r in chosen)
        ),
        matrix=matrix(subject, profiles, findings) if profiles else (),
    )


def report_status(
    report: Report,
    *,
    fail_on: Severity | Literal["never"] = "error",
    allow_skips: bool = False,
    require_ui: bool = False,
) -> ExitStatus:
    """Return how `lint` ends.

    Args:
        report: What was found.
        fail_on: The mildest severity that counts as a failure.
        allow_skips: Whether what could not be checked is no failure.
        require_ui: Whether a server without a tool that has a View is a failure.

    Returns:
        BUG for a fault of ours, USAGE when nothing could be checked, FINDINGS for a failure.
    """
    if any(finding.rule == INTERNAL_ERROR for finding in report.findings):
        return ExitStatus.BUG
    skips = [skip for skip in report.not_checked if not skip.minor]
    if skips and not report.tools and not report.resources:
        return ExitStatus.USAGE
    worst = _SEVERITIES.get(fail_on, -1)
    failed = any(_SEVERITIES[finding.severity] <= worst for finding in report.findings)
    if failed or (skips and not allow_skips) or (require_ui and not report.ui_tools):
        return ExitStatus.FINDINGS
    return ExitStatus.OK


_SEVERITIES: Final = {"error": 0, "warning": 1, "info": 2}


def _choose(
    known: tuple[Rule, ...], select: Sequence[str], ignore: Sequence[str]
) -> tuple[Rule, ...]:
    wanted = {find_rule(name, known).name for name in select}
    unwanted = {find_rule(name, known).name for name in ignore}
    return tuple(
        rule for rule in known if rule.name not in unwanted and (not wanted or rule.name in wanted)
    )


def _project_ignores(known: tuple[Rule, ...], names: Iterable[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    faults: list[str] = []
    for name in names:
        try:
            found[find_rule(name, known).name] = None
        except UserError as exc:
            faults.append(f"{exc.message}, {exc.help}")
    if faults:
        raise ConfigError(
            "[tool.mcpapps.lint] ignore names rules that do not exist",
            help="see mcpapps explain --list",
            details=tuple(faults),
        )
    return tuple(found)


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
