"""String literals and imports of JavaScript, found without a parser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from mcpapps_cli.markup.literal import Import, StringLiteral, unescape

_MARK: Final = re.compile(r"[\"'`/(){}]|(?<![\w$])(?:im|ex)port(?![\w$])|<!--|-->")
_COMMENT: Final = re.compile(r"//[^\n\r\u2028\u2029]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)")
_STRING: Final = re.compile(
    r"\"(?:[^\"\\\n\r]|\\(?:\r\n|[\s\S]))*+\"|'(?:[^'\\\n\r]|\\(?:\r\n|[\s\S]))*+'"
)
_CHUNK: Final = re.compile(r"(?:[^`\\$]|\\[\s\S]|\$(?!\{))*+")
_REGEX: Final = re.compile(
    r"/(?![*/])(?:[^/\\\[\n\r\u2028\u2029]|\\[^\n\r\u2028\u2029]"
    r"|\[(?:[^\]\\\n\r\u2028\u2029]|\\[^\n\r\u2028\u2029])*+\])++/[\w$]*+"
)
_LINE_END: Final = re.compile(r"[\n\r\u2028\u2029]")
_WORD_AT_END: Final = re.compile(r"[\w$]+\Z")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BEFORE_EXPRESSION: Final = _words(
    "await case default delete do else in instanceof new of return throw typeof void yield"
)
_BEFORE_BLOCK: Final = _words("do else")
_BEFORE_CONDITION: Final = _words("if while for with")
_LONGEST_KEYWORD: Final = 10
# What they mean does not depend on what is before them.
_OPERANDS: Final = frozenset("\"'`)}")

_GAP: Final = r"(?:\s++|/\*(?:[^*]|\*(?!/))*+\*/|//[^\n\r]*+)*+"
_NAME: Final = r"[^\W\d][\w$]*+|\$[\w$]*+"
_NAMED: Final = r"\{[^{}]*+\}"
_SPACE_NAME: Final = rf"\*{_GAP}as{_GAP}(?:{_NAME})"
_CLAUSE: Final = (
    rf"(?:(?:{_NAME})(?:{_GAP},{_GAP}(?:{_NAMED}|{_SPACE_NAME}))?+|{_NAMED}|{_SPACE_NAME})"
)
_SPECIFIER: Final = r"(?:\"(?P<double>(?:[^\"\\\n\r]|\\.)*+)\"|'(?P<single>(?:[^'\\\n\r]|\\.)*+)')"
_REST: Final = rf"(?:{_GAP}(?:with|assert){_GAP}\{{[^{{}}]*+\}})?+(?:[ \t]*+;)?+"
_IMPORT: Final = re.compile(
    rf"import{_GAP}(?:(?:(?:type|defer|source){_GAP}(?!from\b|,))?"
    rf"(?P<clause>{_CLAUSE}){_GAP}from{_GAP})?{_SPECIFIER}{_REST}"
)
_EXPORT: Final = re.compile(
    rf"export{_GAP}(?:type{_GAP})?"
    rf"(?P<clause>{_NAMED}|\*(?:{_GAP}as{_GAP}(?:{_NAME}|\"[^\"]*+\"|'[^']*+'))?+)"
    rf"{_GAP}from{_GAP}{_SPECIFIER}{_REST}"
)
_DYNAMIC: Final = re.compile(rf"import{_GAP}(?:\.{_GAP}(?:defer|source){_GAP})?\({_GAP}")
_DYNAMIC_SPECIFIER: Final = re.compile(
    rf"(?:{_SPECIFIER}|`(?P<template>(?:[^`\\$]|\\.|\$(?!\{{))*+)`)"
)
_DYNAMIC_END: Final = re.compile(
    rf"{_GAP}(?:,{_GAP}(?:\{{(?:[^{{}}]|\{{[^{{}}]*+\}})*+\}}{_GAP},?+{_GAP})?+)?+\)"
)


def strings(js: str) -> Iterator[StringLiteral]:
    """Find every string literal and every template without substitutions, in order.

    Comments and regular expressions are passed over. Whether a slash divides is judged from what
    is before it, as far as that can be done without a parser. Never raises.
    """
    for kind, start, end in _scan(js):
        if kind == "string":
            yield StringLiteral(unescape(js[start + 1 : end - 1]), start, end, js[start])


def template_heads(js: str) -> Iterator[StringLiteral]:
    """Find the text before the first `${` of every template that has one; never raises.

    `end` is the offset of that `${`.
    """
    for kind, start, end in _scan(js):
        if kind == "head":
            yield StringLiteral(unescape(js[start + 1 : end]), start, end, "`")


def open_comments(js: str) -> Iterator[int]:
    """Find every `<!--` that is code: a comment in a classic script, operators in a module."""
    for kind, start, _ in _scan(js):
        if kind == "open":
            yield start


def tagged_templates(js: str) -> Iterator[tuple[int, int]]:
    """Find the pieces of text of every template with a tag, which sees them as written."""
    for kind, start, end in _scan(js):
        if kind == "tagged":
            yield start, end


def comments(js: str) -> list[tuple[int, int]]:
    """Find every comment."""
    return [(start, end) for kind, start, end in _scan(js) if kind == "comment"]


def imports(js: str) -> Iterator[Import]:
    """Find every import and every export from another module, in order; never raises."""
    for kind, start, _ in _scan(js):
        if kind != "word":
            continue
        found = _dynamic(js, start) or _static(js, start)
        if found is not None:
            yield found


def _static(js: str, start: int) -> Import | None:
    exports = js.startswith("export", start)
    match = (_EXPORT if exports else _IMPORT).match(js, start)
    if match is None:
        return None
    group = "double" if match["double"] is not None else "single"
    spec_start, spec_end = match.span(group)
    clause = match["clause"]
    return Import(
        specifier=unescape(match[group]),
        start=start,
        end=match.end(),
        spec_start=spec_start,
        spec_end=spec_end,
        kind="export" if exports else "side-effect" if clause is None else "static",
        clause=clause or "",
    )


def _dynamic(js: str, start: int) -> Import | None:
    match = _DYNAMIC.match(js, start)
    if match is None:
        return None
    specifier = _DYNAMIC_SPECIFIER.match(js, match.end())
    end = _DYNAMIC_END.match(js, specifier.end()) if specifier else None
    if specifier is None or end is None:
        at = match.end()
        return Import("", start, at, at, at, "dynamic", computed=True)
    group = next(key for key in ("double", "single", "template") if specifier[key] is not None)
    spec_start, spec_end = specifier.span(group)
    return Import(unescape(specifier[group]), start, end.end(), spec_start, spec_end, "dynamic")


Event = tuple[Literal["string", "head", "word", "tagged", "open", "comment"], int, int]


def _scan(js: str) -> Iterator[Event]:
    """Yield literals, pieces of templates, comments, `import`, `export` and `<!--`."""
    return _Scanner(js).run()


class _Scanner:
    """Where the scan is, and what is needed to tell a division from a regular expression."""

    def __init__(self, js: str) -> None:
        self._js = js
        self._position = 0
        # Offset after the last character that is neither white space nor in a comment.
        self._last = 0
        self._open: list[tuple[str, int]] = []
        # The back quotes of the templates with a tag that the scan is in.
        self._tagged: set[int] = set()
        # What the last closing bracket closed, and where a regular expression ended.
        self._closed_operand = False
        self._regex_end = -1
        self._no_regex_before = 0

    def run(self) -> Iterator[Event]:
        js = self._js
        if js.startswith("#!"):
            self._position = self._line_end(0)
        while match := _MARK.search(js, self._position):
            start = match.start()
            mark = match.group()
            if mark not in _OPERANDS:
                self._take_gap(self._position, start)
            if mark in ("import", "export"):
                if js[self._last - 1 : self._last] != "." or js.endswith("...", 0, self._last):
                    yield "word", start, match.end()
                self._position = self._last = match.end()
            elif mark == "/":
                if comment := _COMMENT.match(js, start):
                    yield "comment", start, comment.end()
                    self._position = comment.end()
                else:
                    self._take_slash(start)
            elif mark == "`":
                self._take_gap(self._position, start)
                if self._last and not self._expects_expression(self._last):
                    self._tagged.add(start)
                yield from self._take_template(start, start + 1)
            elif mark in "\"'":
                yield from self._take_string(start)
            elif mark == "}" and self._open and self._open[-1][0] == "`":
                yield from self._take_template(self._open.pop()[1], start + 1)
            elif mark in ("<!--", "-->"):
                if mark == "<!--":
                    yield "open", start, match.end()
                self._take_html_comment(start, match.end())
            else:
                self._take_bracket(mark, start)

    def _take_gap(self, start: int, end: int) -> None:
        gap = self._js[start:end]
        if significant := gap.rstrip():
            self._last = start + len(significant)

    def _take_slash(self, start: int) -> None:
        js = self._js
        before = self._last
        self._position = self._last = start + 1
        if start < self._no_regex_before or not self._expects_expression(before):
            return
        regex = _REGEX.match(js, start)
        if regex is None:
            # It has no end on this line; looking again from the next slash would be quadratic.
            self._no_regex_before = self._line_end(start)
            return
        self._position = self._last = self._regex_end = regex.end()

    def _take_string(self, start: int) -> Iterator[Event]:
        string = _STRING.match(self._js, start)
        if string is None:
            self._position = self._last = self._line_end(start)
            return
        yield "string", start, string.end()
        self._position = self._last = string.end()

    def _take_template(self, opened: int, start: int) -> Iterator[Event]:
        """Go on in a template; `opened` is its back quote, `start` where this piece begins."""
        js = self._js
        chunk = _CHUNK.match(js, start)
        end = start if chunk is None else chunk.end()
        first = start == opened + 1
        if opened in self._tagged:
            yield "tagged", start, end
        if js.startswith("`", end):
            if first:
                yield "string", opened, end + 1
            self._position = self._last = end + 1
        elif js.startswith("${", end):
            if first:
                yield "head", opened, end
            self._open.append(("`", opened))
            self._position = self._last = end + 2
        else:
            self._position = self._last = len(js)

    def _take_html_comment(self, start: int, end: int) -> None:
        # Classic scripts have them; elsewhere than at the start of a line they are operators.
        if self._last == 0 or self._js.rfind("\n", self._last, start) >= 0:
            end = self._line_end(end)
        else:
            self._last = end
        self._position = end

    def _take_bracket(self, mark: str, start: int) -> None:
        if mark == "(":
            word = self._word_before(self._last)
            self._open.append(("condition" if word in _BEFORE_CONDITION else "(", start))
        elif mark == "{":
            self._open.append(("object" if self._opens_object() else "block", start))
        elif self._open and self._open[-1][0] != "`":
            kind, _ = self._open.pop()
            self._closed_operand = kind in ("(", "object")
        else:
            self._closed_operand = mark == ")"
        self._position = self._last = start + 1

    def _expects_expression(self, last: int) -> bool:
        """Whether an operand follows what ends at `last`, so that a slash begins a regex."""
        js = self._js
        if last == 0:
            return True
        if last == self._regex_end:
            return False
        before = js[last - 1]
        if before in ")}":
            return not self._closed_operand
        if before in "]\"'`":
            return False
        if before in "+-":
            return js[last - 2 : last] not in ("++", "--")
        if before == ".":
            return js[last - 3 : last] == "..."
        if before.isalnum() or before in "_$":
            return self._word_before(last) in _BEFORE_EXPRESSION
        return not (ord(before) > 127 and not before.isspace())

    def _opens_object(self) -> bool:
        js, last = self._js, self._last
        if last == 0:
            return False
        before = js[last - 1]
        if before == ":":
            return bool(self._open) and self._open[-1][0] != "block"
        if before == ">":
            return js[last - 2 : last] != "=>"
        if before.isalnum() or before in "_$":
            word = self._word_before(last)
            return word in _BEFORE_EXPRESSION and word not in _BEFORE_BLOCK
        return before in "([,=?+-*/%&|^!~<"

    def _line_end(self, at: int) -> int:
        match = _LINE_END.search(self._js, at)
        return len(self._js) if match is None else match.start()

    def _word_before(self, end: int) -> str:
        """Return the word that ends there, or "" when it is too long or the name of a member."""
        start = max(0, end - _LONGEST_KEYWORD - 1)
        match = _WORD_AT_END.search(self._js[start:end])
        if match is None or (match.start() == 0 and start > 0):
            return ""
        word_start = start + match.start()
        return "" if self._js[word_start - 1 : word_start] == "." else match.group()
