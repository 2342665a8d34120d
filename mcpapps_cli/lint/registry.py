"""Finds the rules: one in each module of `lint/rules` whose name has no underscore in front."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache

from mcpapps_cli.errors import UserError
from mcpapps_cli.lint import rules as _package
from mcpapps_cli.lint.rule import Rule


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return every rule, by code.

    Raises:
        ValueError: Two rules share a name or a code.
    """
    found: list[Rule] = []
    for module in pkgutil.iter_modules(_package.__path__):
        if module.name.startswith("_"):
            # What several rules need.
            continue
        loaded = importlib.import_module(f"{_package.__name__}.{module.name}")
        found += [
            value
            for value in vars(loaded).values()
            if isinstance(value, Rule) and value.module == module.name
        ]
    for key in ("name", "code"):
        values = [getattr(rule, key) for rule in found]
        if twice := sorted({value for value in values if values.count(value) > 1}):
            raise ValueError(f"two rules have the {key} {', '.join(twice)}")
    return tuple(sorted(found, key=lambda rule: rule.code))


def find_rule(name: str, rules: Sequence[Rule] | None = None) -> Rule:
    """Return the rule with that name or code, in whatever case.

    Raises:
        UserError: There is none; the help names the closest.
    """
    known = all_rules() if rules is None else rules
    wanted = name.strip().lower()
    for rule in known:
        if wanted in (rule.name, rule.code.lower()):
            return rule
    close = get_close_matches(wanted, [word for r in known for word in (r.name, r.code.lower())], 1)
    raise UserError(
        f'no rule "{name}"',
        help=f'did you mean "{_shown(close[0])}"?' if close else "see mcpapps explain --list",
    )


def _shown(word: str) -> str:
    return word.upper() if word.startswith("ma") and word[2:].isdigit() else word
