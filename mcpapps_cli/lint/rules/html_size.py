"""How large a View is."""

from __future__ import annotations

from functools import cache

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Place,
    ResourcePart,
    Subject,
    issue,
    page,
    resource,
    rule,
    server,
)

_LARGE = 512 * 1024
_TOO_LARGE = 5_000_000


_TOTAL = 5_000_000


@cache
def _padded(size: int) -> str:
    html = page().html
    return html + " " * (size - len(html.encode()))


@rule(
    "MA313",
    "warning",
    why="Hosts refuse large documents: one at 1 MiB, and all that say so at 5 MB at the latest.",
    fix="leave out what the View does not use, and minify it",
    source=(issue("QwenLM/qwen-code#11945"), issue("czlonkowski/n8n-mcp#577")),
    bad=server(resource(html=_padded(_LARGE + 1))),
    good=server(resource(html=page().html)),
    near=(server(resource(html=_padded(_LARGE))), server(resource(html=_padded(_LARGE - 1)))),
)
def html_size(subject: Subject) -> Faults:
    """The document of a View is larger than hosts like."""
    for view in subject.resources:
        size = 0 if view.raw.html is None else len(view.raw.html.encode("utf-8", "replace"))
        if size > _LARGE:
            yield Fault(
                view.in_content(),
                f'"{view.uri}" has {size:,} bytes'.replace(",", " "),
                severity="error" if size > _TOO_LARGE else None,
            )


def _view(number: int, size: int) -> ResourcePart:
    return resource(f"ui://app/{number}.html", html=_padded(size), listed=False)


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
