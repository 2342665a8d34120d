"""What `lint` finds."""

from __future__ import annotations

from dataclasses import dataclass

from mcpapps_cli.model.inventory import Skip
from mcpapps_cli.model.names import Pointer, Severity, Uri, Verdict
from mcpapps_cli.model.position import Position


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault that a rule found.

    Attributes:
        rule: Kebab-case name.
        code: `MA` and three digits; for display.
        severity: `error`, `warning` or `info`.
        subject: What it is about: `tool "chart"`, a URI, or a file.
        message: One sentence without a full stop.
        help: What to do.
        pointer: Where on the wire, such as `tools/chart#/_meta/ui/resourceUri`.
        position: Where in a text; exactly one of pointer and position is set.
        excerpt: The JSON at `pointer` on one line, such as `"domain": "x"`; may be empty.
        declared: Where the project's source declares what is at `pointer`, when that was found.
    """

    rule: str
    code: str
    severity: Severity
    subject: str
    message: str
    help: str
    pointer: Pointer | None = None
    position: Position | None = None
    excerpt: str = ""
    declared: Position | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """What one host makes of one View.

    Attributes:
        uri: The View.
        profile: The host's profile.
        verdict: The worst of its reasons; `works` without one.
        reasons: Verdict, what the View needs or does, the rule if there is one, and the source.
    """

    uri: Uri
    profile: str
    verdict: Verdict
    reasons: tuple[tuple[Verdict, str, str | None, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What `lint` found.

    Attributes:
        findings: Sorted by subject, place and code.
        not_checked: What could not be checked, and why.
        rules: How many rules ran.
        tools: How many tools were checked.
        resources: How many UI resources were checked.
        ui_tools: How many tools link a View.
        unused_ignores: Rules that the project ignores and that found nothing to ignore.
        matrix: What each host that was asked for makes of each View.
    """

    findings: tuple[Finding, ...] = ()
    not_checked: tuple[Skip, ...] = ()
    rules: int = 0
    tools: int = 0
    resources: int = 0
    ui_tools: int = 0
    unused_ignores: tuple[str, ...] = ()
    matrix: tuple[Cell, ...] = ()
