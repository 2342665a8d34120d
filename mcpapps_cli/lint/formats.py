"""The report as text: a function per format, each from a report to a string."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from mcpapps_cli.frame import frame
from mcpapps_cli.lint.engine import INTERNAL_ERROR
from mcpapps_cli.lint.matrix import matrix_text
from mcpapps_cli.model import Cell, Finding, Position, Report
from mcpapps_cli.wire import URI_SCHEME
from mcpapps_cli.words import count, safe

VERSION: Final = 1
"""Of the JSON; a change that breaks readers gives the next number."""


def text(report: Report) -> str:
    """Return the report for a reader: a frame per finding, and a last sentence that counts."""
    blocks = [_block(finding) for finding in report.findings]
    blocks += [f"not checked: {plain(s.subject)} ({plain(s.reason)})" for s in report.not_checked]
    blocks += [unused_ignore(name) for name in report.unused_ignores]
    if report.matrix:
        blocks.append(plain_lines(matrix_text(report.matrix)))
    if not report.ui_tools:
        blocks.append(no_ui_tool(report))
    last = [summary(report)]
    first = next((f for f in report.findings if f.rule != INTERNAL_ERROR), None)
    if first is not None:
        last.append(f"`mcpapps explain {first.rule}` says more.")
    return "\n\n".join([*blocks, "\n".join(last)])


def concise(report: Report) -> str:
    """Return one line per finding and per thing unchecked; empty when there is none."""
    lines = [
        f"{_where(finding)}: {finding.code} {finding.rule} {finding.severity}: "
        f"{plain(finding.message)}"
        for finding in report.findings
    ]
    lines += [
        f"{plain(skip.subject)}: not checked: {plain(skip.reason)}" for skip in report.not_checked
    ]
    return "\n".join(lines)


def as_json(report: Report) -> str:
    """Return the report as JSON, as `docs/lint.schema.json` describes it."""
    counts = _counts(report)
    return _dump(
        {
            "findings": [finding_json(finding) for finding in report.findings],
            "not_checked": [
                {"subject": skip.subject, "reason": skip.reason, "minor": skip.minor}
                for skip in report.not_checked
            ],
            "unused_ignores": list(report.unused_ignores),
            "matrix": [_cell_json(cell) for cell in report.matrix],
            "summary": {
                "errors": counts["error"],
                "warnings": counts["warning"],
                "infos": counts["info"],
                "not_checked": len(report.not_checked),
                "rules": report.rules,
                "tools": report.tools,
                "ui_tools": report.ui_tools,
                "resources": report.resources,
            },
        }
    )


def github(report: Report) -> str:
    """Return the report as workflow commands of GitHub Actions."""
    from mcpapps_cli.lint.github import github

    return github(report)


def sarif(report: Report) -> str:
    """Return the report as SARIF 2.1.0."""
    from mcpapps_cli.lint.sarif import sarif

    return sarif(report)


def junit(report: Report) -> str:
    """Return the report as JUnit XML."""
    from mcpapps_cli.lint.junit import junit

    return junit(report)


FORMATS: Final[dict[str, Callable[[Report], str]]] = {
    "text": text,
    "concise": concise,
    "json": as_json,
    "github": github,
    "sarif": sarif,
    "junit": junit,
}


def finding_json(finding: Finding) -> dict[str, Any]:
    """Return one finding as JSON has it."""
    place: dict[str, Any] = (
        {"pointer": finding.pointer}
        if finding.position is None
        else {"position": _position_json(finding.position)}
    )
    return {
        "rule": finding.rule,
        "code": finding.code,
        "severity": finding.severity,
        "subject": finding.subject,
        **place,
        **({} if finding.declared is None else {"declared": _position_json(finding.declared)}),
        "message": finding.message,
        "help": finding.help,
    }


def summary(report: Report) -> str:
    """Return the sentence that ends a report."""
    counts = _counts(report)
    seen = f"{count(report.tools, 'tool')} and {count(report.resources, 'resource')}"
    found = [
        count(counts["error"], "error"),
        count(counts["warning"], "warning"),
        count(counts["info"], "note"),
    ]
    named = [words for words in found if not words.startswith("0 ")]
    # What no tool links to is told above, and changes nothing here.
    unchecked = [skip for skip in report.not_checked if not skip.minor]
    if not named and not unchecked:
        rules = count(report.rules, "rule")
        return f"All checks passed: {rules}, {seen.replace(' and ', ', ')}."
    views = all(skip.subject.startswith(URI_SCHEME) for skip in unchecked)
    skipped = count(len(unchecked), "resource" if views else "thing")
    tail = f"; {skipped} not checked" if unchecked else ""
    return f"Found {_listed(named) or 'nothing'} in {seen}{tail}."


def no_ui_tool(report: Report) -> str:
    """Return the line that says that nothing of MCP Apps was there to check."""
    if not report.tools:
        return "NO UI TOOL: the server lists no tool."
    seen = count(report.tools, "tool")
    return f"NO UI TOOL: the server lists {seen}, none with `_meta.ui.resourceUri`."


def unused_ignore(name: str) -> str:
    """Return the line about an ignore that has nothing to ignore."""
    return f'unused ignore: "{name}" finds nothing; remove it from [tool.mcpapps.lint] ignore'


def plain_lines(value: str) -> str:
    """Return text that a terminal shows as it is, with its lines."""
    return "\n".join(plain(line) for line in value.split("\n"))


def plain(value: str) -> str:
    """Return text that a terminal shows as it is, on one line."""
    return safe(value).replace("\n", "\\x0a").replace("\t", "\\x09")


def _block(finding: Finding) -> str:
    lines = [f"{finding.severity}[{finding.code}]: {plain(finding.message)}"]
    if finding.position is not None:
        lines.append(_source_frame(finding.position))
    else:
        lines.append(f"  --> {plain(finding.pointer or '')}")
        if finding.declared is not None:
            lines.append(_source_frame(finding.declared))
        else:
            lines += _excerpt_frame(plain(finding.excerpt))
    lines += [f" help: {plain(finding.help)}", f" rule: {finding.rule}"]
    return "\n".join(lines)


def _source_frame(position: Position) -> str:
    return frame(replace(position, path=plain(position.path)))


def _excerpt_frame(excerpt: str) -> list[str]:
    if not excerpt:
        return []
    key = re.match(r'"(?:[^"\\]|\\.)*": ', excerpt)
    start = key.end() if key else 0
    carets = " " * _width(excerpt[:start]) + "^" * _width(excerpt[start:])
    return ["   |", f"   |  {excerpt}", f"   |  {carets}"]


def _width(value: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in value)


def _where(finding: Finding) -> str:
    position = finding.position
    if position is None:
        return plain(finding.pointer or finding.subject)
    return f"{plain(position.path)}:{position.line}:{position.column}"


def _counts(report: Report) -> dict[str, int]:
    counts = {"error": 0, "warning": 0, "info": 0}
    for finding in report.findings:
        counts[finding.severity] += 1
    return counts


def _position_json(position: Position) -> dict[str, Any]:
    return {
        "path": position.path,
        "line": position.line,
        "column": position.column,
        "length": position.length,
    }


def _cell_json(cell: Cell) -> dict[str, Any]:
    return {
        "uri": cell.uri,
        "profile": cell.profile,
        "verdict": cell.verdict,
        "reasons": [
            {"verdict": verdict, "message": message, "rule": rule, "source": source}
            for verdict, message, rule, source in cell.reasons
        ],
    }


def _dump(members: dict[str, Any]) -> str:
    # ASCII: half of a surrogate pair in a server's answer could not be written as UTF-8.
    return json.dumps({"version": VERSION, **members}, indent=2)


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
