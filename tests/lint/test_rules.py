"""Every rule against its own examples, and the registry against the conventions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mcpapps_cli.lint import all_rules, rules
from mcpapps_cli.lint.explain import explain_rule
from mcpapps_cli.lint.rule import Example, Fault, Rule, Subject
from tests.lint.cases import report_of

RULES = all_rules()
each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)

RULES_DIR = Path(rules.__file__).parent
ALLOWED = tuple(
    f"mcpapps_cli.{name}"
    for name in (
        "wire",
        "model",
        "metadata",
        "markup",
        "csp",
        "host.profiles",
        "lint.rule",
        "lint.rules._",
    )
)
STANDARD = {
    "ast",
    "hashlib",
    *("__future__", "base64", "binascii", "collections.abc", "difflib", "functools", "json"),
    *("pathlib", "re", "typing", "urllib.parse"),
}

FIRST_TEN = {
    "mime-type",
    "csp-on-tool",
    "csp-missing-on-content",
    "resource-uri-dangling",
    "content-not-html",
    "flat-key-only",
    "visibility-shape",
    "handshake-missing",
    "relative-url",
    "undeclared-resource-origin",
}


def fired(example: Example) -> set[str]:
    report = report_of(example)
    return {finding.rule for finding in report.findings}


def bad_fires_only(rule: Rule) -> None:
    assert fired(rule.bad) == {rule.name}


def nothing(subject: Subject) -> Iterator[Fault]:
    return iter(())


@each_rule
def test_the_bad_example_fires_exactly_its_rule(rule: Rule) -> None:
    bad_fires_only(rule)


@each_rule
def test_the_good_example_fires_nothing(rule: Rule) -> None:
    assert fired(rule.good) == set()


@each_rule
def test_near_misses_fire_nothing(rule: Rule) -> None:
    assert len(rule.near) >= 2
    assert [fired(example) for example in rule.near] == [set() for _ in rule.near]


@each_rule
def test_near_misses_differ_from_the_good_example_and_from_each_other(rule: Rule) -> None:
    inputs = [
        (one.inventory, one.project, one.observed, one.profiles)
        for one in (rule.bad, rule.good, *rule.near)
    ]
    assert all(first != second for i, first in enumerate(inputs) for second in inputs[:i])


@each_rule
def test_an_emptied_check_fails_the_test_of_its_bad_example(
    rule: Rule, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutants = tuple(replace(one, check=nothing) if one is rule else one for one in RULES)
    monkeypatch.setattr("mcpapps_cli.lint.engine.all_rules", lambda: mutants)
    with pytest.raises(AssertionError):
        bad_fires_only(rule)


@each_rule
def test_a_rule_is_named_and_worded_by_the_conventions(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", rule.name)
    assert re.fullmatch(r"MA[1-9][0-9]{2}", rule.code)
    assert rule.summary.endswith(".")
    assert rule.why.endswith(".")
    assert not rule.fix.endswith(".")
    assert rule.source
    known = ("https://", "MCP Apps 2026-01-26", "MCP Apps draft", "RFC ")
    assert all(one.startswith(known) for one in rule.source)


@each_rule
def test_messages_are_one_line_without_a_full_stop(rule: Rule) -> None:
    for finding in report_of(rule.bad).findings:
        assert "\n" not in finding.message
        assert not finding.message.endswith(".")
        assert not finding.help.endswith(".")
        assert (finding.pointer is None) != (finding.position is None)


@each_rule
def test_the_severity_of_the_bad_example_is_the_rule_s(rule: Rule) -> None:
    report = report_of(rule.bad)
    assert rule.severity in {finding.severity for finding in report.findings}


@each_rule
def test_the_explanation_shows_two_different_examples(rule: Rule) -> None:
    shown = explain_rule(rule)
    assert shown.startswith(f"{rule.code} {rule.name}   {rule.severity}   since {rule.since}\n")
    bad = shown.split("\nBad     ")[1].split("\n\nGood    ")[0]
    good = shown.split("\n\nGood    ")[1].split("\n\nSpec    ")[0]
    assert bad.strip()
    assert good.strip()
    assert bad != good


@pytest.mark.parametrize("path", sorted(RULES_DIR.glob("*.py")), ids=lambda path: path.stem)
def test_a_rule_imports_nothing_that_could_reach_a_server_or_a_terminal(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module
    } | {
        name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    }
    ours = {name for name in imported if name.startswith("mcpapps_cli")}
    assert {name for name in ours if not name.startswith(ALLOWED)} == set()
    assert imported - ours <= STANDARD


def test_the_first_ten_rules_are_there() -> None:
    assert {rule.name for rule in RULES} >= FIRST_TEN


def test_names_and_codes_are_unique() -> None:
    assert len({rule.name for rule in RULES}) == len({rule.code for rule in RULES}) == len(RULES)


@each_rule
def test_a_rule_has_a_file_of_its_own(rule: Rule) -> None:
    assert rule.module == rule.name.replace("-", "_")
