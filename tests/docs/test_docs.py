"""Every console example of the README and of `docs/` is what the commands really print."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpapps_cli.cli.group import COMMANDS
from tests.docs.console import Terminal, examples, matches

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_are_real_output(page, tmp_path):
    terminal = Terminal(tmp_path)
    for example in examples(page):
        if example.command.startswith(("pip ", "uv ", "uvx ", "./scripts/", "git ")):
            continue  # installs or opens a window; the other tests cover them
        if example.command.startswith("mcpapps dev"):
            ran = terminal.watch(example.command, example.output.splitlines()[-1])
        else:
            ran = terminal.run(example.command)
        assert matches(example.output, ran), (
            f"{page.name}:{example.line}: $ {example.command}\n{ran}"
        )


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_page_with_an_example(command):
    page = ROOT / "docs" / f"{command}.md"
    assert any(example.command.startswith(f"mcpapps {command}") for example in examples(page))


def test_the_comparison_can_fail():
    assert matches("a … c\n…\nend", "a b c\nx\ny\nend\n")
    assert not matches("a … c", "a b d\n")
    assert not matches("a", "a\nb\n")
