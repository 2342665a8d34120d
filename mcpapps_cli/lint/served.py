"""A View's page as it is served: parsed once, with places and the text of its scripts."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from mcpapps_cli.lint.place import Place
from mcpapps_cli.markup.js import Import, StringLiteral, imports, strings, template_heads
from mcpapps_cli.markup.page import Page, Script
from mcpapps_cli.markup.reference import Reference
from mcpapps_cli.model import Position, Uri

_SNIFF_CHARS = 1024
_LEADING_COMMENTS = re.compile(r"(?:\s|\ufeff|<!--.*?-->)*", re.DOTALL)
# What stands before it tells a comment from the `//` of a URL or of a regular expression.
_COMMENT = re.compile(r"(?<![^\s;{}(),])(?:/\*.*?\*/|//[^\n]*)", re.DOTALL)
_MODULE_WORD = re.compile(r"\b(?:im|ex)port\b")
_NOT_LINE_END = re.compile(r"[^\r\n]")
_RELATIVE = re.compile(r"(?![a-z][a-z0-9+.-]*:)(?![/\\]{2})[^#]", re.IGNORECASE)
_LOOPBACK = re.compile(
    r"(?:[a-z]+:)?//(?:[^/@]*@)?"
    r"(?:(?:[^/:]+\.)?localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\])(?=[:/?#]|$)",
    re.IGNORECASE,
)
_HTML_START = re.compile(r"<!doctype\s+html|<html[\s>/]", re.IGNORECASE)


def is_relative(url: str) -> bool:
    """Whether a URL needs a base: it has no scheme, no host, and is more than a fragment."""
    return _RELATIVE.match(url.strip()) is not None


def is_loopback(url: str) -> bool:
    """Whether a URL or an origin names this machine."""
    return _LOOPBACK.match(url.strip()) is not None


def is_html(text: str) -> bool:
    """Whether a host would take `text` for an HTML document.

    The doctype or the `html` element must stand in the first 1024 characters after white space,
    a byte order mark and comments.
    """
    skipped = _LEADING_COMMENTS.match(text)
    start = skipped.end() if skipped else 0
    return _HTML_START.search(text, start, start + _SNIFF_CHARS) is not None


def _blank(code: str, literals: Iterable[StringLiteral]) -> str:
    parts: list[str] = []
    end = 0
    for literal in literals:
        parts += [code[end : literal.start], _spaces(code[literal.start : literal.end])]
        end = literal.end
    return _COMMENT.sub(lambda match: _spaces(match[0]), "".join([*parts, code[end:]]))


def _spaces(text: str) -> str:
    return _NOT_LINE_END.sub(" ", text)


@dataclass(frozen=True)
class Served:
    """The page of a View as it is served, with its scripts read once."""

    uri: Uri
    page: Page

    @property
    def text(self) -> str:
        """The document."""
        return self.page.text

    @cached_property
    def code(self) -> tuple[Script, ...]:
        """The inline scripts that run; data blocks and import maps are not among them."""
        return tuple(
            script
            for script in self.page.scripts
            if script.src is None and script.type in ("classic", "module")
        )

    def strings(self, script: Script) -> tuple[StringLiteral, ...]:
        """Return the string literals of an inline script, with offsets in the script."""
        return self._strings[script.start]

    @cached_property
    def _strings(self) -> dict[int, tuple[StringLiteral, ...]]:
        return {script.start: tuple(strings(self.source(script))) for script in self.code}

    def heads(self, script: Script) -> tuple[StringLiteral, ...]:
        """Return the templates with values of an inline script, up to their first value."""
        return self._heads[script.start]

    @cached_property
    def _heads(self) -> dict[int, tuple[StringLiteral, ...]]:
        return {
            script.start: tuple(template_heads(code)) if "${" in code else ()
            for script, code in self._sources
        }

    def source(self, script: Script) -> str:
        """Return the text of an inline script."""
        return self.text[script.start : script.end]

    def imports(self, script: Script) -> tuple[Import, ...]:
        """Return the imports of an inline script, with offsets in the script."""
        return self._imports[script.start]

    @cached_property
    def _imports(self) -> dict[int, tuple[Import, ...]]:
        return {
            script.start: tuple(imports(code)) if _MODULE_WORD.search(code) else ()
            for script, code in self._sources
        }

    @property
    def _sources(self) -> list[tuple[Script, str]]:
        return [(script, self.source(script)) for script in self.code]

    @cached_property
    def _token_starts(self) -> list[int]:
        return [token.start for token in self.page.tokens]

    def attribute(self, reference: Reference, name: str) -> str:
        """Return the lower-case value of another attribute of the element of `reference`."""
        index = bisect_right(self._token_starts, reference.start) - 1
        attrs = self.page.tokens[index].attrs if index >= 0 else ()
        return next((attr.value or "" for attr in attrs if attr.name == name), "").lower()

    def bare(self, script: Script) -> str:
        """Return the code of a script with strings and comments blanked, offsets unchanged."""
        return self._bare[script.start]

    @cached_property
    def _bare(self) -> dict[int, str]:
        return {
            script.start: _blank(
                self.source(script),
                sorted((*self.strings(script), *self.heads(script)), key=lambda one: one.start),
            )
            for script in self.code
        }

    @cached_property
    def external_code(self) -> bool:
        """Whether some of the page's code is not in the page, so that absence proves nothing."""
        return any(
            script.src is not None and script.type in ("classic", "module")
            for script in self.page.scripts
        ) or any(self.imports(script) for script in self.code)

    def mentions(self, word: str) -> bool:
        """Whether an inline script holds `word`, written plainly or escaped in a string."""
        return any(word in self.source(script) for script in self.code) or any(
            word in literal.value for script in self.code for literal in self.strings(script)
        )

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", self.text))]

    @cached_property
    def _lines(self) -> list[str]:
        # Kept whole, so that the many findings of one minified line share one string.
        starts = [*self._line_starts, len(self.text)]
        return [self.text[a:b].rstrip("\r\n") for a, b in pairwise(starts)]

    def at_word(self, word: str) -> Place:
        """Return the place of `word` in the first script that has it, else of a script's tag."""
        for script in self.code:
            start = self.source(script).find(word)
            if start >= 0:
                return self.at(script.start + start, script.start + start + len(word))
        tags = [script.token for script in self.code]
        return self.at(tags[0].start, tags[0].end) if tags else self.at(0)

    def at(self, start: int, end: int | None = None) -> Place:
        """Return the place of the characters `[start, end)` of the page."""
        line = bisect_right(self._line_starts, start)
        column = start - self._line_starts[line - 1] + 1
        source = self._lines[line - 1]
        wanted = 1 if end is None else end - start
        length = max(1, min(wanted, len(source) - column + 1))
        return Place(self.uri, position=Position(self.uri, line, column, length, source))
