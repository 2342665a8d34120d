"""Spans of forwarded requests, on a tracing that keeps what it is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from mcpapps_cli.host.event import ServerReply
from mcpapps_cli.host.trace import carrier, find_tracing, forward_span
from tests.host.rig import Rig, sent

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@dataclass
class Kept:
    """A span, and a tracing that has one."""

    started: list[tuple[str, dict[str, str], dict[str, str]]] = field(default_factory=list)
    errors: list[BaseException] = field(default_factory=list)
    ended: int = 0

    def record_exception(self, exception: BaseException) -> None:
        self.errors.append(exception)

    @contextmanager
    def start(
        self, name: str, parent: Mapping[str, str], attributes: Mapping[str, str]
    ) -> Iterator[Kept]:
        self.started.append((name, dict(parent), dict(attributes)))
        try:
            yield self
        finally:
            self.ended += 1


def test_k110_the_trace_context_of_a_view_reaches_the_server_untouched() -> None:
    meta = {"traceparent": PARENT, "tracestate": "a=1", "progressToken": 3}
    rig = Rig().ready()
    (call,) = rig.ask(1, "tools/call", {"name": "lookup", "_meta": meta})
    assert call.params["_meta"] == {"traceparent": PARENT, "tracestate": "a=1"}  # type: ignore[union-attr]
    assert len(sent(rig.feed(ServerReply(1, result={"content": []})))) == 1


def test_k110_a_span_has_the_views_span_for_a_parent() -> None:
    kept = Kept()
    params = {"name": "lookup", "_meta": {"traceparent": PARENT, "tracestate": "a=1"}}
    with forward_span("tools/call", params, tracing=kept) as span:
        assert span is kept
        assert kept.ended == 0
    assert kept.started == [
        (
            "mcpapps.host.forward",
            {"traceparent": PARENT, "tracestate": "a=1"},
            {"mcp.method": "tools/call"},
        )
    ]
    assert (kept.ended, kept.errors) == (1, [])


def test_k110_an_error_is_recorded_and_goes_on() -> None:
    kept, error = Kept(), RuntimeError("gone")
    with pytest.raises(RuntimeError), forward_span("tools/call", {}, tracing=kept):
        raise error
    assert (kept.ended, kept.errors) == (1, [error])


def test_k110_without_tracing_there_is_no_span() -> None:
    with forward_span("tools/call", {}, tracing=None) as span:
        assert span is None


def test_k110_the_parent_is_read_by_opentelemetry_itself() -> None:
    # Without an SDK its API makes spans that are not recorded and carry their parent on.
    span: Any
    with forward_span(
        "tools/call", {"_meta": {"traceparent": PARENT}}, tracing=find_tracing()
    ) as span:
        context = span.get_span_context()
    assert f"{context.trace_id:032x}" == "0af7651916cd43dd8448eb211c80319c"


def test_k110_without_opentelemetry_there_is_no_tracing() -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name)

    assert find_tracing(load=missing) is None


@pytest.mark.parametrize(
    "params", [{}, {"_meta": None}, {"_meta": []}, {"_meta": {"traceparent": 3, "other": "x"}}]
)
def test_what_is_no_trace_context_is_none(params: dict[str, Any]) -> None:
    assert carrier(params) == {}
