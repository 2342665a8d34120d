"""The height of a View inside a chat."""

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
)

_LIMIT = 500


def _high(height: float | None) -> Observed:
    return mounted(height=height)


@rule(
    "MA706",
    "info",
    why="Claude's directory asks for at most 500 px inline: a higher View pushes the chat away.",
    fix="show less inline, and the rest in fullscreen",
    source=("https://github.com/anthropics/claude-plugins-official",),
    bad=server(observed=_high(640), shown='size-changed  {"height": 640}'),
    good=server(observed=_high(320), shown='size-changed  {"height": 320}'),
    near=(server(observed=_high(500)), server(observed=_high(None))),
    evidence="run",
)
def inline_height(subject: Subject) -> Faults:
    """A mounted View asks for more than 500 px."""
    for view in subject.observed.mounted:
        if view.height is not None and view.height > _LIMIT:
            yield Fault(in_run(view, "height"), f'"{view.uri}" asks for {view.height:.0f} px')
