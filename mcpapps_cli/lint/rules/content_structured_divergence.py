"""Text and structured data that say different things."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    called,
    issue,
    results,
    rule,
    server,
    spec,
    texts,
)

_NUMBER = re.compile(r"(?<![\w.,:/-])-?\d+(?:\.\d+)?(?![\w/:-]|[.,]\d)")
# A text says "Tuesday 1 December, 9 to 10" of what the data writes as in ISO 8601.
_MOMENT = re.compile(r"(?<!\d)(?:\d{4}-\d\d-\d\d|\d\d:\d\d(?::\d\d)?)(?!\d)")
_DEPTH = 32


def _numbers(value: object, depth: int = 0) -> Iterator[float]:
    if isinstance(value, bool) or depth > _DEPTH:
        return
    if isinstance(value, int | float):
        yield float(value)
    elif isinstance(value, str):
        yield from (float(match[0]) for match in _NUMBER.finditer(value))
        for moment in _MOMENT.finditer(value):
            yield from (float(part) for part in re.split("[-:]", moment[0]))
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _numbers(key, depth + 1)
            yield from _numbers(one, depth + 1)
    elif isinstance(value, list):
        yield float(len(value))
        for one in value:
            yield from _numbers(one, depth + 1)


def _close(number: float, known: set[float]) -> bool:
    # A text rounds, and counts from what it adds up; only what is nowhere near is another thing.
    return any(abs(number - one) <= max(0.5, abs(one) * 0.01) for one in known)


@rule(
    "MA507",
    "info",
    why="The model answers from the text while the user looks at the View: they disagree.",
    fix="make both from the same values",
    source=(spec("Data Passing"), issue("WolframResearch/AgentTools#214")),
    bad=server(observed=called("Oslo: 21 degrees", structured={"city": "Oslo", "degrees": 7})),
    good=server(observed=called("Oslo: 7 degrees", structured={"city": "Oslo", "degrees": 7})),
    near=(
        server(observed=called("Oslo: about 7 degrees", structured={"degrees": 7.3})),
        server(observed=called("2 of them", structured={"names": ["a", "b"]})),
        server(observed=called("Oslo: mild", structured={"degrees": 7})),
        server(observed=called("Booked for 1 December", structured={"day": "2026-12-01"})),
        server(observed=called("Opens at 9", structured={"opens": "2026-12-20T09:30:00Z"})),
    ),
    evidence="call",
)
def content_structured_divergence(subject: Subject) -> Faults:
    """No number in the text of a result is one of those in its structured data."""
    for call in results(subject):
        known = set(_numbers(call.result.get("structuredContent")))
        if call.tool.uri_path is None or call.failed or not known:
            continue
        for index, text in enumerate(texts(call)):
            if text.lstrip().startswith(("{", "[")):
                continue
            said = [match[0] for match in _NUMBER.finditer(text)]
            # Some numbers are dates, units or sums; where none is known the two differ.
            if said and not any(_close(float(number), known) for number in said):
                message = f'the text says "{said[0]}", which `structuredContent` does not have'
                yield Fault(call.at("content", index), message)
