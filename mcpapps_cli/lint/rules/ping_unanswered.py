"""The host's question whether a View still lives."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Observed,
    Subject,
    in_run,
    issue,
    mounted,
    rule,
    server,
    spec,
)


def _pinged(answer: bool | None) -> Observed:
    return mounted(pinged=answer)


@rule(
    "MA420",
    "warning",
    why="A host may take a View that does not answer for dead, and remove it.",
    fix='answer "ping" with an empty result, as every request that has an id',
    source=(spec("Communication Protocol"), issue("modelcontextprotocol/ext-apps#671")),
    bad=server(observed=_pinged(False), shown='host -> View {"id": 7, "method": "ping"}'),
    good=server(
        observed=_pinged(True),
        shown='host -> View {"id": 7, "method": "ping"}\nView -> host {"id": 7, "result": {}}',
    ),
    near=(server(observed=_pinged(None)), server()),
    evidence="run",
)
def ping_unanswered(subject: Subject) -> Faults:
    """A mounted View leaves the host's `ping` unanswered."""
    for view in subject.observed.mounted:
        if view.pinged is False:
            yield Fault(in_run(view, "ping"), f'"{view.uri}" did not answer a ping')
