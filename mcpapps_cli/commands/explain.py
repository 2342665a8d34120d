"""`mcpapps explain`: what a rule means, why it exists and how to satisfy it."""

from __future__ import annotations

from mcpapps_cli import console
from mcpapps_cli.errors import ExitStatus, UserError
from mcpapps_cli.lint.catalogue import rules_json
from mcpapps_cli.lint.explain import explain_rule
from mcpapps_cli.lint.explain import list_rules as rule_lines
from mcpapps_cli.lint.registry import all_rules, find_rule


def explain(
    rule: str | None = None, *, list_rules: bool = False, format_: str = "text"
) -> ExitStatus:
    """Write the explanation of one rule, or one line per rule, to stdout.

    Args:
        rule: Name or code.
        list_rules: Write the list instead.
        format_: Of the list: `text` or `json`.

    Raises:
        UserError: No such rule, or neither rule nor list was asked for.
    """
    if list_rules:
        console.out(rules_json(all_rules()) if format_ == "json" else rule_lines(all_rules()))
    elif rule is None:
        raise UserError("no rule named", help="see mcpapps explain --list")
    else:
        console.out(explain_rule(find_rule(rule)))
    return ExitStatus.OK
