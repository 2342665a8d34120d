"""What rules have found so far, and what a rule that fails becomes."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field
from pathlib import PurePath

from mcpapps_cli.lint.rule import Fault, Rule, Subject
from mcpapps_cli.model import Finding, Skip

INTERNAL_ERROR = "internal-error"
INTERNAL_CODE = "MA000"
MESSAGE_CHARS = 400


@dataclass(slots=True)
class Found:
    """The findings of some rules.

    Attributes:
        findings: In the order found.
        explained: Subjects of skips of which a finding is the reason.
        skips: What the rules could not read.
    """

    findings: list[Finding] = field(default_factory=list)
    explained: set[str] = field(default_factory=set)
    skips: list[Skip] = field(default_factory=list)

    def take(self, rule: Rule, subject: Subject) -> None:
        """Run one rule; what it raises becomes a finding, and what it yielded before counts."""
        try:
            for fault in rule.check(subject):
                self.findings.append(_finding(rule, fault))
                if fault.explains is not None:
                    self.explained.add(fault.explains)
        except Exception as exc:
            self.findings.append(_internal(rule, exc))

    def add(self, other: Found) -> None:
        """Take over what was found elsewhere."""
        self.findings += other.findings
        self.explained |= other.explained
        self.skips += other.skips


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
