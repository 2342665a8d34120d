"""Names that a script takes from the bridge."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING

from mcpapps_cli.lint.rule import (
    HANDSHAKE,
    SENTINEL,
    Fault,
    Faults,
    Inline,
    Subject,
    bridge_names,
    page,
    rule,
    server,
)

if TYPE_CHECKING:
    from mcpapps_cli.markup.code import Node

# Stands for the bridge: what it is made of does not matter here, only its mark.
_BRIDGE = f"<script {SENTINEL}>\n{HANDSHAKE}</script>\n"
_USES = """\
  const { connect: open, HostError } = globalThis.mcpapps;
  const { view } = mcpapps;
  window.mcpapps.selectFile();
  const other = { mcpapps: { conect() {} } }, name = "mcpapps.conect";
"""
_OWN = "  const mcpapps = { conect() {} };\n  mcpapps.conect();\n"


@rule(
    "MA424",
    "error",
    why="It is undefined: the first use of it ends the script, and the View never connects.",
    fix="correct the name; the types that mcpapps bridge writes have all of them",
    source=("https://tc39.es/ecma262/#sec-imports",),
    bad=server(page(_BRIDGE, script="  const { conect } = globalThis.mcpapps;\n")),
    good=server(page(_BRIDGE, script="  const { connect } = globalThis.mcpapps;\n")),
    near=(server(page(_BRIDGE, script=_USES)), server(page(_BRIDGE, script=_OWN))),
    evidence="static",
)
def bridge_name_unknown(subject: Subject) -> Faults:
    """A script takes something from the bridge that the bridge does not have."""
    known = bridge_names() | {"view"}
    for _, served in subject.pages:
        if not any(code.bridged for code in served.code):
            continue
        for code in served.own_code:
            for name in () if code.declares("mcpapps") else _taken(code):
                word = code.text(name)
                if word not in known:
                    close = get_close_matches(word, known, 1)
                    yield Fault(
                        served.at_node(code, name),
                        f'the bridge has no "{word}"',
                        help=f'did you mean "{close[0]}"?' if close else None,
                    )


def _taken(code: Inline) -> Iterator[Node]:
    for bridge in code.uses("mcpapps"):
        around = bridge.parent
        if around is None:
            continue
        if around.type == "member_expression":
            name = around.child_by_field_name("property")
            if name is not None and name.id != bridge.id:
                yield name
        elif around.type == "variable_declarator":
            pattern = around.child_by_field_name("name")
            if pattern is not None and pattern.type == "object_pattern":
                yield from _named(pattern)


def _named(pattern: Node) -> Iterator[Node]:
    for member in pattern.children:
        if member.type == "pair_pattern":
            key = member.child_by_field_name("key")
            if key is not None and key.type == "property_identifier":
                yield key
        elif member.type == "shorthand_property_identifier_pattern":
            yield member
