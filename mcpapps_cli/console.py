"""The terminal: the only module that writes to it; results on stdout, all else on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mcpapps_cli.errors import McpAppsError, SourceError, UserError
from mcpapps_cli.frame import frame
from mcpapps_cli.words import plain, safe

if TYPE_CHECKING:
    from rich.console import Console

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
    "edit": "good",
    "overwrite": "warning",
    "conflict": "error",
    "identical": "dim",
}


@cache
def _console() -> Console:
    from rich.console import Console

    return Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def _write(*parts: tuple[str, Style], end: str = "\n") -> None:
    if sys.stderr is None:
        # Closed by who started us, as with `2>&-`: nobody reads, and the work goes on.
        return
    try:
        _print(parts, end)
    except BrokenPipeError:
        raise
    except OSError:
        # A full disk takes no notes. What could be said of it would not be seen either.
        _forget_at_exit()


@cache
def _forget_at_exit() -> None:
    """See to it that what is still buffered for stderr does not change the exit status."""
    import atexit

    def forget() -> None:
        with Path(os.devnull).open("w") as nothing:
            os.dup2(nothing.fileno(), sys.stderr.fileno())

    atexit.register(forget)


def _print(parts: Sequence[tuple[str, Style]], end: str) -> None:
    if not sys.stderr.isatty() and not os.environ.get("FORCE_COLOR"):
        # Nothing to colour, so a third of the time of a short command is saved.
        sys.stderr.write("".join(plain(text) for text, _ in parts) + end)
        sys.stderr.flush()
        return
    from rich.text import Text

    styled = ((plain(text), _STYLES[style]) for text, style in parts)
    _console().print(Text.assemble(*styled), end=end)


def is_terminal() -> bool:
    """Whether a person reads stderr and can answer on stdin."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def out(text: str = "") -> None:
    """Write a result to stdout with a line end: byte for byte to a file or a pipe.

    On a terminal control characters are spelled out, for much of what is shown is the server's.

    Raises:
        UserError: There is no stdout, as with `>&-`.
    """
    if sys.stdout is None:
        raise UserError("stdout is closed, so nothing can be written to it", help="leave it open")
    sys.stdout.write((safe(text) if sys.stdout.isatty() else text) + "\n")
    sys.stdout.flush()


def note(text: str = "", style: Style = "plain") -> None:
    """Write a line for the reader to stderr."""
    _write((text, style))


def labelled(label: str, text: str, style: Style = "dim") -> None:
    """Write `label  text` to stderr with the label in a style."""
    _write((label, style), (text, "plain"))


def verb(word: str, path: str) -> None:
    """Write an aligned verb and a path, the way file work is shown."""
    labelled(f"{word:>10}", f"  {path}", _VERBS.get(word, "plain"))


def ask(question: str, default: str) -> str:
    """Ask a question on stderr; an empty answer is the default."""
    _write((f"{question} [{default}]: ", "plain"), end="")
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
