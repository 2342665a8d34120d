"""The open elements, as far as they decide whether text is markup: foreign content and raw text."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal, NamedTuple

Content = Literal["data", "rcdata", "rawtext", "script", "plaintext"]
"""How the text after a start tag is read."""

_CONTENT: Final[dict[str, Content]] = {
    "title": "rcdata",
    "textarea": "rcdata",
    "style": "rawtext",
    "xmp": "rawtext",
    "iframe": "rawtext",
    "noembed": "rawtext",
    "noframes": "rawtext",
    # A View always has scripts, and then this is text.
    "noscript": "rawtext",
    "script": "script",
    "plaintext": "plaintext",
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VOID: Final = _words(
    "area base basefont bgsound br col embed frame hr image img input keygen link meta param"
    " source track wbr"
)
_NEVER_OPEN: Final = _VOID | _words("html head body")
_BREAKOUT: Final = _words(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li"
    " listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)
_FONT_ATTRIBUTES: Final = _words("color face size")
_MATH_TEXT: Final = _words("mi mo mn ms mtext")
_SVG_HTML: Final = _words("foreignobject desc title")
_HEADINGS: Final = _words("h1 h2 h3 h4 h5 h6")
_FORMATTING: Final = _words("a b big code em font i nobr s small strike strong tt u")
_CLOSES_P: Final = _HEADINGS | _words(
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption"
    " figure footer form header hgroup hr li listing main menu nav ol p plaintext pre search"
    " section summary table ul xmp"
)
_BLOCKS: Final = _CLOSES_P - {"hr", "table", "plaintext"} | _words("applet button marquee object")
_TABLE: Final = _words("caption col colgroup table tbody td tfoot th thead tr")
_TABLE_PARTS: Final = _TABLE - {"table"}
_SCOPE: Final = _words("applet caption marquee object table td template th")
_P: Final = _words("p")
_P_SCOPE: Final = _SCOPE | {"button"}
# Browsers bound the depth of a tree, too. It keeps the work for a tag bounded.
_REACH: Final = 512
_SPECIAL: Final = _BLOCKS | _TABLE | _VOID | _words("iframe noembed noframes noscript select")
_SPECIAL_ALL: Final = _SPECIAL | _words("script style template textarea title xmp")
_IMPLIED: Final[dict[str, tuple[frozenset[str], frozenset[str]]]] = {
    # Start tag: what it closes, and what it does not look past.
    "li": (_words("li"), _SPECIAL_ALL - _words("address div p li")),
    "dd": (_words("dd dt"), _SPECIAL_ALL - _words("address div p dd dt")),
    "dt": (_words("dd dt"), _SPECIAL_ALL - _words("address div p dd dt")),
    "button": (_words("button"), _SCOPE),
    "td": (_words("td th"), _words("table template")),
    "th": (_words("td th"), _words("table template")),
    "tr": (_words("tr"), _words("table template")),
    "tbody": (_words("tbody thead tfoot"), _words("table template")),
    "thead": (_words("tbody thead tfoot"), _words("table template")),
    "tfoot": (_words("tbody thead tfoot"), _words("table template")),
}


class _Open(NamedTuple):
    name: str
    space: Literal["html", "svg", "math"]
    html_inside: bool = False
    """An HTML integration point."""
    text_inside: bool = False
    """A MathML text integration point."""


class OpenElements:
    """The stack of open elements, with the rules that matter to a tokenizer.

    The tree builder of the HTML standard does much more. What is left out moves or copies
    elements inside HTML content, where the tokenizer reads all text alike.
    """

    def __init__(self) -> None:
        self._stack: list[_Open] = []
        self._foreign = 0

    @property
    def in_foreign_content(self) -> bool:
        """Whether the current element is SVG or MathML, so that CDATA sections exist."""
        return self._foreign > 0 and self._stack[-1].space != "html"

    def start(
        self, name: str, attributes: Collection[tuple[str, str]], self_closing: bool
    ) -> tuple[Content, bool]:
        """Take a start tag.

        Args:
            name: Lower case.
            attributes: Names and decoded values.
            self_closing: Whether the tag ends in `/>`.

        Returns:
            How the text that follows is read, and whether the element is foreign.
        """
        if self._foreign and self._by_foreign_rules(name):
            if not self._breaks_out(name, attributes):
                self._push_foreign(name, self._stack[-1].space, attributes, self_closing)
                return "data", True
            self._leave_foreign()
        if name in ("svg", "math"):
            self._push_foreign(name, "svg" if name == "svg" else "math", attributes, self_closing)
            return "data", True
        self._imply_ends(name)
        ignored = name in _TABLE_PARTS and not self._in_table()
        if name not in _NEVER_OPEN and not ignored:
            self._stack.append(_Open(name, "html"))
        return _CONTENT.get(name, "data"), False

    def end(self, name: str) -> None:
        """Take an end tag; `name` is lower case."""
        stack = self._stack
        if self._foreign and stack[-1].space != "html":
            if name in ("br", "p"):
                self._leave_foreign()
            else:
                for index in self._downwards():
                    if stack[index].space == "html":
                        break
                    if stack[index].name == name:
                        self._cut(index)
                        return
        self._end_html(name)

    def _by_foreign_rules(self, name: str) -> bool:
        current = self._stack[-1]
        if current.space == "html" or current.html_inside:
            return False
        if current.text_inside:
            return name in ("mglyph", "malignmark")
        return not (current.name == "annotation-xml" and current.space == "math" and name == "svg")

    def _breaks_out(self, name: str, attributes: Collection[tuple[str, str]]) -> bool:
        return name in _BREAKOUT or (
            name == "font" and any(key in _FONT_ATTRIBUTES for key, _ in attributes)
        )

    def _leave_foreign(self) -> None:
        index = len(self._stack)
        while index:
            current = self._stack[index - 1]
            if current.space == "html" or current.html_inside or current.text_inside:
                break
            index -= 1
        self._cut(index)

    def _push_foreign(
        self,
        name: str,
        space: Literal["html", "svg", "math"],
        attributes: Collection[tuple[str, str]],
        self_closing: bool,
    ) -> None:
        if self_closing:
            return
        html_inside = (
            name in _SVG_HTML
            if space == "svg"
            else name == "annotation-xml"
            and any(
                key == "encoding" and value.lower() in ("text/html", "application/xhtml+xml")
                for key, value in attributes
            )
        )
        text_inside = space == "math" and name in _MATH_TEXT
        self._stack.append(_Open(name, space, html_inside, text_inside))
        self._foreign += 1

    def _imply_ends(self, name: str) -> None:
        if name in _IMPLIED:
            closes, stops = _IMPLIED[name]
            self._close(closes, stops)
        if name in _HEADINGS:
            self._close(_P, _P_SCOPE)
            if self._stack and self._stack[-1].name in _HEADINGS:
                self._cut(len(self._stack) - 1)
        elif name in _CLOSES_P:
            self._close(_P, _P_SCOPE)

    def _in_table(self) -> bool:
        return any(self._stack[index].name in ("table", "template") for index in self._downwards())

    def _end_html(self, name: str) -> None:
        if name in _HEADINGS:
            self._close(_HEADINGS, _SCOPE)
        elif name in _TABLE:
            self._close(frozenset({name}), _words("table template") - {name}, through_foreign=True)
        elif name == "p":
            self._close(_P, _P_SCOPE)
        elif name == "li":
            self._close(frozenset({name}), _SCOPE | {"ol", "ul"})
        elif name in _BLOCKS:
            self._close(frozenset({name}), _SCOPE - {name})
        elif name in _FORMATTING:
            self._end_formatting(name)
        elif name == "template":
            self._close(frozenset({name}), frozenset(), through_foreign=True)
        else:
            self._close(frozenset({name}), _SPECIAL_ALL - {name})

    def _end_formatting(self, name: str) -> None:
        special = False
        for index in self._downwards():
            current = self._stack[index]
            if current.html_inside or current.text_inside or current.name in _SCOPE:
                return
            if current.name == name and current.space == "html":
                if special:
                    # The adoption agency: the block stays open, outside the formatting.
                    del self._stack[index]
                else:
                    self._cut(index)
                return
            special = special or (current.space == "html" and current.name in _SPECIAL_ALL)

    def _close(
        self, names: frozenset[str], stops: frozenset[str], *, through_foreign: bool = False
    ) -> None:
        for index in self._downwards():
            current = self._stack[index]
            if current.space == "html":
                if current.name in names:
                    self._cut(index)
                    return
                if current.name in stops:
                    return
            elif (current.html_inside or current.text_inside) and not through_foreign:
                return

    def _downwards(self) -> range:
        top = len(self._stack) - 1
        return range(top, max(top - _REACH, -1), -1)

    def _cut(self, index: int) -> None:
        if self._foreign:
            self._foreign -= sum(open_.space != "html" for open_ in self._stack[index:])
        del self._stack[index:]
