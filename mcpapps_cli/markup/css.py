"""The URLs that a style sheet names, with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mcpapps_cli.markup.reference import Reference, ReferenceKind

# A string that its line ends in is the standard's bad-string-token, and names nothing.
_STRING: Final = (
    r"\"(?:[^\"\\\n\r\f]++|\\(?:\r\n|[\s\S]))*+(?P<double>\")?+"
    r"|'(?:[^'\\\n\r\f]++|\\(?:\r\n|[\s\S]))*+(?P<single>')?+"
)
# Everything that can hide a URL or end the thing that a URL is in.
_MARK: Final = re.compile(
    r"(?P<comment>/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z))"
    rf"|(?P<string>{_STRING})"
    r"|(?P<url>(?<![\w-])url\([ \t\n\r\f]*+(?![\"' \t\n\r\f]))"
    r"|(?P<at>@[\w-]++)"
    r"|(?P<function>(?P<name>[\w-]*+)\()"
    r"|(?P<close>[)};{])"
    r"|(?P<escape>\\[\s\S])"
    r"|(?P<word>[\w-]++)",
    re.IGNORECASE,
)
_BARE_URL: Final = re.compile(r"(?P<url>(?:[^\s\"'()\\]++|\\[^\n\r\f])*+)\s*+(?:\)|\Z)")
_BAD_URL: Final = re.compile(r"(?:[^)\\]|\\[\s\S])*+\)?")
_ESCAPE: Final = re.compile(
    r"\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\n\r\f])?|(\r\n|[\n\r\f])|([\s\S]))"
)
# A sheet without one of these names no URL: a backslash may hide a letter of the others.
_ANY: Final = re.compile(r"url|@import|image-set|\\", re.IGNORECASE)
_IMAGE_SETS: Final = ("image-set", "-webkit-image-set")
# Their URLs are names; nothing is loaded.
_NAMES_ONLY: Final = ("@namespace", "@document", "@-moz-document")


def references(css: str, *, base: int = 0) -> Iterator[Reference]:
    """Find every URL of a style sheet or of a `style` attribute; never raises.

    Args:
        css: The style sheet.
        base: Added to every offset.

    Yields:
        In order, with `url()`, `@import` or `image-set()` as the attribute. The kind is `import`
        after `@import`, `font` inside `@font-face`, and `image` elsewhere.
    """
    if _ANY.search(css) is None:
        return
    context = _Context()
    position = 0
    while match := _MARK.search(css, position):
        position = match.end()
        span, attribute = (0, 0), ""
        if match["at"] is not None:
            context.at_rule = match["at"].lower()
        elif match["close"] is not None:
            context.take(match["close"])
        elif match["function"] is not None:
            context.functions.append(match["name"].lower())
        elif match["url"] is not None:
            bare = _BARE_URL.match(css, position)
            if bare is not None:
                position = bare.end()
                span, attribute = bare.span("url"), "url()"
            elif bad := _BAD_URL.match(css, position):
                # The standard's bad-url-token: it ends at the bracket and names nothing.
                position = bad.end()
        elif match["double"] is not None or match["single"] is not None:
            span, attribute = (match.start() + 1, match.end() - 1), context.use_of_string()
        url = unescape(css[slice(*span)]).strip()
        if not attribute or not url or context.at_rule in _NAMES_ONLY:
            continue
        kind: ReferenceKind = "font" if context.fonts else "image"
        if context.at_rule == "@import":
            kind, attribute = "import", "@import"
        yield Reference(url, kind, base + span[0], base + span[1], attribute=attribute)


class _Context:
    """The rule, blocks and functions that a place in a style sheet is in."""

    def __init__(self) -> None:
        self.at_rule = ""
        self.functions: list[str] = []
        self.fonts = 0
        self._blocks: list[str] = []

    def take(self, mark: str) -> None:
        """Take a closing bracket, a brace or a semicolon."""
        if mark == ")":
            if self.functions:
                self.functions.pop()
            return
        self.functions.clear()
        if mark == "{":
            self._blocks.append(self.at_rule)
            self.fonts += self.at_rule == "@font-face"
        elif mark == "}" and self._blocks:
            self.fonts -= self._blocks.pop() == "@font-face"
        self.at_rule = ""

    def use_of_string(self) -> str:
        """Return what a string here names a URL for, or "" when it names none."""
        innermost = self.functions[-1] if self.functions else ""
        if innermost == "url":
            return "url()"
        if innermost in _IMAGE_SETS:
            return "image-set()"
        return "@import" if self.at_rule == "@import" and not innermost else ""


def unescape(text: str) -> str:
    r"""Replace the escapes of a CSS string or URL, such as `\26 ` (CSS Syntax, 4.3.7)."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    if match[1] is None:
        return match[3] or ""
    code = int(match[1], 16)
    if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return chr(code)
