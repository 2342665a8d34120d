"""The shape of a rule: what it is called, why it exists, its examples and its check.

A rule module imports everything it needs about linting from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

from mcpapps_cli.embed import SENTINEL, bridge_names
from mcpapps_cli.lint.calls import Connection, Sent, connections, listens, sent, tool_calls
from mcpapps_cli.lint.example import (
    HANDSHAKE,
    META,
    UNSET,
    URI,
    Example,
    ResourcePart,
    called,
    example_project,
    mounted,
    page,
    resource,
    server,
    tool,
)
from mcpapps_cli.lint.handlers import awaited_before, handlers
from mcpapps_cli.lint.observed import (
    GIT_HEAD,
    Blocked,
    Called,
    Mounted,
    Observed,
    SourceFile,
    Wheel,
)
from mcpapps_cli.lint.place import Place, as_object
from mcpapps_cli.lint.python import at as at_python
from mcpapps_cli.lint.python import calls as python_calls
from mcpapps_cli.lint.python import parse as python_tree
from mcpapps_cli.lint.result import CallResult, in_run, result_uri, results, texts
from mcpapps_cli.lint.served import Inline, Served, is_loopback, is_relative
from mcpapps_cli.lint.sheet import (
    Declaration,
    body_children,
    declarations,
    root_selectors,
    shows_something,
)
from mcpapps_cli.lint.subject import Subject, Tool, UiResource
from mcpapps_cli.markup.around import ancestors, function_of, in_try
from mcpapps_cli.markup.page import is_html
from mcpapps_cli.model import Severity, Skip
from mcpapps_cli.wire import APPS_VERSION

__all__ = [
    "GIT_HEAD",
    "HANDSHAKE",
    "META",
    "SENTINEL",
    "UNSET",
    "URI",
    "Blocked",
    "CallResult",
    "Called",
    "Connection",
    "Declaration",
    "Evidence",
    "Example",
    "Fault",
    "Faults",
    "Inline",
    "Mounted",
    "Observed",
    "Place",
    "ResourcePart",
    "Rule",
    "Sent",
    "Served",
    "Skip",
    "SourceFile",
    "Subject",
    "Tool",
    "UiResource",
    "Wheel",
    "ancestors",
    "as_object",
    "at_python",
    "awaited_before",
    "body_children",
    "bridge_names",
    "called",
    "connections",
    "declarations",
    "draft",
    "example_project",
    "function_of",
    "handlers",
    "in_run",
    "in_try",
    "is_html",
    "is_loopback",
    "is_relative",
    "issue",
    "listens",
    "mounted",
    "page",
    "python_calls",
    "python_tree",
    "resource",
    "result_uri",
    "results",
    "root_selectors",
    "rule",
    "sent",
    "server",
    "shows_something",
    "spec",
    "texts",
    "tool",
    "tool_calls",
]

Evidence = Literal["wire", "static", "call", "run", "source"]
"""What a check reads: answers, pages, a sample call, a mounted View, or the project's files."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What a check yields; the engine adds the rule's name, code and severity.

    Attributes:
        place: Where.
        message: One sentence without a full stop, with values in "double quotes".
        help: What to do here; None gives the rule's `fix`.
        severity: Only when this case weighs other than the rule does.
        explains: Subject of the `Skip` of which this fault is the reason, so that one fault is
            not reported twice.
    """

    place: Place
    message: str
    help: str | None = None
    severity: Severity | None = None
    explains: str | None = None


def spec(section: str) -> str:
    """Return the citation of a section of the stable specification."""
    return f'MCP Apps {APPS_VERSION}, "{section}"'


def draft(section: str) -> str:
    """Return the citation of a section of the draft of the specification."""
    return f'MCP Apps draft, "{section}"'


def issue(reference: str) -> str:
    """Return the address of a public report, `owner/name#number`."""
    repository, _, number = reference.partition("#")
    return f"https://github.com/{repository}/issues/{number}"


Faults = Iterator[Fault]
Check = Callable[[Subject], Faults]


@dataclass(frozen=True, slots=True)
class Rule:
    """One fault with one name.

    Attributes:
        name: Kebab-case; how users select and ignore it.
        code: `MA` and three digits; for display, never given to another rule.
        severity: Of a fault that does not say otherwise.
        summary: What the fault is, in one sentence.
        why: What goes wrong for the user of a host.
        fix: What the author does.
        source: The section of the specification or the public reports it stands on.
        bad: A server in which exactly this rule fires.
        good: The same server without the fault; nothing fires.
        near: Inputs close to the fault in which nothing fires.
        check: Yields the faults of a server.
        module: Name of the module that defines it, without the package.
        evidence: What the check reads. A check of pages sees one View at a time.
        also: What it reads besides, when that is there.
        since: The first version that had it.
    """

    name: str
    code: str
    severity: Severity
    summary: str
    why: str
    fix: str
    source: tuple[str, ...]
    bad: Example
    good: Example
    near: tuple[Example, ...]
    check: Check
    module: str
    evidence: Evidence = "wire"
    also: tuple[Evidence, ...] = ()
    since: str = "0.1"


class _Named(Protocol):
    __name__: str
    __module__: str

    def __call__(self, subject: Subject, /) -> Faults: ...


def rule(
    code: str,
    severity: Severity,
    *,
    why: str,
    fix: str,
    source: tuple[str, ...],
    bad: Example,
    good: Example,
    near: tuple[Example, ...],
    evidence: Evidence = "wire",
    also: tuple[Evidence, ...] = (),
    since: str = "0.1",
) -> Callable[[_Named], Rule]:
    """Make a rule of the generator function below; its name and docstring are the rule's.

    `def mime_type(...)` is the rule `mime-type`, and its docstring the summary.
    """

    def make(check: _Named) -> Rule:
        return Rule(
            name=check.__name__.replace("_", "-"),
            code=code,
            severity=severity,
            summary=_sentence(check),
            why=why,
            fix=fix,
            source=source,
            bad=bad,
            good=good,
            near=near,
            check=check,
            module=check.__module__.rpartition(".")[2],
            evidence=evidence,
            also=also,
            since=since,
        )

    return make


def _sentence(check: _Named) -> str:
    """Return the docstring in one line, also where Python runs without docstrings."""
    text = check.__doc__
    if text is None:
        import ast
        import inspect

        [function] = ast.parse(inspect.getsource(check)).body
        text = ast.get_docstring(function) if isinstance(function, ast.FunctionDef) else None
    return " ".join((text or "").split())
