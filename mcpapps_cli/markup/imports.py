"""The imports of a script, read from its syntax tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcpapps_cli.markup.literal import Import

if TYPE_CHECKING:
    from tree_sitter import Node

    from mcpapps_cli.markup.code import Code


def find_imports(code: Code) -> Iterator[Import]:
    """Yield every import and every export from another module, in order."""
    found: dict[int, Import] = {}
    for word in ("import", "export"):
        start = code.source.find(word)
        while start >= 0:
            node = code.node_at(start, start + len(word))
            parent = node.parent
            if parent is not None and parent.type == "import":
                node, parent = parent, parent.parent
            if node.type == word and parent is not None:
                made = _dynamic(code, parent) if parent.type == "call_expression" else None
                made = made or _static(code, parent)
                if made is not None:
                    found[made.start] = made
            start = code.source.find(word, start + len(word))
    yield from (found[start] for start in sorted(found))


def _static(code: Code, node: Node) -> Import | None:
    if node.type not in ("import_statement", "export_statement"):
        return None
    source = node.child_by_field_name("source")
    value = code.string(source)
    if source is None or value is None:
        return None
    clause = code.source[node.start_byte + len("import") : source.start_byte].strip()
    clause = clause.removesuffix("from").strip()
    exports = node.type == "export_statement"
    return Import(
        specifier=value,
        start=node.start_byte,
        end=node.end_byte,
        spec_start=source.start_byte + 1,
        spec_end=source.end_byte - 1,
        kind="export" if exports else "static" if clause else "side-effect",
        clause=clause,
    )


def _dynamic(code: Code, node: Node) -> Import | None:
    arguments = node.child_by_field_name("arguments")
    given = () if arguments is None else arguments.named_children
    first = next((each for each in given if each.type != "comment"), None)
    value = code.string(first)
    if first is None or value is None:
        at = node.end_byte if first is None else first.start_byte
        return Import("", node.start_byte, node.end_byte, at, at, "dynamic", computed=True)
    return Import(
        specifier=value,
        start=node.start_byte,
        end=node.end_byte,
        spec_start=first.start_byte + 1,
        spec_end=first.end_byte - 1,
        kind="dynamic",
    )
