"""A rule as text: its explanation, and its line in the list."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from mcpapps_cli.lint.rule import Rule

_WIDTH = 92
_LABEL = 8


def explain_rule(rule: Rule) -> str:
    """Return the whole explanation of a rule."""
    blocks = [
        f"{rule.code} {rule.name}   {rule.severity}   since {rule.since}",
        textwrap.fill(rule.summary, _WIDTH),
        _labelled("Why", _wrap(rule.why)) + "\n" + _labelled("Fix", _wrap(_sentence(rule.fix))),
        _labelled("Bad", rule.bad.shown.splitlines()),
        _labelled("Good", rule.good.shown.splitlines()),
        _labelled("Spec", list(rule.source))
        + "\n"
        + _labelled("Source", [f"mcpapps_cli/lint/rules/{rule.module}.py"]),
    ]
    return "\n\n".join(blocks)


def list_rules(rules: Sequence[Rule]) -> str:
    """Return one line per rule: code, name, severity and what it is about."""
    width = max(len(rule.name) for rule in rules)
    return "\n".join(
        f"{rule.code}  {rule.name:<{width}}  {rule.severity:<7}  {rule.summary}" for rule in rules
    )


def _labelled(label: str, lines: Sequence[str]) -> str:
    first, *rest = lines or [""]
    margin = " " * _LABEL
    return "\n".join(
        [f"{label:<{_LABEL}}{first}".rstrip(), *((margin + line).rstrip() for line in rest)]
    )


def _wrap(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH - _LABEL, break_long_words=False, break_on_hyphens=False)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
