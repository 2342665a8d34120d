"""The report as SARIF 2.1.0, which code scanning services read."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import quote

from mcpapps_cli import __version__
from mcpapps_cli.lint.registry import all_rules
from mcpapps_cli.lint.rule import Rule
from mcpapps_cli.model import Finding, Report, Severity

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final[dict[Severity, str]] = {"error": "error", "warning": "warning", "info": "note"}
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def sarif(report: Report) -> str:
    """Return the report as one SARIF log with one run."""
    names = list(dict.fromkeys(finding.rule for finding in report.findings))
    known = {rule.name: rule for rule in all_rules()}
    told = [skip for skip in report.not_checked if not skip.minor]
    run = {
        "tool": {
            "driver": {
                "name": "mcpapps",
                "version": __version__,
                "semanticVersion": __version__,
                "informationUri": "https://modelcontextprotocol.io/extensions/apps",
                "rules": [_rule(name, known.get(name)) for name in names],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, names.index(finding.rule)) for finding in report.findings],
        "invocations": [
            {
                "executionSuccessful": not told,
                "toolExecutionNotifications": [
                    {
                        "level": "note" if skip.minor else "error",
                        "message": {"text": f"not checked: {skip.subject}: {skip.reason}"},
                    }
                    for skip in report.not_checked
                ],
            }
        ],
    }
    text = json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)
    return text


def _rule(name: str, rule: Rule | None) -> dict[str, Any]:
    if rule is None:
        return {"id": name}
    address = next((one for one in rule.source if one.startswith("https://")), None)
    return {
        "id": rule.name,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.why},
        "help": {"text": f"{rule.fix}. Sources: {'; '.join(rule.source)}"},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"code": rule.code},
        **({} if address is None else {"helpUri": address}),
    }


def _result(finding: Finding, index: int) -> dict[str, Any]:
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{_plain(finding.message)}. Help: {_plain(finding.help)}"},
        "locations": [_location(finding)],
    }


def _location(finding: Finding) -> dict[str, Any]:
    position = finding.position or finding.declared
    logical = {
        "name": _plain(finding.subject),
        "fullyQualifiedName": _plain(finding.pointer or finding.subject),
    }
    if position is None:
        return {"logicalLocations": [logical]}
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(position.path)},
            "region": {
                "startLine": position.line,
                "startColumn": position.column,
                "endColumn": position.column + position.length,
            },
        },
        "logicalLocations": [logical],
    }


def _uri(path: str) -> str:
    safe = "/:@?=&~!$'()*,;+%-._"
    return quote(_plain(path if "://" in path else PurePosixPath(path).as_posix()), safe=safe)


def _plain(value: str) -> str:
    return _SURROGATE.sub("\ufffd", value)
