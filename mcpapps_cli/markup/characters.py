"""Character references in attribute values, by the rule of the HTML standard."""

from __future__ import annotations

import re
from html.entities import html5
from typing import Final

_REFERENCE: Final = re.compile(
    r"&(?:#[xX](?P<hex>[0-9a-fA-F]+);?|#(?P<decimal>[0-9]+);?|(?P<name>[A-Za-z][A-Za-z0-9]*);?)"
)
_REPLACEMENT: Final = "\ufffd"


def decode(raw: str) -> str:
    """Return an attribute's value as a page sees it.

    Line ends become line feeds, NUL becomes U+FFFD, and character references are replaced. One
    without a semicolon stays as it is before `=` or an alphanumeric (HTML, 13.2.5.73).
    """
    if "&" not in raw and "\r" not in raw and "\0" not in raw:
        return raw
    return _REFERENCE.sub(_replace, _normal(raw))


def decode_with_offsets(raw: str) -> tuple[str, list[int]]:
    """Return what `decode` gives, and for each of its characters and its end an offset in `raw`."""
    if "&" not in raw and "\r" not in raw and "\0" not in raw:
        return raw, list(range(len(raw) + 1))
    normal: list[int] = [
        index
        for index, character in enumerate(raw)
        if not (character == "\n" and index and raw[index - 1] == "\r")
    ]
    normal.append(len(raw))
    text = _normal(raw)
    pieces: list[str] = []
    offsets: list[int] = []
    done = 0
    for match in _REFERENCE.finditer(text):
        pieces.append(text[done : match.start()])
        offsets += normal[done : match.start()]
        decoded = _replace(match)
        pieces.append(decoded)
        if decoded == match.group():
            offsets += normal[match.start() : match.end()]
        else:
            offsets += [normal[match.start()]] * len(decoded)
        done = match.end()
    return "".join([*pieces, text[done:]]), offsets + normal[done:]


def _normal(raw: str) -> str:
    return raw.replace("\r\n", "\n").replace("\r", "\n").replace("\0", _REPLACEMENT)


def _replace(match: re.Match[str]) -> str:
    digits = match["hex"] or match["decimal"]
    if digits is not None:
        return _numbered(digits, 16 if match["hex"] else 10)
    whole, name = match.group(), match["name"]
    if whole.endswith(";") and f"{name};" in html5:
        return html5[f"{name};"]
    # Without its semicolon a name counts only when nothing follows that could be part of a query.
    following = match.string[match.end() : match.end() + 1]
    if name in html5 and (whole.endswith(";") or following != "="):
        return html5[name] + (";" if whole.endswith(";") else "")
    return whole


def _numbered(digits: str, base: int) -> str:
    significant = digits.lstrip("0")
    # Longer than U+10FFFF in either base, and too long for `int` at some length.
    if not significant or len(significant) > 7:
        return _REPLACEMENT
    code = int(significant, base)
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return _REPLACEMENT
    if 0x80 <= code <= 0x9F:
        return bytes([code]).decode("cp1252", "ignore") or chr(code)
    return chr(code)
