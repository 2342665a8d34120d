"""Text that only repeats the structured data."""

from __future__ import annotations

import json

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

_DATA = {"rows": [1, 2]}


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


@rule(
    "MA506",
    "info",
    why=(
        "Serialised data in a text block is what the core specification recommends, and it works; "
        "the model then reads everything twice."
    ),
    fix="say in the text what the data means, in a sentence",
    source=(spec("Data Passing"), issue("WolframResearch/AgentTools#214")),
    bad=server(observed=called('{"rows": [1, 2]}', structured=_DATA)),
    good=server(observed=called("Two rows: 1 and 2", structured=_DATA)),
    near=(
        server(observed=called('{"rows": [1, 2], "unit": "C"}', structured=_DATA)),
        server(observed=called('{"rows": [1, 2]}')),
    ),
    evidence="call",
)
def text_duplicates_structured(subject: Subject) -> Faults:
    """The text of a result is the JSON of its structured data and nothing more."""
    for call in results(subject):
        written = texts(call)
        data = call.result.get("structuredContent")
        if call.tool.uri_path is None or data is None or len(written) != 1:
            continue
        if written[0].lstrip().startswith(("{", "[")) and _parsed(written[0]) == data:
            message = "the text is the JSON of `structuredContent` and nothing more"
            yield Fault(call.at("content", 0), message)
