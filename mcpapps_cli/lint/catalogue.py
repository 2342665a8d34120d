"""All rules as one page and as JSON, made from the rules themselves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from mcpapps_cli.lint.rule import Evidence, Rule

_AREAS: Final = {
    "1": "Tools and their links to Views",
    "2": "Origins, permissions and the policy",
    "3": "The document and its body",
    "4": "Handshake, messages and handlers",
    "5": "Results and the tools behind them",
    "6": "What a sandboxed frame does not have",
    "7": "Size and theme",
}
_EVIDENCE: Final[dict[Evidence, str]] = {
    "wire": "the server's answers",
    "static": "the served page",
    "call": "a sample call",
    "run": "a browser (`--run`)",
    "source": "the project's files",
}


def rules_page(rules: Sequence[Rule]) -> str:
    """Return the page `docs/rules.md`."""
    lines = [
        "# Rules",
        "",
        f"{len(rules)} rules, made from the code by `python scripts/lib/rules_page.py`. "
        "`mcpapps explain RULE` shows one of them in the terminal.",
        "",
        "A rule that reads the served page sees what is written in it: a literal argument of a "
        "known call is exact, and what is guessed from other text is never an error.",
    ]
    for digit, title in _AREAS.items():
        group = [rule for rule in rules if rule.code[2] == digit]
        lines += ["", f"## {title}", ""]
        for rule in group:
            lines += _section(rule)
    return "\n".join(lines).rstrip("\n") + "\n"


def _section(rule: Rule) -> list[str]:
    reads = ", ".join(_EVIDENCE[one] for one in (rule.evidence, *rule.also))
    return [
        f"### {rule.name}",
        "",
        f"{rule.code}, {rule.severity}; reads {reads}.",
        "",
        rule.summary,
        f"{rule.why} {rule.fix[:1].upper()}{rule.fix[1:]}.",
        "",
        "Bad:",
        "",
        *_block(rule.bad.shown),
        "",
        "Good:",
        "",
        *_block(rule.good.shown),
        "",
        "Stands on " + "; ".join(_linked(one) for one in rule.source) + ".",
        "",
    ]


def _block(text: str) -> list[str]:
    return ["```text", *(line.rstrip() for line in text.splitlines()), "```"]


def _linked(source: str) -> str:
    if not source.startswith("https://github.com/"):
        return f"<{source}>" if source.startswith("https://") else source
    owner, name, *rest = source.removeprefix("https://github.com/").split("/")
    number = rest[1] if len(rest) > 1 and rest[0] in ("issues", "pull") else ""
    return f"[{owner}/{name}{'#' + number if number else ''}]({source})"


def rules_json(rules: Sequence[Rule]) -> str:
    """Return what a program wants to know of every rule."""
    return json.dumps({"version": 1, "rules": [_rule_json(rule) for rule in rules]}, indent=2)


def _rule_json(rule: Rule) -> dict[str, Any]:
    return {
        "name": rule.name,
        "code": rule.code,
        "severity": rule.severity,
        "summary": rule.summary,
        "why": rule.why,
        "fix": rule.fix,
        "source": list(rule.source),
        "evidence": [rule.evidence, *rule.also],
        "since": rule.since,
        "bad": rule.bad.shown,
        "good": rule.good.shown,
    }
