"""What a model, or a host without Views, gets of a result."""

from __future__ import annotations

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
    tool,
)

_IMAGE = {"type": "image", "data": "AAAA", "mimeType": "image/png"}


@rule(
    "MA505",
    "error",
    why="The model, and every host without Views, sees the content and nothing else.",
    fix="add a text block that says what the View shows",
    source=(spec("Graceful Degradation"), issue("seuros/action_mcp#181")),
    bad=server(observed=called(structured={"rows": [1]})),
    good=server(observed=called("One row", structured={"rows": [1]})),
    near=(
        server(observed=called("No city", isError=True)),
        server(tool(), tool("save", meta={}), observed=called(_IMAGE, tool="save")),
    ),
    evidence="call",
)
def no_text_fallback(subject: Subject) -> Faults:
    """A tool with a View answers without text."""
    for call in results(subject):
        if call.tool.uri_path is None or call.failed or any(text.strip() for text in texts(call)):
            continue
        yield Fault(call.at("content"), f"the result of {call.tool.label} has no text")
