"""The tokenizer of the HTML standard (13.2.5), with offsets into the text as it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from mcpapps_cli.markup.characters import decode
from mcpapps_cli.markup.elements import Content, OpenElements

_SPACE: Final = "\t\n\f\r "
# ASCII only: with Unicode case folding the long s of `</ſcript>` would end a script.
_FLAGS: Final = re.IGNORECASE | re.ASCII
_TAG_NAME: Final = re.compile(rf"</?([A-Za-z][^{_SPACE}/>]*+)")
_BETWEEN: Final = re.compile(rf"[{_SPACE}/]*+")
_ATTRIBUTE: Final = re.compile(
    rf"(?P<name>=?[^{_SPACE}/>=]*+)"
    rf"(?P<equals>[{_SPACE}]*+=[{_SPACE}]*+"
    rf"""(?:"(?P<double>[^"]*+)"|'(?P<single>[^']*+)'|(?P<bare>[^"'>{_SPACE}][^>{_SPACE}]*+|)))?+"""
)
_COMMENT_END: Final = re.compile(r"--!?>")
_DOCTYPE: Final = re.compile(rf"<!doctype[{_SPACE}]*+([^{_SPACE}>]*+)", _FLAGS)
_SCRIPT_END: Final = re.compile(rf"<(?:!--|/script(?=[{_SPACE}/>]))", _FLAGS)
_SCRIPT_MARK: Final = re.compile(rf"-->|<(?:!--|(/?)script(?=[{_SPACE}/>]))", _FLAGS)
_RAW_END: Final = {
    name: re.compile(rf"</{name}(?=[{_SPACE}/>])", _FLAGS)
    for name in ("title", "textarea", "style", "xmp", "iframe", "noembed", "noframes", "noscript")
}
_UPPER: Final = {code: chr(code + 32) for code in range(ord("A"), ord("Z") + 1)} | {0: "\ufffd"}

Kind = Literal["start", "end", "comment", "doctype", "text"]


class Attr(NamedTuple):
    """An attribute of a start tag.

    Attributes:
        name: Lower case.
        value: With character references replaced; None when there is no `=`.
        start: Offset of the name.
        end: Offset after the value and its closing quote.
        value_start: Offset of the value as written, without quotes; -1 when there is no `=`.
        value_end: Offset after that value; -1 when there is no `=`.
    """

    name: str
    value: str | None
    start: int
    end: int
    value_start: int = -1
    value_end: int = -1


class Token(NamedTuple):
    """A piece of a page; the offsets are those of the text that was given.

    Attributes:
        kind: What it is; text is as written, with its character references.
        start: Offset of its first character.
        end: Offset after its last character.
        name: Of a tag or a doctype, lower case; else empty.
        attrs: Of a start tag, in order; of a repeated name only the first, as in a browser.
        self_closing: Whether a tag ends in `/>`, which closes only a foreign element.
        foreign: Whether a start tag opens an SVG or MathML element.
    """

    kind: Kind
    start: int
    end: int
    name: str = ""
    attrs: tuple[Attr, ...] = ()
    self_closing: bool = False
    foreign: bool = False

    def get(self, name: str) -> Attr | None:
        """Return the attribute of that lower-case name."""
        return next((attr for attr in self.attrs if attr.name == name), None)


def tokenize(text: str) -> Iterator[Token]:
    """Read a page as a browser with scripts does; any text is a page.

    The tokens come in order and do not overlap. What a browser drops is in none of them: `</>`,
    a tag that the text ends in, and the marks of a CDATA section. Attributes of end tags are
    dropped, too. The time is linear in the length of the text.
    """
    elements = OpenElements()
    run = at = 0
    while (at := text.find("<", at)) >= 0:
        token, after = _markup(text, at, elements)
        if token is None and after == at:
            at += 1
            continue
        if run < at:
            yield Token("text", run, at)
        content: Content = "data"
        if token is not None and token.kind == "start":
            found = [(attr.name, attr.value or "") for attr in token.attrs]
            content, foreign = elements.start(token.name, found, token.self_closing)
            if foreign:
                token = token._replace(foreign=True)
        elif token is not None and token.kind == "end":
            elements.end(token.name)
        if token is not None:
            yield token
        run = at = after
        if content != "data" and token is not None:
            at = _raw_text_end(text, at, token.name, content)
    if run < len(text):
        yield Token("text", run, len(text))


def _markup(text: str, at: int, elements: OpenElements) -> tuple[Token | None, int]:
    """Read what the `<` at `at` begins; None and `at` when it is text."""
    following = text[at + 1 : at + 2]
    if following.isascii() and following.isalpha():
        return _tag(text, at, "start")
    if following == "/":
        name = text[at + 2 : at + 3]
        if name.isascii() and name.isalpha():
            return _tag(text, at, "end")
        if name == ">":
            return None, at + 3
        return _to_bracket(text, at, "comment") if name else (None, at)
    if following == "?":
        return _to_bracket(text, at, "comment")
    if following != "!":
        return None, at
    if text.startswith("--", at + 2):
        return _comment(text, at)
    if doctype := _DOCTYPE.match(text, at):
        return _to_bracket(text, at, "doctype", doctype[1].translate(_UPPER))
    if elements.in_foreign_content and text.startswith("[CDATA[", at + 2):
        start = at + len("<![CDATA[")
        end = text.find("]]>", start)
        after = end + len("]]>")
        if end < 0:
            end = after = len(text)
        return (Token("text", start, end) if start < end else None), after
    return _to_bracket(text, at, "comment")


def _to_bracket(text: str, at: int, kind: Kind, name: str = "") -> tuple[Token, int]:
    end = text.find(">", at) + 1 or len(text)
    return Token(kind, at, end, name), end


def _comment(text: str, at: int) -> tuple[Token, int]:
    start = at + len("<!--")
    for short in (">", "->"):
        if text.startswith(short, start):
            return Token("comment", at, start + len(short)), start + len(short)
    match = _COMMENT_END.search(text, start)
    end = len(text) if match is None else match.end()
    return Token("comment", at, end), end


def _tag(text: str, at: int, kind: Kind) -> tuple[Token | None, int]:
    opened = _TAG_NAME.match(text, at)
    assert opened is not None  # the caller has seen its first letter
    attrs: dict[str, Attr] = {}
    size = len(text)
    position = opened.end()
    while True:
        gap = _BETWEEN.match(text, position)
        assert gap is not None  # it matches nothing at all, too
        position = gap.end()
        if position >= size:
            return None, size
        if text[position] == ">":
            # The slash counts only right before the bracket, and not as part of a bare value.
            closing = gap.group().endswith("/")
            name = opened[1].translate(_UPPER)
            found = tuple(attrs.values()) if kind == "start" else ()
            return Token(kind, at, position + 1, name, found, closing), position + 1
        match = _ATTRIBUTE.match(text, position)
        assert match is not None  # a name has at least the character at `position`
        position = match.end()
        if match["equals"] and match["bare"] == "" and text[position : position + 1] in ("'", '"'):
            # The quote is never closed, so the text ends in the tag.
            return None, size
        attr = _attribute(match)
        attrs.setdefault(attr.name, attr)


def _attribute(match: re.Match[str]) -> Attr:
    name = match["name"].translate(_UPPER)
    if match["equals"] is None:
        return Attr(name, None, match.start(), match.end())
    group = next(key for key in ("double", "single", "bare") if match[key] is not None)
    start, end = match.span(group)
    return Attr(name, decode(match[group]), match.start(), match.end(), start, end)


def _raw_text_end(text: str, at: int, name: str, content: Content) -> int:
    """Return the offset of the end tag that ends the raw text of an element."""
    if content == "plaintext":
        return len(text)
    if content == "script":
        return _script_end(text, at)
    match = _RAW_END[name].search(text, at)
    return len(text) if match is None else match.start()


def _script_end(text: str, at: int) -> int:
    escaped = doubly = False
    while match := (_SCRIPT_MARK if escaped else _SCRIPT_END).search(text, at):
        mark = match.group()
        at = match.end()
        if mark == "<!--":
            escaped = True
            # Its dashes may be those of the `-->` that ends it.
            at -= 2
        elif mark == "-->":
            escaped = doubly = False
        elif not mark.startswith("</"):
            doubly = True
        elif doubly:
            doubly = False
        else:
            return match.start()
    return len(text)
