"""A server's Python source: which SDK it is made with, and statements added in its own style."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import libcst as cst
from libcst.helpers import get_full_name_for_node

from mcpapps_cli.errors import UserError
from mcpapps_cli.scaffold.imports import (
    import_from,
    import_place,
    imported_names,
    is_before,
    module_name,
    starts_group,
    with_name,
)

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
_PLAIN_SERVERS: Final = ("mcp.server.mcpserver.MCPServer", "mcp.server.MCPServer")
# One class under several addresses.
_SAME: Final = ("mcp", "mcp_types", "fastmcp", "typing_extensions")
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
        imported = dict(imported_names(self._body))
        for index, name, value in self._assigned():
            if isinstance(value, cst.Call):
                called = get_full_name_for_node(value.func) or ""
                first, dot, rest = called.partition(".")
                sdk = _SERVERS.get(f"{imported.get(first, first)}{dot}{rest}")
                if sdk is not None:
                    return Registrar(sdk, name, index)
        made = self._with_apps(imported)
        if made is not None:
            return made
        raise UserError(
            f'"{self.shown}" has no server that tools with Views can be added to',
            help="make one with Apps() of mcp.server.apps or with FastMCP() at its top level, "
            "or name another file with --server",
        )

    def _with_apps(self, imported: dict[str, str]) -> Registrar | None:
        """Give a server of the SDK 2 its first `Apps`; return None when there is no such server."""
        for index, _, value in self._assigned():
            if not isinstance(value, cst.Call):
                continue
            called = imported.get(get_full_name_for_node(value.func) or "", "")
            words = [word.keyword.value for word in value.args if word.keyword is not None]
            if called not in _PLAIN_SERVERS or "extensions" in words:
                continue
            name = unused("apps", self.names(), ("_2", "_3"))
            (made,) = cst.parse_module(f"{name} = Apps()").body
            extensions = cst.parse_expression(f"f(extensions=[{name}])")
            assert isinstance(extensions, cst.Call)
            server = value.with_changes(args=_with_argument(value.args, extensions.args[0]))
            statement = self._body[index].deep_replace(value, server)
            assert isinstance(statement, cst.SimpleStatementLine)
            empty = cst.EmptyLine(indent=False)
            self._body[index : index + 1] = [made.with_changes(leading_lines=(empty,)), statement]
            self.add_import("mcp.server.apps", "Apps")
            return self.registrar()
        return None

    def names(self) -> set[str]:
        """Return every name that the file's top level binds."""
        found = {name for name, _ in imported_names(self._body)}
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
        place = after + 1 + len(made)
        if place < len(self._body):
            below = self._body[place]
            lines = list(below.leading_lines)
            blank = next((i for i, line in enumerate(lines) if line.comment), len(lines))
            more = [empty] * max(0, 2 - blank)
            self._body[place] = below.with_changes(leading_lines=(*more, *lines))

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
        bound = name or module
        for each, full in imported_names(self._body):
            if each == bound and full == wanted:
                return
            if each == bound and full.split(".")[0] in _SAME and full.endswith(f".{bound}"):
                return
        if bound in self.names():
            raise UserError(
                f'"{self.shown}" uses the name "{bound}" for something else than {wanted}',
                help="rename it, or add the tool by hand",
            )
        for index, statement in enumerate(self._body):
            node = import_from(statement)
            if (
                name
                and node
                and module_name(node) == module
                and not isinstance(node.names, cst.ImportStar)
            ):
                self._body[index] = statement.with_changes(body=[with_name(node, name)])
                return
        line = f"from {module} import {name}\n" if name else f"import {module}\n"
        (made,) = cst.parse_module(line, config=self.module.config_for_parsing).body
        place = import_place(self._body, module)
        there = self._body[place] if place < len(self._body) else None
        if isinstance(there, cst.SimpleStatementLine) and starts_group(module, there):
            # The first of a group has a line above it.
            lines = tuple(there.leading_lines) or (cst.EmptyLine(indent=False),)
            self._body[place] = there.with_changes(leading_lines=lines)
        elif isinstance(there, cst.SimpleStatementLine) and is_before(module, there):
            made = made.with_changes(leading_lines=there.leading_lines)
            self._body[place] = there.with_changes(leading_lines=())
        self._body.insert(place, made)

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


def _with_argument(args: Sequence[cst.Arg], more: cst.Arg) -> list[cst.Arg]:
    """Return the arguments with a further one, set as the others are."""
    if not args:
        return [more]
    *most, last = args
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    between = next((arg.comma for arg in most if isinstance(arg.comma, cst.Comma)), comma)
    return [
        *most,
        last.with_changes(comma=between, whitespace_after_arg=cst.SimpleWhitespace("")),
        more.with_changes(
            comma=last.comma, whitespace_after_arg=last.whitespace_after_arg, equal=_EQUAL
        ),
    ]


_EQUAL: Final = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


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


def unused(name: str, taken: set[str], endings: Sequence[str]) -> str:
    """Return the name, or the first of it with an ending that is not taken."""
    return next(each for each in (name, *(name + end for end in endings)) if each not in taken)
