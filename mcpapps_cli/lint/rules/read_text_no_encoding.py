"""Pages that Python reads in the encoding of the system."""

from __future__ import annotations

import ast
import re
from pathlib import PurePosixPath

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Observed,
    SourceFile,
    Subject,
    at_python,
    issue,
    python_calls,
    rule,
    server,
)

_ASSET = re.compile(r"\.(?:html?|css|m?js|svg)\b")


def _file(text: str) -> Observed:
    return Observed(sources=(SourceFile(PurePosixPath("server.py"), text),))


_BAD = 'HTML = Path("built/chart.html").read_text()\n'
_GOOD = 'HTML = Path("built/chart.html").read_text(encoding="utf-8")\n'


@rule(
    "MA317",
    "warning",
    why="On Windows that is a code page: the page is mangled, or reading it fails.",
    fix='pass encoding="utf-8"',
    source=(issue("dbt-labs/dbt-mcp#765"),),
    bad=server(observed=_file(_BAD), shown=_BAD.rstrip()),
    good=server(observed=_file(_GOOD), shown=_GOOD.rstrip()),
    near=(
        server(observed=_file('data = Path("built/chart.html").read_bytes()\n')),
        server(observed=_file('notes = Path("notes.txt").read_text()\n')),
        server(observed=_file('page = open("built/chart.html", "rb").read()\n')),
    ),
    evidence="source",
)
def read_text_no_encoding(subject: Subject) -> Faults:
    """A Python file reads a page, style or script without naming the encoding."""
    for file in subject.observed.sources:
        for call in python_calls(file, "read_text", "open"):
            if any(word.arg in ("encoding", None) for word in call.keywords) or _binary(call):
                continue
            name = "read_text" if isinstance(call.func, ast.Attribute) else "open"
            positional = call.args[1:] if name == "open" else call.args
            if name == "read_text" and positional:
                continue
            if _ASSET.search(_about(file, call)):
                yield Fault(at_python(file, call), f'"{name}" takes the encoding of the system')


def _binary(call: ast.Call) -> bool:
    modes = [*call.args[:2], *(word.value for word in call.keywords if word.arg == "mode")]
    return any(
        isinstance(one, ast.Constant) and isinstance(one.value, str) and one.value in _BINARY
        for one in modes
    )


_BINARY = frozenset({"rb", "wb", "ab", "br", "r+b", "rb+", "w", "wt", "a"})


def _about(file: SourceFile, call: ast.Call) -> str:
    """The text of what is read: the call, and what a plain name in it was set to."""
    text = ast.unparse(call)
    subject = (
        call.func.value if isinstance(call.func, ast.Attribute) else next(iter(call.args), None)
    )
    if isinstance(subject, ast.Name):
        found = re.search(rf"^\s*{subject.id}\s*(?::[^=\n]*)?=(.*)$", file.text, re.MULTILINE)
        text += found[1] if found else ""
    return text
