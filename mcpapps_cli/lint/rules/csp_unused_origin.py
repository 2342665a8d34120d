"""A View declares an origin for frames that its document does not mention."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    as_object,
    issue,
    page,
    rule,
    server,
)
from mcpapps_cli.model import JsonObject


def _framing(*origins: str) -> JsonObject:
    return {"csp": {"frameDomains": list(origins)}, "prefersBorder": True}


@rule(
    "MA218",
    "warning",
    why="Hosts send an app that declares frames to a stricter review, used or not.",
    fix="leave out what the View does not use",
    source=(issue("webforj/webforj#1474"),),
    bad=server(page(meta=_framing("https://maps.example.com"))),
    good=server(page(meta=_framing())),
    near=(
        server(page('<div id="map" data-url="https://maps.example.com/"></div>\n')),
        server(
            page(
                '<div data-url="https://maps.example.com/"></div>\n',
                meta=_framing("https://maps.example.com"),
            )
        ),
    ),
    evidence="static",
)
def csp_unused_origin(subject: Subject) -> Faults:
    """A View declares an origin for frames that its document does not mention."""
    for view, served in subject.pages:
        if served.external_code:
            continue
        entries = as_object(view.ui.get("csp")).get("frameDomains")
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            host = entry.partition("://")[2].removeprefix("*.") if isinstance(entry, str) else ""
            if host and host not in served.text:
                place = view.in_ui("csp", "frameDomains", index)
                yield Fault(place, f'"{entry}" is declared for frames and not used')
