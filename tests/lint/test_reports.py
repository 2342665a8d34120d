"""What people reported in public is found in small servers that show it."""

from __future__ import annotations

import pytest

from mcpapps_cli.lint.rule import Example
from tests.lint.cases import report_of
from tests.lint.reports_page import PAGES
from tests.lint.reports_wire import WIRE

ROWS = [*WIRE, *PAGES]


@pytest.mark.parametrize(("report", "rule", "example"), ROWS, ids=[f"{a}-{b}" for a, b, _ in ROWS])
def test_the_rule_finds_what_was_reported(report: str, rule: str, example: Example) -> None:
    assert rule in {finding.rule for finding in report_of(example).findings}, report
