"""The URLs that the attributes of a tag, an import map or an inline style sheet name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from mcpapps_cli.markup import css
from mcpapps_cli.markup.characters import decode_with_offsets
from mcpapps_cli.markup.html import Attr, Token
from mcpapps_cli.markup.reference import Reference, ReferenceKind

_SPACE: Final = "\t\n\f\r "
_PLAIN: Final[dict[tuple[str, str], ReferenceKind]] = {
    ("a", "href"): "link",
    ("area", "href"): "link",
    ("audio", "src"): "media",
    ("base", "href"): "base",
    ("body", "background"): "image",
    ("button", "formaction"): "form",
    ("embed", "src"): "object",
    ("form", "action"): "form",
    ("frame", "src"): "frame",
    ("iframe", "src"): "frame",
    ("img", "src"): "image",
    ("input", "formaction"): "form",
    ("object", "data"): "object",
    ("script", "src"): "script",
    ("source", "src"): "media",
    ("table", "background"): "image",
    ("td", "background"): "image",
    ("th", "background"): "image",
    ("track", "src"): "media",
    ("video", "poster"): "image",
    ("video", "src"): "media",
}
_SVG: Final[dict[str, ReferenceKind]] = {
    "a": "link",
    "feimage": "image",
    "image": "image",
    "script": "script",
    "use": "image",
}
# SVG attributes whose value may be a CSS `url()`.
_PAINT: Final = frozenset(
    (
        *("clip-path", "cursor", "fill", "filter", "marker", "marker-end", "marker-mid"),
        *("marker-start", "mask", "stroke"),
    )
)
# The first that is among the words of `rel` decides.
_REL: Final[tuple[tuple[str, ReferenceKind], ...]] = (
    ("stylesheet", "style"),
    ("modulepreload", "preload"),
    ("preload", "preload"),
    ("prefetch", "preload"),
    ("preconnect", "preconnect"),
    ("dns-prefetch", "preconnect"),
    ("icon", "icon"),
    ("apple-touch-icon", "icon"),
    ("apple-touch-icon-precomposed", "icon"),
    ("mask-icon", "icon"),
)
_REFRESH: Final = re.compile(
    r"\s*+[0-9.]*+(?=[;,\s])\s*+[;,]?+\s*+(?:url\s*+=\s*+)?+"
    r"(?:\"(?P<double>[^\"]++)|'(?P<single>[^']++)|(?P<bare>\S.*+))",
    re.IGNORECASE | re.DOTALL,
)
_HASH: Final = re.compile(r"sha(?:256|384|512)-")
_KEY: Final = re.compile(r"\s*:")


def tag_references(
    text: str, token: Token, *, in_picture: bool, inert: bool
) -> Iterator[Reference]:
    """Find the URLs that the attributes of a start tag name, in order of the attributes."""
    for attr in token.attrs:
        if attr.value is None:
            continue
        kind = _kind(token, attr.name, in_picture)
        if attr.name == "style" or (token.foreign and attr.name in _PAINT):
            found = _in_style(text, attr)
        elif attr.name in ("srcset", "imagesrcset") and kind is not None:
            found = _candidates(text, attr, kind)
        elif attr.name == "content" and token.name == "meta":
            found = _refresh(text, token, attr)
        elif kind is not None:
            found = _whole(text, attr, kind)
        else:
            continue
        for reference in found:
            yield reference._replace(element=token.name, attribute=attr.name, inert=inert)


def sheet_references(text: str, start: int, end: int, *, inert: bool) -> Iterator[Reference]:
    """Find the URLs of the content of a `style` element."""
    for reference in css.references(text[start:end], base=start):
        yield reference._replace(element="style", inert=inert)


def import_map_references(text: str, start: int, end: int) -> Iterator[Reference]:
    """Find the URLs that an import map leads to; none when it is no JSON object."""
    # Hardly any page has an import map.

    source = text[start:end]
    try:
        if not isinstance(json.loads(source), dict):
            return
    except (ValueError, RecursionError):
        return
    from mcpapps_cli.markup.js import strings

    for string in strings(source):
        if not string.value or _KEY.match(source, string.end) or _HASH.match(string.value):
            continue
        at = start + string.start + 1
        end_of_url = start + string.end - 1
        yield Reference(string.value, "import-map", at, end_of_url, "script", "json")


def _kind(token: Token, name: str, in_picture: bool) -> ReferenceKind | None:
    if token.foreign:
        return _SVG.get(token.name) if name in ("href", "xlink:href") else None
    if token.name == "link":
        return _link_kind(token) if name in ("href", "imagesrcset") else None
    if token.name == "input" and name == "src":
        type_ = token.get("type")
        return "image" if type_ is not None and (type_.value or "").lower() == "image" else None
    if name == "srcset":
        return "image" if token.name in ("img", "source") else None
    if token.name == "source" and in_picture:
        return None
    return _PLAIN.get((token.name, name))


def _link_kind(token: Token) -> ReferenceKind:
    rel = token.get("rel")
    words = (rel.value or "").lower().split() if rel is not None else []
    return next((kind for word, kind in _REL if word in words), "link")


def _whole(text: str, attr: Attr, kind: ReferenceKind) -> Iterator[Reference]:
    url = (attr.value or "").strip(_SPACE)
    raw = text[attr.value_start : attr.value_end]
    if url:
        start = attr.value_start + len(raw) - len(raw.lstrip(_SPACE))
        end = attr.value_end - (len(raw) - len(raw.rstrip(_SPACE)))
        yield Reference(url, kind, start, max(start, end))


def _in_style(text: str, attr: Attr) -> Iterator[Reference]:
    if attr.value is None or "(" not in attr.value:
        return
    _, offsets = decode_with_offsets(text[attr.value_start : attr.value_end])
    for reference in css.references(attr.value):
        start, end = (attr.value_start + offsets[at] for at in (reference.start, reference.end))
        yield reference._replace(start=start, end=end)


def _candidates(text: str, attr: Attr, kind: ReferenceKind) -> Iterator[Reference]:
    """Split a `srcset` as the standard does (HTML, 4.8.4.2.2)."""
    value, offsets = decode_with_offsets(text[attr.value_start : attr.value_end])
    size, at = len(value), 0
    while True:
        while at < size and value[at] in f"{_SPACE},":
            at += 1
        if at >= size:
            return
        start = at
        while at < size and value[at] not in _SPACE:
            at += 1
        url = value[start:at].rstrip(",")
        first, last = (attr.value_start + offsets[each] for each in (start, start + len(url)))
        yield Reference(url, kind, first, last)
        if url != value[start:at]:
            continue
        depth = 0
        while at < size and (depth or value[at] != ","):
            depth += (value[at] == "(") - (value[at] == ")" and depth > 0)
            at += 1


def _refresh(text: str, token: Token, attr: Attr) -> Iterator[Reference]:
    equiv = token.get("http-equiv")
    if equiv is None or (equiv.value or "").strip().lower() != "refresh":
        return
    value, offsets = decode_with_offsets(text[attr.value_start : attr.value_end])
    match = _REFRESH.match(value)
    if match is None or match.lastgroup is None:
        return
    start, end = match.span(match.lastgroup)
    url = value[start:end].rstrip(_SPACE)
    first = attr.value_start + offsets[start]
    yield Reference(url, "link", first, attr.value_start + offsets[start + len(url)])
