"""A script as its syntax tree: what it calls, imports, assigns and says in strings.

Text search finds the candidates and the tree decides, so that a script in which nothing of
interest stands is never parsed. Offsets are characters of the script.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

from mcpapps_cli.markup.around import AROUND
from mcpapps_cli.markup.literal import Import, StringLiteral, unescape

if TYPE_CHECKING:
    from tree_sitter import Node as Node
    from tree_sitter import Parser, Tree

CODE_CHARS: Final = 8 * 2**20
"""A script longer than this is not parsed: the tree takes many times its size."""
# What many Views of a server have alike, as the bridge; their trees are kept.
_SHARED_BYTES: Final = 2**15
_GLOBAL: Final = frozenset({"window", "globalThis", "self"})
_QUOTED: Final = frozenset({"string", "template_string"})
_NAMES: Final = frozenset(
    {"identifier", "property_identifier", "shorthand_property_identifier", "undefined"}
)
_BOUND: Final = frozenset({"shorthand_property_identifier_pattern"})
_CALLS: Final = {"call_expression": "function", "new_expression": "constructor"}
_HIDING: Final = re.compile(r"\\[/xu]")
_WORD: Final = re.compile(r"[\w$]")
_WHOLE: Final = re.compile(r"[\w$]+")
_STEPS: Final = 64
# A look into the tree passes the siblings before a node, and each step out of it costs its depth.
# This is enough for a hundred thousand looks into ordinary code; code made to be deep ends soon.
_WORK: Final = 400_000_000
_SAMPLE: Final = 64


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Replace characters outside ASCII, so that an offset in bytes is one in characters."""
    assert isinstance(error, UnicodeEncodeError)
    wrong = error.object[error.start : error.end]
    return "".join(" " if char.isspace() or char == "\ufeff" else "u" for char in wrong), error.end


codecs.register_error("mcpapps-plain", _plain)


@cache
def _parser() -> Parser:
    import tree_sitter_javascript
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_javascript.language()))


@lru_cache(maxsize=16)
def _shared_tree(source: bytes) -> Tree:
    return _parser().parse(source)


@dataclass(frozen=True, slots=True)
class Call:
    """A call or a construction of something that has a name.

    Attributes:
        path: What is called, as `axios.get`; `window.` and its like are left out.
        start: Offset of the callee.
        end: Offset after the callee.
        arguments: The argument expressions.
        new: Whether it is a construction.
        node: The whole expression.
    """

    path: str
    start: int
    end: int
    arguments: tuple[Node, ...]
    new: bool
    node: Node


class Code:
    """The text of one script, parsed when something asks; never raises on any text.

    Attributes:
        source: The text.
        exhausted: Whether the code is so deep that part of it was not looked at.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.exhausted = False
        self._looks = 0
        self._work = 0

    @cached_property
    def _bytes(self) -> bytes:
        return self.source.encode("ascii", "mcpapps-plain")

    @cached_property
    def tree(self) -> Tree:
        """The syntax tree; that of an empty script when this one is too long."""
        if len(self._bytes) <= _SHARED_BYTES:
            return _shared_tree(self._bytes)
        return _parser().parse(self._bytes if self.readable else b"")

    @property
    def readable(self) -> bool:
        """Whether the script is short enough to be parsed."""
        return len(self.source) <= CODE_CHARS

    @cached_property
    def broken(self) -> bool:
        """Whether the text is not a valid script."""
        return self.tree.root_node.has_error

    def text(self, node: Node) -> str:
        """Return the text of a node."""
        return self.source[node.start_byte : node.end_byte]

    def node_at(self, start: int, end: int) -> Node:
        """Return the smallest node that covers `[start, end)`; the root once `exhausted`."""
        root = self.tree.root_node
        if self._is_too_much(start):
            return root
        return root.descendant_for_byte_range(start, end) or root

    def words(self, word: str) -> Iterator[Node]:
        """Yield every name that is `word` in the code: no string, comment or longer name."""
        return self._words(word, _NAMES)

    def bound(self, word: str) -> Iterator[Node]:
        """Yield every place where `word` is taken out of an object by its name, as `{ word }`."""
        return self._words(word, _BOUND)

    @cached_property
    def _said(self) -> frozenset[str]:
        # Rules ask for many words, few of which a script has; looking for each would take longer.
        return frozenset(_WHOLE.findall(self.source))

    def _words(self, word: str, kinds: frozenset[str]) -> Iterator[Node]:
        if word not in self._said:
            return
        for start in self.offsets(word):
            end = start + len(word)
            if _WORD.match(self.source, end) or (start and _WORD.match(self.source, start - 1)):
                continue
            node = self.node_at(start, end)
            if node.type in kinds and node.start_byte == start and node.end_byte == end:
                yield node

    def _is_too_much(self, at: int) -> bool:
        """Count one more look into the tree; true once they have cost too much."""
        if not self.exhausted and self._looks % _SAMPLE == 0:
            cursor = self.tree.walk()
            depth = passed = 0
            while (index := cursor.goto_first_child_for_byte(at)) is not None:
                depth, passed = depth + 1, passed + index
            self._work += (passed + depth * min(depth, AROUND)) * _SAMPLE
            self.exhausted = self._work > _WORK
        self._looks += 1
        return self.exhausted

    def offsets(self, text: str) -> Iterator[int]:
        """Yield where `text` stands in the source, whatever it is part of."""
        start = self.source.find(text)
        while start >= 0:
            yield start
            start = self.source.find(text, start + len(text))

    def uses(self, path: str) -> Iterator[Node]:
        """Yield the expressions that read or name `path`, such as `document.cookie`.

        A path of one name must be a variable, not the member of something.
        """
        wanted = path.split(".")
        for word in self.words(wanted[-1]):
            node = word
            parent = node.parent
            if (
                parent is not None
                and parent.type == "member_expression"
                and _is(parent.child_by_field_name("property"), node)
            ):
                node = parent
            elif node.type == "property_identifier" or (
                len(wanted) == 1 and parent is not None and _declares(parent, node)
            ):
                continue
            if self.path(node) == path:
                yield node

    def calls(self, *paths: str) -> Iterator[Call]:
        """Yield the calls and constructions of these paths, in order per path.

        A path that begins with a dot, as `.open`, is a method of whatever object.
        """
        for path in paths:
            if path.startswith("."):
                for word in self.words(path[1:]):
                    member = word.parent
                    if member is not None and member.type == "member_expression":
                        yield from self._call(member)
            else:
                for node in self.uses(path):
                    yield from self._call(node)

    def _call(self, callee: Node) -> Iterator[Call]:
        node = callee.parent
        if node is None or node.type not in _CALLS:
            return
        if not _is(node.child_by_field_name(_CALLS[node.type]), callee):
            return
        listed = node.child_by_field_name("arguments")
        given = () if listed is None or listed.type != "arguments" else listed.named_children
        arguments = tuple(each for each in given if each.type != "comment")
        yield Call(
            self.path(callee),
            callee.start_byte,
            callee.end_byte,
            arguments,
            node.type == "new_expression",
            node,
        )

    def declares(self, name: str) -> bool:
        """Whether the script has a function, variable, parameter or import of that name."""
        return any(
            node.parent is not None and _declares(node.parent, node) for node in self.words(name)
        )

    def path(self, node: Node) -> str:
        """Return the dotted path of an expression; "" stands for what has no name.

        `window.fetch` is `fetch`, and `a().open` is `.open`.
        """
        parts: list[str] = []
        found: Node | None = node
        for _ in range(_STEPS):
            if found is None or found.type not in ("member_expression", "subscript_expression"):
                break
            key = found.child_by_field_name("property") or found.child_by_field_name("index")
            value = self.string(key) if key is not None and key.type in _QUOTED else None
            parts.append("" if key is None else value if value is not None else self.text(key))
            found = found.child_by_field_name("object")
        named = found is not None and found.type in ("identifier", "this", "super")
        parts.append(self.text(found) if named and found is not None else "")
        parts.reverse()
        if len(parts) > 1 and parts[0] in _GLOBAL:
            del parts[0]
        return ".".join(parts)

    def string(self, node: Node | None) -> str | None:
        """Return the value of a string or of a template without values, else None."""
        if node is None or node.type not in _QUOTED:
            return None
        if node.type == "template_string" and any(
            child.type == "template_substitution" for child in node.named_children
        ):
            return None
        return unescape(self.source[node.start_byte + 1 : node.end_byte - 1])

    def head(self, node: Node | None) -> str | None:
        """Return the text of a template before its first value, else None."""
        if node is None or node.type != "template_string":
            return None
        for child in node.named_children:
            if child.type == "template_substitution":
                return unescape(self.source[node.start_byte + 1 : child.start_byte])
        return None

    def strings(self, fragment: str) -> Iterator[tuple[StringLiteral, Node]]:
        """Yield the string literals whose value holds `fragment`, written plainly or escaped."""
        seen: set[int] = set()
        for start in self.offsets(fragment):
            yield from self._string_at(start, start + len(fragment), fragment, seen)
        for literal, node in self._escaped:
            if fragment in literal.value and literal.start not in seen:
                yield literal, node

    def _string_at(
        self, start: int, end: int, fragment: str, seen: set[int]
    ) -> Iterator[tuple[StringLiteral, Node]]:
        node: Node | None = self.node_at(start, end)
        if node is not None and node.type in ("string_fragment", "escape_sequence"):
            node = node.parent
        if node is None or node.start_byte in seen:
            return
        value = self.string(node)
        if value is not None and fragment in value:
            seen.add(node.start_byte)
            yield self._literal(node, value), node

    def _literal(self, node: Node, value: str) -> StringLiteral:
        start, end = node.start_byte, node.end_byte
        return StringLiteral(value, start, end, self.source[start])

    @cached_property
    def _escaped(self) -> tuple[tuple[StringLiteral, Node], ...]:
        """The strings in which an escape may hide a letter."""
        found: dict[int, tuple[StringLiteral, Node]] = {}
        for match in _HIDING.finditer(self.source):
            node: Node | None = self.node_at(match.start(), match.end())
            while node is not None and node.type in ("string_fragment", "escape_sequence"):
                node = node.parent
            value = self.string(node)
            if node is not None and value is not None:
                found[node.start_byte] = (self._literal(node, value), node)
        return tuple(found.values())

    def mentions(self, word: str) -> bool:
        """Whether the script holds `word`, plainly or escaped in a string."""
        return word in self.source or any(word in literal.value for literal, _ in self._escaped)

    def members(self, node: Node | None) -> dict[str, Node | None]:
        """Return the members of an object literal; the value of a shorthand is its name.

        Empty for another node. A spread is under the key `...`.
        """
        found: dict[str, Node | None] = {}
        if node is None or node.type != "object":
            return found
        for child in node.named_children:
            if child.type == "pair":
                key = child.child_by_field_name("key")
                value = child.child_by_field_name("value")
                if key is not None:
                    found[self.string(key) or self.text(key)] = value
            elif child.type == "shorthand_property_identifier":
                found[self.text(child)] = child
            elif child.type == "spread_element":
                found["..."] = child
            elif child.type == "method_definition":
                name = child.child_by_field_name("name")
                if name is not None:
                    found[self.text(name)] = child
        return found

    def key_of(self, node: Node) -> str | None:
        """Return the key under which a value stands in an object literal, else None."""
        pair = node.parent
        if pair is None or pair.type != "pair" or not _is(pair.child_by_field_name("value"), node):
            return None
        key = pair.child_by_field_name("key")
        return None if key is None else self.string(key) or self.text(key)

    def imports(self) -> tuple[Import, ...]:
        """Return every import and every export from another module, in order."""
        return self._imports

    @cached_property
    def _imports(self) -> tuple[Import, ...]:
        from mcpapps_cli.markup.imports import find_imports

        return tuple(find_imports(self))


def _declares(parent: Node, name: Node) -> bool:
    return parent.type in (
        *("function_declaration", "class_declaration", "formal_parameters", "import_specifier"),
        *("generator_function_declaration", "import_clause", "namespace_import"),
    ) or (parent.type == "variable_declarator" and _is(parent.child_by_field_name("name"), name))


def _is(one: Any, other: Any) -> bool:
    return one is not None and other is not None and one.id == other.id
