"""Heights that depend on the frame whose height they decide."""

from __future__ import annotations

import re

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
    spec,
)
from mcpapps_cli.wire import UI_SIZE_CHANGED

_VIEWPORT = re.compile(r"100(?:d|s|l)?vh\b")
_FULL = "<style>body { min-height: 100vh }</style>\n"


@rule(
    "MA703",
    "warning",
    why=(
        "The View reports its height, the host gives the frame that height, and 100vh follows the "
        "frame: it can grow or shrink without end, or never shrink again."
    ),
    fix="let the content give the height; in fullscreen use containerDimensions",
    source=(
        spec("Container Dimensions"),
        issue("MCP-UI-Org/mcp-ui#215"),
        issue("modelcontextprotocol/ext-apps#619"),
    ),
    bad=server(page(head=_FULL)),
    good=server(page(head="<style>body { min-height: 8rem }</style>\n")),
    near=(
        server(page(head="<style>.sheet.open { min-height: 100vh }</style>\n")),
        server(page(head="<style>body { max-height: 100vh }</style>\n")),
        server(page(head="<style>.bar { height: 100% }</style>\n")),
    ),
    evidence="static",
)
def viewport_height(subject: Subject) -> Faults:
    """The page is as high as its frame, and reports that height."""
    for _, served in subject.pages:
        if not served.mentions(UI_SIZE_CHANGED):
            continue
        roots: frozenset[str] | None = None
        for one in declarations(served, "vh", "100%"):
            if one.name not in ("height", "min-height"):
                continue
            if not _VIEWPORT.match(one.value) and one.value != "100%":
                continue
            roots = root_selectors(served) if roots is None else roots
            if roots & set(one.selectors) and not _percent_only(one.name, one.value):
                place = served.at(one.start, one.end)
                yield Fault(place, f'"{one.name}: {one.value}" follows the height that it decides')


def _percent_only(name: str, value: str) -> bool:
    # A percentage of a parent without a height is no height at all.
    return name == "min-height" and value == "100%"
