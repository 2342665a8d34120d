"""A span around each request that a driver forwards for a View, child of the View's own span.

The View's `_meta.traceparent` reaches the server untouched with or without it. The span exists
only where the program has OpenTelemetry's API and has configured it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from typing import Any, Final, Protocol

from mcpapps_cli.model import JsonObject

SPAN: Final = "mcpapps.host.forward"
METHOD: Final = "mcp.method"
_FIELDS: Final = ("traceparent", "tracestate", "baggage")


class Span(Protocol):
    """What is used of a span."""

    def record_exception(self, exception: BaseException) -> None:
        """Take the error that the request ended with."""
        ...


class Tracing(Protocol):
    """What is used of OpenTelemetry."""

    def start(
        self, name: str, parent: Mapping[str, str], attributes: Mapping[str, str]
    ) -> AbstractContextManager[Span]:
        """Return a running span; `parent` is in the form of W3C Trace Context."""
        ...


def carrier(params: JsonObject) -> dict[str, str]:
    """Return the trace context of a request's `_meta`; empty when it has none."""
    meta = params.get("_meta")
    given = meta if isinstance(meta, Mapping) else {}
    return {name: given[name] for name in _FIELDS if isinstance(given.get(name), str)}


def find_tracing(*, load: Callable[[str], Any] = import_module) -> Tracing | None:
    """Return OpenTelemetry, or None when its API is not installed.

    Args:
        load: Imports a module by name.
    """
    try:
        return _OpenTelemetry(load("opentelemetry.trace"), load("opentelemetry.propagate"))
    except ImportError:
        return None


@contextmanager
def forward_span(
    method: str, params: JsonObject, *, tracing: Tracing | None
) -> Iterator[Span | None]:
    """Run a forwarded request inside a span; an exception is recorded and goes on.

    Args:
        method: The request's.
        params: The request's, which are not changed.
        tracing: As `find_tracing` returns it; None gives no span.
    """
    if tracing is None:
        yield None
        return
    with tracing.start(SPAN, carrier(params), {METHOD: method}) as span:
        try:
            yield span
        except BaseException as exc:
            span.record_exception(exc)
            raise


class _OpenTelemetry:
    def __init__(self, trace: Any, propagate: Any):
        self._trace = trace
        self._propagate = propagate

    def start(
        self, name: str, parent: Mapping[str, str], attributes: Mapping[str, str]
    ) -> AbstractContextManager[Span]:
        # Its own recording of exceptions is off: `forward_span` does that for any tracing.
        span: AbstractContextManager[Span] = self._trace.get_tracer(
            "mcpapps"
        ).start_as_current_span(
            name,
            context=self._propagate.extract(parent),
            kind=self._trace.SpanKind.CLIENT,
            attributes=dict(attributes),
            record_exception=False,
        )
        return span
