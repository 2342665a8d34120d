"""Frames inside a View."""

from __future__ import annotations

from mcpapps_cli.csp import allows, origin_of
from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    is_loopback,
    issue,
    page,
    rule,
    server,
    spec,
)
from mcpapps_cli.model import JsonObject

_FRAME = '<iframe title="Map" src="https://maps.example.com/"></iframe>\n'


def _framing(*origins: str) -> JsonObject:
    return {"csp": {"frameDomains": list(origins)}, "prefersBorder": True}


@rule(
    "MA204",
    "warning",
    why="The policy blocks a frame that is not declared, and one major host ignores frameDomains.",
    fix="offer a link in place of the frame",
    source=(
        spec("Sandbox proxy"),
        issue("anthropics/claude-ai-mcp#40"),
        issue("webforj/webforj#1474"),
    ),
    bad=server(page(_FRAME, meta=_framing("https://maps.example.com"))),
    good=server(page('<a href="https://maps.example.com/">Map</a>\n')),
    near=(
        server(page('<iframe title="Note" srcdoc="<p>Note</p>"></iframe>\n')),
        server(page('<iframe title="Later" src="about:blank"></iframe>\n')),
    ),
    evidence="static",
)
def nested_frame_portability(subject: Subject) -> Faults:
    """A View shows a frame from elsewhere, which the policy or a host blocks."""
    for view, served in subject.pages:
        for ref in served.page.references:
            origin = origin_of(ref.url)
            if ref.kind not in ("frame", "object") or origin is None or is_loopback(ref.url):
                continue
            place = served.at(ref.start, ref.end)
            if allows(view.csp, "frame-src" if ref.kind == "frame" else "object-src", ref.url):
                yield Fault(place, f'some hosts do not show a frame from "{origin}"')
            else:
                yield Fault(
                    place,
                    f'"{origin}" is not in frameDomains, so this frame is blocked',
                    severity="error",
                )
