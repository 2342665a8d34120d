"""Checks what a server really sends: its answers, its metadata and its pages, read together."""

from __future__ import annotations

from mcpapps_cli.lint.engine import report_status, run_rules
from mcpapps_cli.lint.registry import all_rules, find_rule
from mcpapps_cli.lint.rule import Rule

__all__ = ["Rule", "all_rules", "find_rule", "report_status", "run_rules"]
