"""The style rules of a page, with places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mcpapps_cli.lint.served import Served
    from mcpapps_cli.markup.html import Token

_LINE_END: Final = re.compile(r"\r\n|[\r\n\f]")
_SHEET_CHARS: Final = 2**20
_ROOT_IDS: Final = ("root", "app")
_NOT_SHOWN: Final = frozenset(
    ("script", "style", "template", "link", "meta", "noscript", "title", "base")
)
_VOID: Final = frozenset(
    (
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta"),
        *("source", "track", "wbr"),
    )
)


@dataclass(frozen=True, slots=True)
class Declaration:
    """One declaration of a style rule or attribute.

    Attributes:
        selectors: The selectors, each without white space around; empty for an attribute.
        name: Lower case.
        value: As written, in lower case, without `!important`.
        start: Offset in the page.
        end: Offset after it.
        media: Preludes of the `@media` rules around it, in lower case.
    """

    selectors: tuple[str, ...]
    name: str
    value: str
    start: int
    end: int
    media: tuple[str, ...] = ()


def declarations(served: Served, *words: str) -> Iterator[Declaration]:
    """Yield the declarations of every `style` element in which one of `words` stands."""
    for style in served.page.styles:
        css = served.text[style.start : style.end]
        if len(css) <= _SHEET_CHARS and any(word in css.lower() for word in words):
            yield from _declarations(css, style.start)


def _declarations(css: str, base: int) -> Iterator[Declaration]:
    import tinycss2

    lines = [0, *(match.end() for match in _LINE_END.finditer(css))]

    def offset(node: Any) -> int:
        line: int = min(node.source_line, len(lines)) - 1
        column: int = node.source_column
        return base + min(lines[line] + column - 1, len(css))

    stack: list[tuple[list[Any], tuple[str, ...]]] = [
        (tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True), ())
    ]
    while stack:
        rules, media = stack.pop()
        for rule in rules:
            if rule.type == "at-rule" and rule.content is not None:
                keyword = rule.lower_at_keyword
                inner = media
                if keyword == "media":
                    inner = (*media, tinycss2.serialize(rule.prelude).strip().lower())
                if keyword in ("media", "supports", "layer", "container", "scope"):
                    found = tinycss2.parse_rule_list(
                        rule.content, skip_comments=True, skip_whitespace=True
                    )
                    stack.append((found, inner))
            elif rule.type == "qualified-rule":
                selectors = tuple(
                    one.strip() for one in tinycss2.serialize(rule.prelude).split(",")
                )
                for one in tinycss2.parse_blocks_contents(
                    rule.content, skip_comments=True, skip_whitespace=True
                ):
                    if one.type == "declaration":
                        value = tinycss2.serialize(one.value).strip().lower()
                        start = offset(one)
                        end = start + len(one.name) + 1 + len(tinycss2.serialize(one.value))
                        yield Declaration(selectors, one.lower_name, value, start, end, media)


def root_selectors(served: Served) -> frozenset[str]:
    """Return the selectors of what holds the whole page: `html`, `body`, the usual roots."""
    found = {"html", "body", *(f"#{name}" for name in _ROOT_IDS)}
    shown = [token for token in body_children(served) if token.name not in _NOT_SHOWN]
    if len(shown) == 1:
        found.add(shown[0].name)
        for attr in shown[0].attrs:
            if attr.name == "id" and attr.value:
                found.add(f"#{attr.value}")
            elif attr.name == "class":
                found.update(f".{name}" for name in (attr.value or "").split())
    return frozenset(found)


def body_children(served: Served) -> Iterator[Token]:
    """Yield the start tags of the elements directly inside `body`."""
    depth = 0
    inside = not any(token.name == "body" for token in served.page.tokens)
    for token in served.page.tokens:
        if token.kind == "start":
            if token.name == "body":
                inside, depth = True, 0
            elif inside:
                if depth == 0:
                    yield token
                depth += token.name not in _VOID and not token.self_closing
        elif token.kind == "end" and inside:
            if token.name == "body":
                return
            if token.name not in _VOID:
                depth = max(0, depth - 1)


def shows_something(served: Served) -> bool:
    """Whether the markup itself has text or a picture or a control that a user would see."""
    hidden = ""
    inside = not any(token.name == "body" for token in served.page.tokens)
    for token in served.page.tokens:
        if hidden:
            hidden = "" if token.kind == "end" and token.name == hidden else hidden
        elif token.kind == "start" and token.name == "body":
            inside = True
        elif token.kind == "start" and token.name in _HIDING:
            hidden = token.name
        elif inside and _is_seen(served, token):
            return True
    return False


def _is_seen(served: Served, token: Token) -> bool:
    if token.kind == "start":
        return token.name in _PICTURES
    return token.kind == "text" and bool(served.text[token.start : token.end].strip())


_HIDING: Final = frozenset(("script", "style", "template", "title"))
_PICTURES: Final = frozenset(
    ("img", "svg", "canvas", "video", "iframe", "input", "button", "select", "textarea", "object")
)
