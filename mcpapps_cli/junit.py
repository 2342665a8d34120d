"""JUnit XML, as continuous integration reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

# XML 1.0, 2.2: what no document may hold, not even as a reference.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a case failed: a kind, one line, and the whole text."""

    kind: str
    message: str
    text: str


@dataclass(frozen=True, slots=True)
class Case:
    """One test case.

    Attributes:
        subject: What it is about.
        name: Its name there.
        failure: None when it passed.
        skipped: Why it was not run; empty when it was.
        output: What it has to say though it passed.
        seconds: How long it took; None when that is unknown.
    """

    subject: str
    name: str
    failure: Failure | None = None
    skipped: str = ""
    output: str = ""
    seconds: float | None = None


def junit_document(name: str, cases: Sequence[Case]) -> str:
    """Return a document of one suite."""
    failures = sum(case.failure is not None for case in cases)
    skipped = sum(bool(case.skipped) for case in cases)
    counts = f'tests="{len(cases)}" failures="{failures}" skipped="{skipped}"'
    text = "\n".join(
        [
            '<?xml version="1.0" encoding="utf-8"?>',
            f"<testsuites name={_quoted(name)} {counts}>",
            f'  <testsuite name={_quoted(name)} errors="0" {counts}>',
            *(_case(case) for case in cases),
            "  </testsuite>",
            "</testsuites>",
        ]
    )
    return _ascii(text)


def _case(case: Case) -> str:
    head = f"    <testcase classname={_quoted(case.subject)} name={_quoted(case.name)}"
    if case.seconds is not None:
        head += f' time="{case.seconds:.3f}"'
    inside = ""
    if case.skipped:
        inside = f"<skipped message={_quoted(case.skipped)}/>"
    elif case.failure is not None:
        kind, message = _quoted(case.failure.kind), _quoted(case.failure.message)
        text = escape(_plain(case.failure.text))
        inside = f"<failure type={kind} message={message}>{text}</failure>"
    elif case.output:
        inside = f"<system-out>{escape(_plain(case.output))}</system-out>"
    return f"{head}>{inside}</testcase>" if inside else f"{head}/>"


def _quoted(value: str) -> str:
    return quoteattr(_plain(value))


def _plain(value: str) -> str:
    return _FORBIDDEN.sub("\ufffd", value)


def _ascii(text: str) -> str:
    """Spell out what is not ASCII: stdout has the system's encoding, and the head says UTF-8."""
    return text.encode("ascii", "xmlcharrefreplace").decode()
