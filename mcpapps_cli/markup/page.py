"""A page: its scripts, styles, references, and the tags that matter to a policy."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from mcpapps_cli.markup.html import Attr, Token, tokenize
from mcpapps_cli.markup.named import import_map_references, sheet_references, tag_references
from mcpapps_cli.markup.reference import Reference as Reference
from mcpapps_cli.markup.reference import ReferenceKind as ReferenceKind
from mcpapps_cli.model import Position

ScriptType = Literal["classic", "module", "data", "importmap"]

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_SNIFF_CHARS: Final = 1024
_LEADING: Final = re.compile(r"(?:\s|\ufeff|<!--.*?-->)*+", re.DOTALL)
_HTML_START: Final = re.compile(r"<!doctype\s+html|<html[\s>/]", re.IGNORECASE)
# The JavaScript MIME types of the MIME Sniffing standard, 4.6.
_CLASSIC: Final = frozenset(
    (
        *("application/ecmascript", "application/javascript", "application/x-ecmascript"),
        *("application/x-javascript", "text/ecmascript", "text/javascript", "text/jscript"),
        *("text/javascript1.0", "text/javascript1.1", "text/javascript1.2", "text/javascript1.3"),
        *("text/javascript1.4", "text/javascript1.5", "text/livescript", "text/x-ecmascript"),
        "text/x-javascript",
    )
)


class Script(NamedTuple):
    """A `script` element.

    Attributes:
        token: Its start tag.
        start: Offset of its content.
        end: Offset after its content.
        type: `data` is a block that no browser runs, such as JSON.
        src: Of an external script: `src`, or in SVG `href`.
        close: Offset after its end tag; the length of the page when there is none.
    """

    token: Token
    start: int
    end: int
    type: ScriptType
    src: Attr | None
    close: int


class Style(NamedTuple):
    """A `style` element: its start tag and the offsets of its content."""

    token: Token
    start: int
    end: int


class Page(NamedTuple):
    """What a page is made of; every offset is one of `text`.

    Attributes:
        text: The page as given.
        doctype: None when there is none, or when it comes after something and counts for nothing.
        scripts: In order; those inside a `template` do not run and are left out.
        styles: In order; also those inside a `template`.
        references: In order of the tags, and in a tag in order of its attributes.
        tokens: All of them.
        charset: The first `meta` that names the encoding.
        head: The start tag, when it is written.
        html: The start tag, when it is written.
        csp_metas: Every `meta` with a Content Security Policy, wherever it stands.
    """

    text: str
    doctype: Token | None
    scripts: tuple[Script, ...]
    styles: tuple[Style, ...]
    references: tuple[Reference, ...]
    tokens: tuple[Token, ...]
    charset: Token | None
    head: Token | None
    html: Token | None
    csp_metas: tuple[Token, ...]


def is_html(text: str) -> bool:
    """Whether a host takes `text` for an HTML document.

    The doctype or the `html` element must stand in the first 1024 characters after white space,
    a byte order mark and comments, and the text must not begin like JSON.
    """
    leading = _LEADING.match(text)
    start = leading.end() if leading else 0
    # A comment that never ends swallows the whole document.
    if text.startswith(("{", "[", "<!--"), start):
        return False
    return _HTML_START.search(text, start, start + _SNIFF_CHARS) is not None


def read_page(text: str) -> Page:
    """Read a page as a browser with scripts does; never raises.

    What is in a comment, in `noscript`, or in the text of another element is no reference.
    What is in a `template` is one, marked inert.
    """
    tokens = tuple(tokenize(text))
    scripts: list[Script] = []
    styles: list[Style] = []
    references: list[Reference] = []
    metas: list[Token] = []
    templates = pictures = 0
    for token, (end, close) in zip(tokens, _spans(len(text), tokens), strict=True):
        if token.kind == "end":
            templates = max(0, templates - (token.name == "template"))
            pictures = max(0, pictures - (token.name == "picture"))
        if token.kind != "start":
            continue
        inert = templates > 0
        references += tag_references(text, token, in_picture=pictures > 0, inert=inert)
        if token.name == "script" and not inert:
            script = _script(token, end, close)
            scripts.append(script)
            if script.type == "importmap":
                references += import_map_references(text, script.start, script.end)
        elif token.name == "style":
            styles.append(Style(token, token.end, end))
            references += sheet_references(text, token.end, end, inert=inert)
        elif token.name == "meta" and not inert:
            metas.append(token)
        templates += token.name == "template" and not token.foreign
        pictures += token.name == "picture" and not token.foreign
    return Page(
        text=text,
        doctype=_doctype(text, tokens),
        scripts=tuple(scripts),
        styles=tuple(styles),
        references=tuple(references),
        tokens=tokens,
        charset=next(filter(_names_charset, metas), None),
        head=_first(tokens, "head"),
        html=_first(tokens, "html"),
        csp_metas=tuple(
            meta for meta in metas if _value(meta, "http-equiv") == "content-security-policy"
        ),
    )


def position(text: str, offset: int, path: str, length: int = 1) -> Position:
    """Return the place of an offset: line and column from 1, and the line's text.

    Args:
        text: The whole text; its lines end in LF, CRLF or CR.
        offset: In characters; one beyond the text is its end.
        path: As the user would name the file.
        length: In characters; cut at the end of the line, at least 1.
    """
    offset = max(0, min(offset, len(text)))
    line, start = 1, 0
    for match in _LINE_END.finditer(text, 0, offset):
        # Between the two characters of one line end is still on the line.
        if match.end() < offset or match.group() != "\r" or not text.startswith("\n", offset):
            line, start = line + 1, match.end()
    end = _LINE_END.search(text, start)
    source = text[start : len(text) if end is None else end.start()]
    fits = max(1, min(length, len(source) - (offset - start)))
    return Position(path, line, offset - start + 1, fits, source)


def _spans(size: int, tokens: tuple[Token, ...]) -> list[tuple[int, int]]:
    """Return for each start tag where its text ends, and where its end tag ends.

    The text of an element ends at the next tag: raw text has none before its own end tag, and in
    SVG a browser runs no more than that text.
    """
    closes: dict[str, int] = {}
    next_tag = size
    spans: list[tuple[int, int]] = []
    for token in reversed(tokens):
        if token.foreign and token.self_closing:
            spans.append((token.end, token.end))
        else:
            spans.append((next_tag, closes.get(token.name, size)))
        if token.kind == "end":
            closes[token.name] = token.end
        if token.kind in ("start", "end"):
            next_tag = token.start
    spans.reverse()
    return spans


def _script(token: Token, end: int, close: int) -> Script:
    names = ("href", "xlink:href") if token.foreign else ("src",)
    src = next(filter(None, map(token.get, names)), None)
    return Script(token, token.end, end, _script_type(token), src, close)


def _script_type(token: Token) -> ScriptType:
    attr = token.get("type")
    value = "" if attr is None else (attr.value or "")
    if attr is None and (language := token.get("language")):
        value = f"text/{language.value}" if language.value else ""
    if not value:
        return "classic"
    match value.strip("\t\n\f\r ").lower():
        case "module":
            return "module"
        case "importmap":
            return "importmap"
        case mime:
            return "classic" if mime in _CLASSIC else "data"


def _doctype(text: str, tokens: tuple[Token, ...]) -> Token | None:
    for token in tokens:
        if token.kind == "doctype":
            return token
        blank = token.kind == "text" and not text[token.start : token.end].strip("\ufeff\t\n\f\r ")
        if token.kind != "comment" and not blank:
            return None
    return None


def _names_charset(meta: Token) -> bool:
    if meta.get("charset") is not None:
        return True
    content = meta.get("content")
    return (
        _value(meta, "http-equiv") == "content-type"
        and content is not None
        and "charset=" in re.sub(r"\s", "", content.value or "").lower()
    )


def _value(token: Token, name: str) -> str:
    attr = token.get(name)
    return "" if attr is None or attr.value is None else attr.value.strip().lower()


def _first(tokens: tuple[Token, ...], name: str) -> Token | None:
    return next((each for each in tokens if each.kind == "start" and each.name == name), None)
