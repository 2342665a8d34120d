"""What a rule finds in an example, in short."""

from __future__ import annotations

from typing import Any

from mcpapps_cli.lint import run_rules
from mcpapps_cli.lint.rule import URI, Example, resource, server
from mcpapps_cli.model import Report

READ = f"resources/read/{URI}#/contents/0"
LIST = f"resources/list/{URI}#"
LINK = "tools/chart#/_meta/ui/resourceUri"
CDN = "https://cdn.example.com"


def csp(**lists: object) -> dict[str, object]:
    return {"csp": lists, "prefersBorder": True}


def report_of(example: Example, **options: Any) -> Report:
    return run_rules(
        example.inventory,
        project=example.project,
        observed=example.observed,
        profiles=example.profiles,
        **options,
    )


def found(rule: str, example: Example) -> list[tuple[str, str, str]]:
    """Severity, pointer or `line:column+length`, and message of each finding of a rule."""
    report = report_of(example, select=[rule])
    return [
        (
            one.severity,
            one.pointer or f"{one.position.line}:{one.position.column}+{one.position.length}",  # type: ignore[union-attr]
            one.message,
        )
        for one in report.findings
    ]


def messages(rule: str, example: Example) -> list[str]:
    return [message for _, _, message in found(rule, example)]


def places(rule: str, html: str) -> list[str]:
    return [place for _, place, _ in found(rule, server(resource(html=html)))]
