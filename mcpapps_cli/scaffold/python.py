"""A server's Python source: which SDK it is made with, and statements added in its own style."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import libcst as cst
from libcst.helpers import get_full_name_for_node

from mcpapps_cli.errors import UserError

Sdk = Literal["mcp", "mcp1", "fastmcp", "mcpapps"]
"""`mcp` is the SDK 2 with `Apps`, `mcp1` its FastMCP of 1.x, `mcpapps` our helpers on SDK 2."""
_SERVERS: Final[dict[str, Sdk]] = {
    "mcp.server.apps.Apps": "mcp",
    "mcpapps_cli.server.Apps": "mcpapps",
    "mcp.server.fastmcp.FastMCP": "mcp1",
    "mcp.server.fastmcp.server.FastMCP": "mcp1",
    "fastmcp.FastMCP": "fastmcp",
    "fastmcp.server.FastMCP": "fastmcp",
}
_Small = cst.BaseSmallStatement
Import = tuple[str, str | None]
"""A module, and a name of it or None for the module itself."""


@dataclass(frozen=True, slots=True)
class Registrar:
    """The object of a file with which tools are registered.

    Attributes:
        sdk: What it is made with.
        name: Its name in the file.
        index: Its statement in the module.
    """

    sdk: Sdk
    name: str
    index: int


@dataclass(frozen=True)
class Assigned:
    """A name that the file's top level gives to a value; `is_string` when that is a plain one."""

    name: str
    index: int
    is_string: bool


class Source:
    """A Python file, parsed so that everything but what is added stays as it is."""

    def __init__(self, data: bytes, shown: str):
        try:
            data.decode("utf-8")
            self.module = cst.parse_module(data)
        except UnicodeDecodeError as exc:
            raise UserError(
                f'"{shown}" is not UTF-8 at byte {exc.start}', help="save it as UTF-8"
            ) from exc
        except (cst.ParserSyntaxError, LookupError, SyntaxError) as exc:
            line = getattr(exc, "raw_line", None)
            where = f":{line}" if line else ""
            raise UserError(
                f'"{shown}{where}" is not valid Python', help="correct it first"
            ) from exc
        self.shown = shown
        self._body = list(self.module.body)

    @property
    def data(self) -> bytes:
        """The file as it is now."""
        return self.module.with_changes(body=self._body).bytes

    def registrar(self) -> Registrar:
        """Return the object that registers the tools with Views.

        Raises:
            UserError: There is none at the file's top level.
        """
        imported = dict(self._imported())
        for index, name, value in self._assigned():
            if isinstance(value, cst.Call):
                called = get_full_name_for_node(value.func) or ""
                first, dot, rest = called.partition(".")
                sdk = _SERVERS.get(f"{imported.get(first, first)}{dot}{rest}")
                if sdk is not None:
                    return Registrar(sdk, name, index)
        raise UserError(
            f'"{self.shown}" has no server that tools with Views can be added to',
            help="make one with Apps() of mcp.server.apps or with FastMCP() at its top level, "
            "or name another file with --server",
        )

    def names(self) -> set[str]:
        """Return every name that the file's top level binds, and every tool that it names."""
        found = {name for name, _ in self._imported()}
        found |= {name for _, name, _ in self._assigned()}
        for statement in self._body:
            if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
                found.add(statement.name.value)
        return found

    def named_tools(self) -> set[str]:
        """Return the names that decorators give to tools in place of their function's."""
        return {
            word.value.raw_value
            for statement in self._body
            for call in _decorators(statement, "tool")
            for word in call.args
            if (word.keyword is None or word.keyword.value == "name")
            and isinstance(word.value, cst.SimpleString)
            and isinstance(word.value.raw_value, str)
        }

    def assigned_from(self, text: str) -> Assigned | None:
        """Return the first assignment of a value in which that string is written."""
        for index, name, value in self._assigned():
            if text in _strings(value):
                return Assigned(name, index, isinstance(value, cst.SimpleString))
        return None

    def folder(self, name: str) -> Assigned | None:
        """Return the assignment of a path that ends in a folder of that name."""
        for index, target, value in self._assigned():
            parts = (
                value.right
                if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Divide)
                else value.args[-1].value
                if isinstance(value, cst.Call)
                and value.args
                and get_full_name_for_node(value.func) == "Path"
                else None
            )
            if isinstance(parts, cst.SimpleString) and parts.raw_value == name:
                return Assigned(target, index, False)
        return None

    def mentions(self, text: str) -> bool:
        """Return whether a string of the file is `text`."""
        return text in _strings(self.module)

    def insert(self, code: str, after: int) -> None:
        """Insert statements after the one of that index, two lines below it."""
        code = code.strip().replace("    ", self.module.default_indent)
        code = code.replace("\n", self.module.default_newline)
        made = list(cst.parse_module(code, config=self.module.config_for_parsing).body)
        empty = cst.EmptyLine(indent=False)
        made[0] = made[0].with_changes(leading_lines=(empty, empty))
        self._body[after + 1 : after + 1] = made

    def place(self, registrar: Registrar) -> int:
        """Return the statement after which a tool goes: the last that registers something."""
        last = registrar.index
        for index, statement in enumerate(self._body):
            for call in _decorators(statement, "tool", "resource"):
                if _receiver(call) == registrar.name:
                    last = max(last, index)
            if _registers(statement, registrar.name):
                last = max(last, index)
        return last

    def add_import(self, module: str, name: str | None) -> None:
        """Import a module, or a name of it, unless the file does."""
        wanted = f"{module}.{name}" if name else module
        if any(bound == (name or module) and full == wanted for bound, full in self._imported()):
            return
        for index, statement in enumerate(self._body):
            node = _import_from(statement)
            if (
                name
                and node
                and _module_name(node) == module
                and not isinstance(node.names, cst.ImportStar)
            ):
                self._body[index] = statement.with_changes(body=[_with_name(node, name)])
                return
        line = f"from {module} import {name}\n" if name else f"import {module}\n"
        (made,) = cst.parse_module(line, config=self.module.config_for_parsing).body
        place = self._import_place(module)
        there = self._body[place] if place < len(self._body) else None
        if isinstance(there, cst.SimpleStatementLine) and _is_before(module, there):
            # The line between the groups stays before the first of the group.
            made = made.with_changes(leading_lines=there.leading_lines)
            self._body[place] = there.with_changes(leading_lines=())
        self._body.insert(place, made)

    def _import_place(self, module: str) -> int:
        """Return where an import goes: in the order of its group, or at the group's end."""
        root = module.partition(".")[0]
        group = _group(root)
        place = first = None
        for index, statement in enumerate(self._body):
            other = _imported_module(statement)
            if other is None:
                continue
            if first is None and other != "__future__":
                first = index
            if _group(other.partition(".")[0]) == group and (place is None or other < module):
                place = index + (1 if other < module else 0)
            elif place is None and _group(other.partition(".")[0]) < group:
                place = index + 1
        if place is not None:
            return place
        if first is not None:
            return first
        return 1 if self._body and _is_docstring(self._body[0]) else 0

    def _imported(self) -> Iterator[tuple[str, str]]:
        """Yield the names that imports of the top level bind, and what each is."""
        for statement in self._body:
            if not isinstance(statement, cst.SimpleStatementLine):
                continue
            for node in statement.body:
                if isinstance(node, cst.Import):
                    for alias in node.names:
                        full = get_full_name_for_node(alias.name) or ""
                        yield (alias.evaluated_alias or full), full
                elif isinstance(node, cst.ImportFrom) and not isinstance(
                    node.names, cst.ImportStar
                ):
                    for alias in node.names:
                        bound = alias.evaluated_alias or alias.evaluated_name
                        yield bound, f"{_module_name(node)}.{alias.evaluated_name}"

    def _assigned(self) -> Iterator[tuple[int, str, cst.BaseExpression]]:
        for index, statement in enumerate(self._body):
            if not isinstance(statement, cst.SimpleStatementLine):
                continue
            for node in statement.body:
                if isinstance(node, cst.Assign):
                    for target in node.targets:
                        if isinstance(target.target, cst.Name):
                            yield index, target.target.value, node.value
                elif isinstance(node, cst.AnnAssign) and node.value is not None:
                    yield index, get_full_name_for_node(node.target) or "", node.value


def is_usable(name: str) -> bool:
    """Return whether a function can have that name."""
    return name.isascii() and name.isidentifier() and not keyword.iskeyword(name)


def _decorators(statement: cst.CSTNode, *names: str) -> Iterator[cst.Call]:
    if not isinstance(statement, cst.FunctionDef):
        return
    for decorator in statement.decorators:
        call = decorator.decorator
        if not isinstance(call, cst.Call):
            call = cst.Call(call)
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in names:
            yield call


def _receiver(call: cst.Call) -> str:
    return (get_full_name_for_node(call.func) or "").rpartition(".")[0]


def _registers(statement: cst.CSTNode, name: str) -> bool:
    """Return whether a statement is a call such as `apps.add_resource(...)`."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    (*_, node) = statement.body
    value = getattr(node, "value", None)
    if not isinstance(value, cst.Call) or not isinstance(value.func, cst.Attribute):
        return False
    return _receiver(value) == name and value.func.attr.value.startswith("add_")


def _strings(node: cst.CSTNode) -> set[str]:
    import libcst.matchers as m

    return {
        found.raw_value
        for found in m.findall(node, m.SimpleString())
        if isinstance(found, cst.SimpleString) and isinstance(found.raw_value, str)
    }


def _import_from(statement: cst.CSTNode) -> cst.ImportFrom | None:
    if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
        (node,) = statement.body
        return node if isinstance(node, cst.ImportFrom) else None
    return None


def _imported_module(statement: cst.CSTNode) -> str | None:
    node = _import_from(statement)
    if node is not None:
        return _module_name(node)
    if isinstance(statement, cst.SimpleStatementLine):
        for small in statement.body:
            if isinstance(small, cst.Import):
                return get_full_name_for_node(small.names[0].name)
    return None


def _module_name(node: cst.ImportFrom) -> str:
    name = get_full_name_for_node(node.module) if node.module is not None else None
    return "." * len(node.relative) + (name or "")


def _with_name(node: cst.ImportFrom, name: str) -> cst.ImportFrom:
    """Return the import with a further name, in alphabetical order where the others are."""
    assert not isinstance(node.names, cst.ImportStar)
    aliases = list(node.names)
    names = [alias.evaluated_name for alias in aliases]
    place = next((i for i, each in enumerate(names) if each > name), len(names))
    if names != sorted(names):
        place = len(names)
    space = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    between = next((a.comma for a in aliases[:-1] if isinstance(a.comma, cst.Comma)), space)
    if place < len(aliases):
        aliases.insert(place, cst.ImportAlias(cst.Name(name), comma=between))
    else:
        last = aliases[-1]
        aliases[-1] = last.with_changes(comma=between)
        aliases.append(cst.ImportAlias(cst.Name(name), comma=last.comma))
    return node.with_changes(names=aliases)


def _group(root: str) -> int:
    """Return the part of the imports that a package is in: future, standard, others, own."""
    import sys

    if root == "__future__":
        return 0
    return 1 if root in sys.stdlib_module_names else 2 if root else 3


def _is_before(module: str, statement: cst.CSTNode) -> bool:
    """Return whether an import is of the same group and comes after one of `module`."""
    other = _imported_module(statement)
    if other is None:
        return False
    return module < other and _group(module.partition(".")[0]) == _group(other.partition(".")[0])


def _is_docstring(statement: cst.CSTNode) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    (node, *_) = statement.body
    return isinstance(node, cst.Expr) and isinstance(node.value, cst.SimpleString)


def unused(name: str, taken: set[str], endings: Sequence[str]) -> str:
    """Return the name, or the first of it with an ending that is not taken."""
    return next(each for each in (name, *(name + end for end in endings)) if each not in taken)
