"""Origins from which a page loads files."""

from __future__ import annotations

from mcpapps_cli.csp import allows, origin_of
from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Served,
    Subject,
    UiResource,
    in_run,
    is_loopback,
    issue,
    page,
    rule,
    server,
    spec,
)
from mcpapps_cli.lint.rules._origin import declaring, origin_help
from mcpapps_cli.markup.reference import Reference

_DIRECTIVES = {
    "script": "script-src",
    "style": "style-src",
    "import": "style-src",
    "image": "img-src",
    "media": "media-src",
    "font": "font-src",
}

_PRELOADED = {**_DIRECTIVES, "video": "media-src", "audio": "media-src"}

_IMAGE = '<img alt="" src="https://img.example.com/logo.png">\n'


def _directive(served: Served, ref: Reference) -> str | None:
    """The directive that decides whether the browser loads the URL; None when it loads nothing."""
    if ref.kind != "preload":
        return _DIRECTIVES.get(ref.kind)
    if served.attribute(ref, "rel") == "modulepreload":
        return "script-src"
    return _PRELOADED.get(served.attribute(ref, "as"))


def _fault(view: UiResource, served: Served, url: str, directive: str, a: int, b: int) -> Faults:
    origin = origin_of(url)
    if origin is not None and not is_loopback(url) and not allows(view.csp, directive, url):
        yield Fault(
            served.at(a, b),
            f'"{origin}" is not in resourceDomains, so {directive} blocks this file',
            help=origin_help(view, origin),
        )


_LOADS = ("script-src", "style-src", "img-src", "font-src", "media-src")


@rule(
    "MA201",
    "error",
    why="The policy of a View allows no origin that its metadata does not name: the load fails.",
    fix="add the origin to csp.resourceDomains, or inline the file with mcpapps bundle",
    source=(
        spec("Security Implications"),
        issue("shauntrennery/hashdo#39"),
        issue("nteract/nteract#1631"),
        issue("agentfront/frontmcp#454"),
    ),
    bad=server(page(_IMAGE)),
    good=server(page(_IMAGE, meta=declaring("https://img.example.com"))),
    near=(
        server(page(_IMAGE, meta=declaring("https://*.example.com"))),
        server(page('<a href="https://www.example.com/">Site</a>\n')),
    ),
    evidence="static",
    also=("run",),
)
def undeclared_resource_origin(subject: Subject) -> Faults:
    """A View loads a file from an origin that its metadata does not declare."""
    for shown in subject.mounted:
        for one in shown.blocked:
            if one.directive.startswith(_LOADS) and (origin := origin_of(one.url)):
                message = f'"{origin}" was blocked in a browser: {one.directive} does not have it'
                yield Fault(in_run(shown, "blocked"), message)
    for view, served in subject.pages:
        for ref in served.page.references:
            if directive := _directive(served, ref):
                yield from _fault(view, served, ref.url, directive, ref.start, ref.end)
            elif ref.kind == "preconnect":
                origin = origin_of(ref.url)
                if origin is not None and not allows(view.csp, "img-src", ref.url):
                    yield Fault(
                        served.at(ref.start, ref.end),
                        f'"{origin}" is named for a connection and is not in resourceDomains',
                        severity="info",
                    )
        for code in served.code:
            for found in code.imports():
                start = code.script.start + found.spec_start
                yield from _fault(
                    view,
                    served,
                    found.specifier,
                    "script-src",
                    start,
                    start + len(found.specifier),
                )
