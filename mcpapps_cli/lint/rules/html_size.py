"""How large a View is."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    issue,
    page,
    resource,
    rule,
    server,
)
from mcpapps_cli.lint.rules._padded import padded

_LARGE = 512 * 1024

_TOO_LARGE = 5_000_000

_QWEN = 2**20


@rule(
    "MA313",
    "warning",
    why="Hosts refuse large documents: one at 1 MiB, and all that say so at 5 MB at the latest.",
    fix="leave out what the View does not use, and minify it",
    source=(issue("QwenLM/qwen-code#11945"), issue("czlonkowski/n8n-mcp#577")),
    bad=server(resource(html=padded(_LARGE + 1))),
    good=server(resource(html=page().html)),
    near=(server(resource(html=padded(_LARGE))), server(resource(html=padded(_LARGE - 1)))),
)
def html_size(subject: Subject) -> Faults:
    """The document of a View is larger than hosts like."""
    for view in subject.resources:
        size = 0 if view.raw.html is None else len(view.raw.html.encode("utf-8", "replace"))
        limit = _QWEN if "qwen" in subject.profiles else _TOO_LARGE
        if size > _LARGE:
            yield Fault(
                view.in_content(),
                f'"{view.uri}" has {size:,} bytes'.replace(",", " "),
                severity="error" if size > limit else None,
            )
