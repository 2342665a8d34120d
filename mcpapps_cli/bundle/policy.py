"""The policy inside the page: a meta element after the charset and before anything it governs."""

from __future__ import annotations

from html import escape
from typing import Final

from mcpapps_cli.bundle.source import Source
from mcpapps_cli.bundle.splice import Splice
from mcpapps_cli.csp import policy_text
from mcpapps_cli.markup.html import Token
from mcpapps_cli.markup.page import Page
from mcpapps_cli.model import Csp

_CHARSET: Final = '<meta charset="utf-8">'
_UTF8: Final = frozenset({"utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8"})
# What may stand between <head> and the charset without being governed by the policy.
_UNGOVERNED: Final = frozenset({"meta", "title"})


def policy_meta(csp: Csp | None) -> str:
    """Return the meta element that holds a View's policy."""
    content = escape(policy_text(csp), quote=False).replace('"', "&quot;")
    return f'<meta http-equiv="Content-Security-Policy" content="{content}">'


def policy_splices(source: Source, page: Page, csp: Csp | None) -> list[Splice]:
    """Return the edits that put the doctype, the charset and the policy into a page.

    A policy in the body is ignored, and one after a script does not cover that script, so it
    follows the charset only where that stands at the beginning of the head.

    Raises:
        SourceError: The page declares another encoding than UTF-8.
    """
    if page.charset is not None:
        _check_charset(source, page.charset)
    start = _start_of_head(page)
    meta = policy_meta(csp)
    splices = [] if page.doctype is not None else [Splice(0, 0, "<!doctype html>\n")]
    if page.charset is not None and _is_ungoverned(page, start, page.charset.start):
        after = page.charset.end
        return [*splices, Splice(after, after, f"\n{meta}")]
    declared = "" if page.charset is not None else f"\n{_CHARSET}"
    return [*splices, Splice(start, start, f"{declared}\n{meta}")]


def _check_charset(source: Source, token: Token) -> None:
    for attr in token.attrs:
        value = (attr.value or "").strip().lower()
        if attr.name == "content" and "charset=" in value:
            value = value.partition("charset=")[2].partition(";")[0].strip(" \"'")
        elif attr.name != "charset":
            continue
        if value not in _UTF8:
            source.fail(
                f'the page declares the encoding "{value}"',
                max(attr.value_start, attr.start),
                max(1, attr.value_end - attr.value_start),
                "save the page as UTF-8 and declare that",
            )


def _start_of_head(page: Page) -> int:
    """Return where the head begins, written or implied."""
    at = 0
    for token in page.tokens:
        if token.kind == "text" and not page.text[token.start : token.end].strip():
            continue
        if token.kind == "doctype" or (token.kind == "start" and token.name == "html"):
            at = token.end
        elif token.kind == "start" and token.name == "head":
            return token.end
        elif token.kind != "comment":
            return at
    return at


def _is_ungoverned(page: Page, start: int, end: int) -> bool:
    """Whether nothing between two places of a head is governed by a policy or ends the head."""
    title = False
    for token in page.tokens:
        if not start <= token.start < end:
            continue
        if token.kind in ("start", "end"):
            if token.name not in _UNGOVERNED:
                return False
            title = token.kind == "start" and token.name == "title"
        elif token.kind == "text" and not title and page.text[token.start : token.end].strip():
            return False
    return start <= end
