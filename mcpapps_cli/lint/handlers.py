"""The handlers that a script sets for what its host sends, through the SDK or a bridge like it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mcpapps_cli.markup.around import ancestors, function_of
from mcpapps_cli.markup.code import Call, Code

if TYPE_CHECKING:
    from mcpapps_cli.markup.code import Node

ONE_SHOT: Final = frozenset({"toolinput", "toolinputpartial", "toolresult", "toolcancelled"})
"""Events that the host sends once, right after the handshake, and never again."""
_EVENTS: Final = (*sorted(ONE_SHOT), "hostcontextchanged", "teardown", "calltool", "listtools")
_BRANCHES: Final = frozenset(
    ("if_statement", "else_clause", "switch_case", "ternary_expression", "catch_clause")
)


@dataclass(frozen=True, slots=True)
class Handler:
    """One handler.

    Attributes:
        owner: Path of the app object; "" when it has no name.
        event: Such as `toolresult`.
        node: The assignment's target, or the callee of `addEventListener`.
        assigned: Whether it is a property, of which there is one.
        sure: Whether it is set whenever the code around it runs, and to something.
        scope: Start of the function around it; -1 at the top level.
        after_connect: Whether the same code has waited for `connect` of that app before.
    """

    owner: str
    event: str
    node: Node
    assigned: bool
    sure: bool
    scope: int
    after_connect: bool

    @property
    def one_shot(self) -> bool:
        """Whether the event comes once."""
        return self.event in ONE_SHOT


def handlers(code: Code) -> Iterator[Handler]:
    """Yield the handlers of a script, in order."""
    connects = list(code.calls(".connect"))
    found = [*_assigned(code, connects), *_added(code, connects)]
    yield from sorted(found, key=lambda handler: handler.node.start_byte)


def _assigned(code: Code, connects: list[Call]) -> Iterator[Handler]:
    for event in _EVENTS:
        for word in code.words(f"on{event}"):
            member = word.parent
            target = None if member is None else member.parent
            if member is None or target is None or target.type != "assignment_expression":
                continue
            left, right = target.child_by_field_name("left"), target.child_by_field_name("right")
            if left is None or right is None or left.id != member.id:
                continue
            yield _handler(
                code,
                member,
                event,
                connects,
                assigned=True,
                sure=right.type not in ("null", "undefined"),
            )


def _added(code: Code, connects: list[Call]) -> Iterator[Handler]:
    for call in code.calls(".addEventListener"):
        event = code.string(call.arguments[0]) if call.arguments else None
        callee = call.node.child_by_field_name("function")
        if event in _EVENTS and callee is not None:
            yield _handler(code, callee, event, connects, assigned=False, sure=True)


def _handler(
    code: Code, node: Node, event: str, connects: list[Call], *, assigned: bool, sure: bool
) -> Handler:
    owner = code.path(node).rpartition(".")[0]
    scope = function_of(node)
    branches = False
    for around in ancestors(node):
        if scope is not None and around.id == scope.id:
            break
        branches = branches or around.type in _BRANCHES
    return Handler(
        owner,
        event,
        node,
        assigned,
        sure and not branches,
        -1 if scope is None else scope.start_byte,
        any(_connected(code, connect, owner, node, scope) for connect in connects),
    )


def _connected(code: Code, call: Call, owner: str, node: Node, scope: Node | None) -> bool:
    if call.path.rpartition(".")[0] != owner or not owner or call.end > node.start_byte:
        return False
    around = call.node.parent
    if around is not None and around.type == "await_expression":
        own = function_of(call.node)
        return (own is None and scope is None) or (
            own is not None and scope is not None and own.id == scope.id
        )
    # `app.connect().then(() => { app.ontoolresult = ... })`
    then = None if around is None else around.parent
    if around is None or then is None or not code.path(around).endswith(".then"):
        return False
    return then.start_byte <= node.start_byte < then.end_byte


def awaited_before(code: Code, node: Node) -> bool:
    """Whether the code around a node, in the same function, has awaited something before it."""
    scope = function_of(node)
    for start in code.offsets("await"):
        if start >= node.start_byte:
            return False
        found = code.node_at(start, start + len("await"))
        if found.type == "await":
            own = function_of(found)
            if (own is None and scope is None) or (
                own is not None and scope is not None and own.id == scope.id
            ):
                return True
    return False
