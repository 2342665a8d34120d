"""Text for people, and what a terminal gets to see of a server's text."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from mcpapps_cli.words import count, cut, plain, safe

CLEAR, TITLE, RED, REVERSE = "\x1b[2J", "\x1b]0;owned\x07", "\x9b31m", "\u202e"
EVIL = f"tool{CLEAR}{TITLE}{RED}{REVERSE}\rgone\b\x00"
SPELLED = r"tool\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\x0dgone\x08\x00"

_SCRIPT = """
import sys
from mcpapps_cli import console
from mcpapps_cli.errors import SourceError, UserError
from mcpapps_cli.model import Position
evil = sys.stdin.readline() and EVIL
console.out(evil)
console.note(evil, "dim")
console.labelled("label", evil)
console.verb("create", evil)
console.warning(evil, evil)
console.error(UserError(evil, help=evil, details=(evil,)))
console.error(SourceError(evil, Position(evil, 1, 1, source=evil)))
"""


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 tools"), (1, "1 tool"), (2, "2 tools"), (11, "11 tools")]
)
def test_a_number_and_its_noun(number: int, words: str) -> None:
    assert count(number, "tool") == words


def test_what_a_terminal_obeys_is_spelled_out() -> None:
    assert safe(EVIL) == SPELLED


def test_the_colours_of_a_log_are_left_out() -> None:
    line = "\x1b[32;1mINFO\x1b[0m started \x1b[38:2::1:2:3mhere\x1b[m\x1b[2J"
    assert plain(line) == r"INFO started here\x1b[2J"


def test_lines_tabs_and_letters_stay() -> None:
    assert safe("a\tb\r\nc\nĞ 漢 😀 é") == "a\tb\nc\nĞ 漢 😀 é"


def test_half_a_surrogate_pair_can_be_written() -> None:
    assert safe("\ud83d!").encode() == rb"\ud83d!"


@pytest.mark.skipif(sys.platform == "win32", reason="a platform without pty")
def test_no_way_of_writing_to_a_terminal_lets_a_sequence_through() -> None:
    import pty

    main, secondary = pty.openpty()
    script = _SCRIPT.replace("EVIL", repr(EVIL))
    child = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=secondary,
        stderr=secondary,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "200"},
    )
    os.close(secondary)
    assert child.stdin is not None
    child.stdin.write(b"go\n")
    child.stdin.close()
    shown = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(main)
    assert child.wait() == 0
    text = shown.decode()
    # Of escape sequences only our own colours are left.
    text = re.sub(r"\x1b\[[0-9;]*m", "", text.replace("\r\n", "\n"))
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text)
    assert text.count(SPELLED) == 11


def test_a_result_in_a_file_is_byte_for_byte() -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"from mcpapps_cli import console; console.out({EVIL!r})"],
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode() == EVIL + os.linesep


def test_a_text_that_was_cut_says_so():
    assert cut("abcde", 5) == "abcde"
    assert cut("abcdef", 5) == "abcd…"
