"""A page that takes no room."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    declarations,
    issue,
    page,
    root_selectors,
    rule,
    server,
)

_FIXED = "<style>main { position: fixed; inset: 0 }</style>\n"


@rule(
    "MA704",
    "warning",
    why="What is out of the flow gives the body no height: the reported height is 0.",
    fix="leave the root in the flow",
    source=(issue("excalidraw/excalidraw-mcp#12"),),
    bad=server(page(head=_FIXED)),
    good=server(page(head="<style>main { position: relative }</style>\n")),
    near=(
        server(page("<nav>Menu</nav>\n", head=_FIXED)),
        server(page(head="<style>.dialog { position: fixed }</style>\n")),
        server(page(head="<style>@media print { main { position: absolute } }</style>\n")),
    ),
    evidence="static",
)
def fixed_root(subject: Subject) -> Faults:
    """The root of a page is out of the flow."""
    for _, served in subject.pages:
        roots: frozenset[str] | None = None
        for one in declarations(served, "fixed", "absolute"):
            if one.name != "position" or one.value not in ("fixed", "absolute"):
                continue
            roots = root_selectors(served) if roots is None else roots
            if roots & set(one.selectors) and "print" not in one.media:
                place = served.at(one.start, one.end)
                yield Fault(place, f'"position: {one.value}" takes the whole page out of the flow')
