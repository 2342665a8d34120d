"""All Views of the server together are large."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Place,
    ResourcePart,
    Subject,
    issue,
    resource,
    rule,
    server,
)
from mcpapps_cli.lint.rules._padded import padded

_TOTAL = 5_000_000


def _view(number: int, size: int) -> ResourcePart:
    return resource(f"ui://app/{number}.html", html=padded(size), listed=False)


@rule(
    "MA315",
    "info",
    why="A host may read every View of a server at once, and the user waits for all of them.",
    fix="share one View between tools, or leave out what the Views do not use",
    source=(issue("czlonkowski/n8n-mcp#577"),),
    bad=server(resource(), *(_view(number, 500_000) for number in range(10))),
    good=server(resource(), *(_view(number, 400_000) for number in range(10))),
    near=(
        server(resource(), *(_view(number, 500_000) for number in range(9))),
        server(resource(), _view(1, 500_000)),
    ),
)
def total_html_size(subject: Subject) -> Faults:
    """All Views of the server together are large."""
    sizes = [
        len(view.raw.html.encode("utf-8", "replace"))
        for view in subject.resources
        if view.raw.html is not None
    ]
    if len(sizes) > 1 and sum(sizes) > _TOTAL:
        amount = f"{sum(sizes):,}".replace(",", " ")
        yield Fault(
            Place("server", pointer="resources/read#"),
            f"the {len(sizes)} Views have {amount} bytes",
        )
