"""The report as JUnit XML: a failure for each finding."""

from __future__ import annotations

from mcpapps_cli.junit import Case, Failure, junit_document
from mcpapps_cli.model import Finding, Report, Severity

_LEVELS: tuple[Severity, ...] = ("error", "warning")


def junit(report: Report) -> str:
    """Return one test case per finding and per thing unchecked; one that passes without any.

    Errors and warnings fail; notes are in the output of a case that passes.
    """
    cases = [_case(finding) for finding in report.findings]
    cases += [Case(skip.subject, "not-checked", skipped=skip.reason) for skip in report.not_checked]
    return junit_document("mcpapps lint", cases or [Case("server", "lint")])


def _case(finding: Finding) -> Case:
    position = finding.position
    where = finding.pointer or finding.subject
    if position is not None:
        where = f"{position.path}:{position.line}:{position.column}"
    text = f"{where}\n{finding.message}\nhelp: {finding.help}"
    if finding.severity not in _LEVELS:
        return Case(finding.subject, finding.rule, output=text)
    message = f"{finding.severity}: {finding.message}"
    return Case(finding.subject, finding.rule, Failure(finding.severity, message, text))
