"""The policy inside the page: a meta element after the charset and before anything it governs."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterable
from html import escape
from typing import Final, NamedTuple

from mcpapps_cli.bundle.source import Place, Source, unify
from mcpapps_cli.bundle.splice import Splice
from mcpapps_cli.csp import directives, render
from mcpapps_cli.markup.html import Attr, Token
from mcpapps_cli.markup.page import Page
from mcpapps_cli.model import Csp, PolicyMode

_CHARSET: Final = '<meta charset="utf-8">'
_UTF8: Final = frozenset({"utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8"})
# What may stand between <head> and the charset without being governed by the policy.
_INLINE: Final = "'unsafe-inline'"
_NONE: Final = ("'none'",)
_SELF: Final = "'self'"
_FETCHED: Final = ("script-src", "style-src", "img-src", "media-src", "font-src")
# Markup in a script's text with a handler; what JSX puts in braces is a function.
_MARKUP: Final = re.compile(r"<[A-Za-z][^<>]*?\s(?P<handler>on[a-z]+)\s*=\s*(?!\{)")
_UNGOVERNED: Final = frozenset({"meta", "title"})


class Governed(NamedTuple):
    """What a page has that a policy governs.

    Attributes:
        scripts: The text of every script that runs, as the browser sees it.
        free: Where something runs that no hash can allow, such as an inline handler.
        workers: Whether scripts start workers made of text.
        wasm: Whether scripts compile WebAssembly.
        fonts: Whether a font is inlined.
    """

    scripts: tuple[str, ...]
    free: Place | None = None
    workers: bool = False
    wasm: bool = False
    fonts: bool = False


def page_policy(csp: Csp | None, mode: PolicyMode, governed: Governed) -> str:
    """Return the policy that the page carries; it only narrows the host's.

    Args:
        csp: The View's declaration.
        mode: `hash` lets only the page's own scripts run, unless something in it has no hash.
        governed: What the page has.
    """
    policy = directives(csp)
    for name in _FETCHED:
        # Nothing of a View lies beside it, wherever it is shown.
        policy[name] = tuple(each for each in policy.get(name, ()) if each != _SELF)
    if mode == "hash" and governed.free is None:
        # With a hash beside it browsers ignore 'unsafe-inline'.
        sources = (each for each in policy["script-src"] if each != _INLINE)
        policy["script-src"] = (*sources, *dict.fromkeys(map(_hash, governed.scripts)))
    if governed.wasm:
        policy["script-src"] += ("'wasm-unsafe-eval'",)
    if governed.fonts:
        policy["font-src"] += ("data:",)
    if governed.workers:
        policy["worker-src"] = ("blob:",)
    # What is left out falls back to default-src, which is 'none'.
    written = {name: sources for name, sources in policy.items() if sources not in ((), _NONE)}
    return render({"default-src": _NONE, **written})


def find_free(
    source: Source, page: Page, scripts: Iterable[tuple[Source, int, int]]
) -> Place | None:
    """Return the first thing in a page that runs and cannot be allowed by a hash.

    Args:
        source: The page.
        page: The same, read.
        scripts: The View's own scripts: a handler may be in the markup that they make.
    """
    for token in page.tokens:
        for attr in token.attrs:
            handler = is_handler(attr)
            url = (attr.value or "").strip().lower().startswith("javascript:")
            if handler or url or attr.name == "srcdoc":
                return Place(source, attr.start, attr.end - attr.start)
        if token.foreign and token.name == "script" and token.kind == "start":
            return Place(source, token.start, token.end - token.start)
    for file, start, end in scripts:
        if match := _MARKUP.search(file.text, start, end):
            return Place(file, match.start("handler"), len(match["handler"]))
    return None


def is_handler(attr: Attr) -> bool:
    """Whether an attribute is a script that runs on an event."""
    return attr.name.startswith("on") and len(attr.name) > 2 and bool(attr.value)


def policy_meta(policy: str) -> str:
    """Return the meta element that holds a policy."""
    content = escape(policy, quote=False).replace('"', "&quot;")
    return f'<meta http-equiv="Content-Security-Policy" content="{content}">'


def policy_splices(source: Source, page: Page, meta: str) -> list[Splice]:
    """Return the edits that put the doctype, the charset and the policy into a page.

    A policy in the body is ignored, and one after a script does not cover that script, so it
    follows the charset only where that stands at the beginning of the head.

    Args:
        source: The page.
        page: The same, read.
        meta: The element with the policy; empty for none.

    Raises:
        SourceError: The page declares another encoding than UTF-8.
    """
    if page.charset is not None:
        _check_charset(source, page.charset)
    start = _start_of_head(page)
    line = f"\n{meta}" if meta else ""
    splices = [] if page.doctype is not None else [Splice(0, 0, "<!doctype html>\n")]
    if page.charset is not None and _is_ungoverned(page, start, page.charset.start):
        after = page.charset.end
        return [*splices, Splice(after, after, line)]
    declared = "" if page.charset is not None else f"\n{_CHARSET}"
    return [*splices, Splice(start, start, f"{declared}{line}")]


def _hash(script: str) -> str:
    # As the browser reads it: HTML knows one line end, and no NUL.
    text = unify(script).replace("\0", "\ufffd")
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


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
