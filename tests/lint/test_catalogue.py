"""The pages about the rules are those of the code."""

from __future__ import annotations

import json
import re
from pathlib import Path

from mcpapps_cli.lint import all_rules
from mcpapps_cli.lint.catalogue import rules_json, rules_page

DOCS = Path(__file__).parents[2] / "docs"
NAMES = {rule.name for rule in all_rules()}
ROW = re.compile(r"\| `(?P<theirs>[^`]+)` \| (?P<ours>.*) \|")


def rows() -> dict[str, str]:
    text = (DOCS / "rules-map.md").read_text(encoding="utf-8")
    return {match["theirs"]: match["ours"] for match in ROW.finditer(text)}


def test_the_page_is_the_one_that_the_rules_make() -> None:
    page = (DOCS / "rules.md").read_text(encoding="utf-8")
    assert page == rules_page(all_rules()), "run python scripts/lib/rules_page.py"


def test_every_rule_has_one_section() -> None:
    headings = re.findall(r"^### (.*)$", rules_page(all_rules()), re.MULTILINE)
    assert sorted(headings) == sorted(NAMES)


def test_the_json_list_has_every_rule_with_its_sources() -> None:
    listed = json.loads(rules_json(all_rules()))["rules"]
    assert [rule["name"] for rule in listed] == [rule.name for rule in all_rules()]
    assert all(rule["source"] and rule["bad"] and rule["good"] for rule in listed)


def test_each_check_of_another_tool_has_rules_of_ours_or_a_reason() -> None:
    for theirs, ours in rows().items():
        named = set(re.findall(r"`([a-z]+(?:-[a-z0-9]+)+)`", ours))
        assert named <= NAMES, theirs
        assert named or ours.startswith("- ") or "`--require-ui`" in ours, theirs


def test_every_check_of_ext_apps_and_mcp_app_check_is_in_the_map() -> None:
    ids = set(rows())
    assert ids >= {f"APP-{number:03}" for number in (*range(1, 12), *range(100, 107))}
    assert ids >= {f"MCA{number:03}" for number in range(1, 10)}
    assert sum(one.startswith("ui-") for one in ids) == 7
