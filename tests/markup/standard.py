"""What html5lib, tokenizer and tree builder together, makes of a page."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any

import html5lib
from html5lib._tokenizer import HTMLTokenizer
from html5lib.constants import tokenTypes

from mcpapps_cli.markup.html import tokenize

Event = tuple[Any, ...]

_RAW = {"script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext"}


class _Tokenizer(HTMLTokenizer):  # type: ignore[misc]
    def __iter__(self) -> Iterator[Any]:
        self.events: list[Event] = []
        for token in super().__iter__():
            # Before the tree builder sees it, for that changes names and attributes.
            self._record(token)
            yield token

    def _record(self, token: Any) -> None:
        kind = token["type"]
        if kind == tokenTypes["StartTag"]:
            self.events.append(("start", token["name"], dict(token["data"]), token["selfClosing"]))
        elif kind == tokenTypes["EndTag"]:
            self.events.append(("end", token["name"]))
        elif kind == tokenTypes["Comment"]:
            self.events.append(("comment",))
        elif kind == tokenTypes["Doctype"]:
            self.events.append(("doctype", token["name"] or ""))
        elif kind in (tokenTypes["Characters"], tokenTypes["SpaceCharacters"]):
            _add_text(self.events, token["data"])


class _Parser(html5lib.HTMLParser):  # type: ignore[misc]
    def mainLoop(self) -> None:
        self.tokenizer.__class__ = _Tokenizer
        super().mainLoop()


def _add_text(events: list[Event], data: str) -> None:
    data = data.replace("\0", "\ufffd")
    if events and events[-1][0] == "text":
        events[-1] = ("text", events[-1][1] + data)
    elif data:
        events.append(("text", data))


def by_html5lib(text: str) -> list[Event]:
    parser = _Parser()
    parser.parse(text, scripting=True)
    events: list[Event] = parser.tokenizer.events
    return events


def by_us(text: str) -> list[Event]:
    events: list[Event] = []
    raw = False
    for token in tokenize(text):
        if token.kind == "text":
            data = text[token.start : token.end].replace("\r\n", "\n").replace("\r", "\n")
            cdata = text.startswith("<![CDATA[", token.start - 9) and token.start >= 9
            _add_text(events, data if raw or cdata else html.unescape(data))
            continue
        raw = token.kind == "start" and token.name in _RAW and not token.foreign
        if token.kind == "start":
            attributes = {attr.name: attr.value or "" for attr in token.attrs}
            events.append(("start", token.name, attributes, token.self_closing))
        elif token.kind == "end":
            events.append(("end", token.name))
        elif token.kind == "comment":
            events.append(("comment",))
        else:
            events.append(("doctype", token.name))
    return events
