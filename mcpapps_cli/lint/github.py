"""The report as workflow commands of GitHub Actions: annotations in a pull request."""

from __future__ import annotations

import re

from mcpapps_cli.model import Finding, Report, Severity

# What a terminal obeys, and halves of surrogate pairs, which no file can hold.
_UNSAFE = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_COMMANDS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "notice"}


def github(report: Report) -> str:
    """Return one workflow command per finding and per thing unchecked."""
    lines = [_command(finding) for finding in report.findings]
    lines += [
        f"::{'notice' if skip.minor else 'error'} title=not checked::"
        f"{_data(f'{skip.subject}: {skip.reason}')}"
        for skip in report.not_checked
    ]
    return "\n".join(lines)


def _command(finding: Finding) -> str:
    properties = {"title": f"{finding.code} {finding.rule}"}
    position = finding.position or finding.declared
    where = "" if finding.position is not None else f"{finding.pointer or finding.subject}: "
    # Only a file of the repository can be annotated; a URI is told in the message.
    if position is not None and "://" not in position.path:
        properties |= {
            "file": position.path,
            "line": str(position.line),
            "col": str(position.column),
            "endColumn": str(position.column + position.length),
        }
    elif finding.position is not None:
        place = finding.position
        where = f"{place.path}:{place.line}:{place.column}: "
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    message = _data(f"{where}{finding.message}\nhelp: {finding.help}")
    return f"::{_COMMANDS[finding.severity]} {given}::{message}"


def _data(value: str) -> str:
    value = _UNSAFE.sub("\ufffd", value)
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")
