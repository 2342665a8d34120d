"""Errors of a View's scripts."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Observed,
    Subject,
    in_run,
    mounted,
    rule,
    server,
    spec,
)


def _failed(*errors: str) -> Observed:
    return mounted(errors=errors)


@rule(
    "MA421",
    "error",
    why="What stands after the error does not run; without the handshake the frame stays hidden.",
    fix="correct the error; mcpapps dev shows the line",
    source=(spec("Lifecycle"),),
    bad=server(
        observed=_failed("ReferenceError: chart is not defined"),
        shown="ReferenceError: chart is not defined",
    ),
    good=server(observed=_failed(), shown="(no error)"),
    near=(server(), server(observed=mounted(height=90))),
    evidence="run",
)
def script_error(subject: Subject) -> Faults:
    """A script of a mounted View ends with an error."""
    for view in subject.observed.mounted:
        for index, error in enumerate(view.errors):
            yield Fault(in_run(view, "errors", index), f'a script of "{view.uri}" failed: {error}')
