"""What a user sees while the tool runs."""

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
)


def _shown(visible: bool | None) -> Observed:
    return mounted(visible=visible)


@rule(
    "MA422",
    "info",
    why="A tool may take long, and some hosts send no data at all: the user sees an empty frame.",
    fix="show at once that data is awaited",
    source=(issue("modelcontextprotocol/ext-apps#734"),),
    bad=server(observed=_shown(False), shown="<main></main>"),
    good=server(observed=_shown(True), shown="<main>No data yet</main>"),
    near=(server(observed=_shown(None)), server()),
    evidence="run",
)
def no_idle_state(subject: Subject) -> Faults:
    """A mounted View shows nothing before data arrives."""
    for view in subject.observed.mounted:
        if view.visible is False:
            yield Fault(in_run(view, "visible"), f'"{view.uri}" shows nothing before data arrives')
