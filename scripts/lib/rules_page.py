"""Writes docs/rules.md from the rules."""

from __future__ import annotations

from pathlib import Path

from mcpapps_cli.lint import all_rules
from mcpapps_cli.lint.catalogue import rules_page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rules.md"

if __name__ == "__main__":
    PAGE.write_text(rules_page(all_rules()), encoding="utf-8", newline="\n")
    print(f"wrote {PAGE.name}")
