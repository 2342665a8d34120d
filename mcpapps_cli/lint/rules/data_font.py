"""Fonts inside the document."""

from __future__ import annotations

from mcpapps_cli.csp import allows
from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, page, rule, server, spec

_INLINE = "url(data:font/woff2;base64,d09GMgABAAAAAA)"
_LOCAL = '<style>@font-face { font-family: A; src: local("Arial") }</style>\n'


@rule(
    "MA209",
    "warning",
    why=(
        "The policy of the specification gives font-src no data:, so a font inside the document is "
        "blocked, and declaring data: is stripped by at least one host."
    ),
    fix="use the fonts of the system or of the host, or an https origin in csp.resourceDomains",
    source=(spec("Security Implications"), issue("anthropics/claude-ai-mcp#375")),
    bad=server(page(head=f"<style>@font-face {{ font-family: A; src: {_INLINE} }}</style>\n")),
    good=server(page(head=_LOCAL)),
    near=(
        server(page(head="<style>main { background: url(data:image/gif;base64,R0lG) }</style>\n")),
        server(page(head="<style>main { font-family: var(--font-sans, system-ui) }</style>\n")),
    ),
    evidence="static",
)
def data_font(subject: Subject) -> Faults:
    """A View brings a font as a data: URL, which the policy blocks."""
    for view, served in subject.pages:
        for ref in served.page.references:
            inline = ref.kind == "font" and ref.url.lower().startswith("data:")
            if inline and not allows(view.csp, "font-src", ref.url):
                yield Fault(
                    served.at(ref.start, min(ref.end, ref.start + 40)),
                    "a font inside the document is blocked by font-src",
                )
