"""The terminal: the only module that writes to it; results on stdout, all else on stderr."""

from __future__ import annotations

import sys
from functools import cache
from typing import Literal

from rich.console import Console
from rich.text import Text

from mcpapps_cli.errors import McpAppsError, SourceError
from mcpapps_cli.frame import frame

Style = Literal["error", "warning", "info", "good", "dim", "url", "bold", "plain"]
_STYLES: dict[Style, str] = {
    "error": "bold red",
    "warning": "bold yellow",
    "info": "bold blue",
    "good": "green",
    "dim": "dim",
    "url": "cyan",
    "bold": "bold",
    "plain": "",
}
_VERBS: dict[str, Style] = {
    "create": "good",
    "overwrite": "warning",
    "conflict": "error",
    "identical": "dim",
}


@cache
def _console(stderr: bool) -> Console:
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)


def is_terminal() -> bool:
    """Whether a person reads stderr and can answer on stdin."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def out(text: str = "") -> None:
    """Write a result to stdout, byte for byte, with a line end."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def note(text: str = "", style: Style = "plain") -> None:
    """Write a line for the reader to stderr."""
    _console(stderr=True).print(Text(text, style=_STYLES[style]))


def labelled(label: str, text: str, style: Style = "dim") -> None:
    """Write `label  text` to stderr with the label in a style."""
    _console(stderr=True).print(Text.assemble((label, _STYLES[style]), text))


def verb(word: str, path: str) -> None:
    """Write an aligned verb and a path, the way file work is shown."""
    labelled(f"{word:>10}", f"  {path}", _VERBS.get(word, "plain"))


def ask(question: str, default: str) -> str:
    """Ask a question on stderr; an empty answer is the default."""
    _console(stderr=True).print(Text(f"{question} [{default}]: "), end="")
    return sys.stdin.readline().strip() or default


def error(exc: McpAppsError) -> None:
    """Write an error: what failed, where, the details, and what to do."""
    labelled("error", f": {exc.message}", "error")
    if isinstance(exc, SourceError):
        note(frame(exc.position))
    for line in exc.details:
        note(f"  {line}", "dim")
    if exc.help:
        labelled(" help", f": {exc.help}", "info")


def warning(message: str, help: str | None = None) -> None:
    """Write a warning and what to do."""
    labelled("warning", f": {message}", "warning")
    if help:
        labelled("   help", f": {help}", "info")
