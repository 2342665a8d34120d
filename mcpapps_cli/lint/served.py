"""A View's page as it is served: parsed once, with places and the text of its scripts."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from mcpapps_cli.embed import SENTINEL
from mcpapps_cli.lint.place import Place
from mcpapps_cli.lint.source_map import SourceMap, find_map
from mcpapps_cli.markup.code import Code
from mcpapps_cli.markup.page import Page, Script
from mcpapps_cli.markup.reference import Reference
from mcpapps_cli.model import Position, Uri

if TYPE_CHECKING:
    from mcpapps_cli.markup.code import Node

_RELATIVE = re.compile(r"(?![a-z][a-z0-9+.-]*:)(?![/\\]{2})[^#]", re.IGNORECASE)
_LOOPBACK = re.compile(
    r"(?:[a-z]+:)?//(?:[^/@]*@)?"
    r"(?:(?:[^/:]+\.)?localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\])(?=[:/?#]|$)",
    re.IGNORECASE,
)


def is_relative(url: str) -> bool:
    """Whether a URL needs a base: it has no scheme, no host, and is more than a fragment."""
    return _RELATIVE.match(url.strip()) is not None


def is_loopback(url: str) -> bool:
    """Whether a URL or an origin names this machine."""
    return _LOOPBACK.match(url.strip()) is not None


class Inline(Code):
    """An inline script of a page; its offsets are those of the script."""

    def __init__(self, script: Script, source: str) -> None:
        super().__init__(source)
        self.script = script

    @property
    def bridged(self) -> bool:
        """Whether the bridge is in it, which names every method that there is."""
        return self.script.token.get(SENTINEL) is not None

    @cached_property
    def source_map(self) -> SourceMap | None:
        """The source map that the script carries."""
        return find_map(self.source) if "sourceMappingURL=data:" in self.source else None


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
    def code(self) -> tuple[Inline, ...]:
        """The inline scripts that run; data blocks and import maps are not among them."""
        return tuple(
            Inline(script, self.source(script))
            for script in self.page.scripts
            if script.src is None and script.type in ("classic", "module")
        )

    @property
    def own_code(self) -> tuple[Inline, ...]:
        """The inline scripts without the element that holds the bridge and nothing else.

        A module that a bundler made has both in one.
        """
        return tuple(
            code for code in self.code if not (code.bridged and code.script.type == "classic")
        )

    def source(self, script: Script) -> str:
        """Return the text of an inline script."""
        return self.text[script.start : script.end]

    @cached_property
    def _token_starts(self) -> list[int]:
        return [token.start for token in self.page.tokens]

    def attribute(self, reference: Reference, name: str) -> str:
        """Return the lower-case value of another attribute of the element of `reference`."""
        index = bisect_right(self._token_starts, reference.start) - 1
        attrs = self.page.tokens[index].attrs if index >= 0 else ()
        return next((attr.value or "" for attr in attrs if attr.name == name), "").lower()

    @cached_property
    def external_code(self) -> bool:
        """Whether some of the page's code is not in the page, so that absence proves nothing."""
        return any(
            script.src is not None and script.type in ("classic", "module")
            for script in self.page.scripts
        ) or any(code.imports() for code in self.code)

    def mentions(self, *words: str) -> bool:
        """Whether an inline script holds one of these, plainly or escaped in a string."""
        return any(code.mentions(word) for word in words for code in self.code)

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
        for code in self.code:
            start = code.source.find(word)
            if start >= 0:
                return self.in_code(code, start, start + len(word))
        tags = [code.script.token for code in self.code]
        return self.at(tags[0].start, tags[0].end) if tags else self.at(0)

    def in_code(self, code: Inline, start: int, end: int) -> Place:
        """Return the place of the characters `[start, end)` of an inline script.

        It is in the file that the script was built from, when a source map says which.
        """
        if code.source_map is not None:
            line = code.source.count("\n", 0, start)
            column = start - (code.source.rfind("\n", 0, start) + 1)
            original = code.source_map.place(line, column, end - start)
            if original is not None:
                return Place(self.uri, position=original)
        return self.at(code.script.start + start, code.script.start + end)

    def at_node(self, code: Inline, node: Node) -> Place:
        """Return the place of an expression of an inline script; at most its first line."""
        return self.in_code(code, node.start_byte, node.end_byte)

    def at(self, start: int, end: int | None = None) -> Place:
        """Return the place of the characters `[start, end)` of the page."""
        line = bisect_right(self._line_starts, start)
        column = start - self._line_starts[line - 1] + 1
        source = self._lines[line - 1]
        wanted = 1 if end is None else end - start
        length = max(1, min(wanted, len(source) - column + 1))
        return Place(self.uri, position=Position(self.uri, line, column, length, source))
