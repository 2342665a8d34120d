"""Reading the browser's Content-Security-Policy reports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mcpapps_cli.csp import origin_of
from mcpapps_cli.host.event import Violation
from mcpapps_cli.stage.host_message import Excerpt

TEXT_MAX = 2048
"""Characters kept of any text in a report; a View can make its URLs as long as it likes."""


def read_report(body: bytes) -> tuple[Violation, ...]:
    """Return the violations of a report body; empty when it is not a report.

    Both wire forms are read: `application/csp-report` (one object under `csp-report`) and
    `application/reports+json` (a list of reports, each with a `body`).
    """
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return ()
    return tuple(_violations(data))


def _violations(data: Any) -> Iterator[Violation]:
    entries = data if isinstance(data, list) else [data]
    for entry in entries:
        if not isinstance(entry, dict):
            continue
        if isinstance(old := entry.get("csp-report"), dict):
            yield from _violation(
                old.get("effective-directive") or old.get("violated-directive"),
                old.get("blocked-uri"),
                (old.get("line-number"), old.get("column-number")),
                (old.get("source-file"), old.get("script-sample")),
            )
        elif entry.get("type") == "csp-violation" and isinstance(new := entry.get("body"), dict):
            yield from _violation(
                new.get("effectiveDirective"),
                new.get("blockedURL"),
                (new.get("lineNumber"), new.get("columnNumber")),
                (new.get("sourceFile"), new.get("sample")),
            )


def _violation(
    directive: Any, blocked: Any, place: tuple[Any, Any], origin: tuple[Any, Any]
) -> Iterator[Violation]:
    if not isinstance(directive, str) or not directive.strip():
        return
    line, column = (_positive(value) for value in place)
    source, sample = (_text(value) for value in origin)
    yield Violation(
        # Older browsers repeat the whole directive with its sources here.
        directive=directive.split()[0][:TEXT_MAX],
        blocked=_text(blocked) or "",
        line=line,
        column=column,
        source=source,
        sample=sample,
    )


def _positive(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _text(value: Any) -> str | None:
    return value[:TEXT_MAX] if isinstance(value, str) and value else None


_ALLOWED_BY = {
    **dict.fromkeys(
        (
            *("script-src", "script-src-elem", "style-src", "style-src-elem"),
            *("img-src", "font-src", "media-src"),
        ),
        "resourceDomains",
    ),
    "connect-src": "connectDomains",
    "frame-src": "frameDomains",
    "base-uri": "baseUriDomains",
}


def remedy(violation: Violation) -> tuple[str, str] | tuple[None, None]:
    """Return the list of `_meta.ui.csp` and the origin in it that would allow what was blocked.

    Both are None when no declaration can allow it, such as `eval` or a `data:` font.
    """
    key = _ALLOWED_BY.get(violation.directive)
    origin = origin_of(violation.blocked)
    return (key, origin) if key is not None and origin is not None else (None, None)


def locate(html: str, violation: Violation) -> Violation:
    """Return the violation with a place, when the address stands in the document.

    A browser names a place only for what a script does.
    """
    at = html.find(violation.blocked) if violation.blocked and violation.line is None else -1
    if at < 0:
        return violation
    column = at - html.rfind("\n", 0, at)
    return replace(violation, line=html.count("\n", 0, at) + 1, column=column)


EXCERPT_MAX = 100
"""Characters of a line shown around a fault; a bundle may be one line of a megabyte."""


def excerpt(html: str, violation: Violation) -> Excerpt | None:
    """Return the part of the View's document that a violation points at, or None."""
    if violation.line is None:
        return None
    lines = html.split("\n", violation.line)
    if len(lines) < violation.line:
        return None
    line = lines[violation.line - 1].rstrip()
    column = max((violation.column or 1) - 1, 0)
    # The browser names where the call or the tag begins; the address is often on the same line.
    at = line.find(violation.blocked, column) if violation.blocked else -1
    length = len(violation.blocked) if at >= 0 else 1
    at = at if at >= 0 else min(column, max(len(line) - 1, 0))
    start = max(0, min(at - EXCERPT_MAX // 3, len(line) - EXCERPT_MAX))
    indent = len(line[start:]) - len(line[start:].lstrip())
    start += indent if start == 0 and indent <= at else 0
    text = line[start : start + EXCERPT_MAX]
    at -= start
    return Excerpt(text=text, at=at, length=max(1, min(length, len(text) - at)))
