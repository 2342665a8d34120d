"""The report as JUnit XML: a test suite for each thing checked, a failure for each finding."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from mcpapps_cli.model import Finding, Report, Severity

_LEVELS: tuple[Severity, ...] = ("error", "warning")
# XML 1.0, 2.2: what no document may hold, not even as a reference.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(report: Report) -> str:
    """Return one test case per finding and per thing unchecked; one that passes without any.

    Errors and warnings fail; notes are in the output of a case that passes.
    """
    cases = [_case(finding) for finding in report.findings]
    cases += [
        _wrapped(skip.subject, "not-checked", f"<skipped message={_quoted(skip.reason)}/>")
        for skip in report.not_checked
    ]
    cases = cases or [_wrapped("server", "lint", "")]
    failures = sum(finding.severity in _LEVELS for finding in report.findings)
    counts = f'tests="{len(cases)}" failures="{failures}" skipped="{len(report.not_checked)}"'
    return "\n".join(
        [
            '<?xml version="1.0" encoding="utf-8"?>',
            f'<testsuites name="mcpapps lint" {counts}>',
            f'  <testsuite name="mcpapps lint" errors="0" {counts}>',
            *cases,
            "  </testsuite>",
            "</testsuites>",
        ]
    )


def _case(finding: Finding) -> str:
    position = finding.position
    where = finding.pointer or finding.subject
    if position is not None:
        where = f"{position.path}:{position.line}:{position.column}"
    text = _plain(f"{where}\n{finding.message}\nhelp: {finding.help}")
    if finding.severity in _LEVELS:
        message = _quoted(f"{finding.severity}: {finding.message}")
        inside = f'<failure type="{finding.severity}" message={message}>{escape(text)}</failure>'
    else:
        inside = f"<system-out>{escape(text)}</system-out>"
    return _wrapped(finding.subject, finding.rule, inside)


def _wrapped(subject: str, name: str, inside: str) -> str:
    head = f"    <testcase classname={_quoted(subject)} name={_quoted(name)}"
    return f"{head}>{inside}</testcase>" if inside else f"{head}/>"


def _quoted(value: str) -> str:
    return quoteattr(_plain(value))


def _plain(value: str) -> str:
    return _FORBIDDEN.sub("\ufffd", value)
