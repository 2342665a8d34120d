"""A View uses a service worker."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, page, rule, server


@rule(
    "MA605",
    "warning",
    why="In a frame with an opaque origin the access throws, before anything else runs.",
    fix="leave the service worker out",
    source=(issue("HadrienGardeur/webpub-viewer#5"),),
    bad=server(page(more='navigator.serviceWorker.register("data:text/javascript,");')),
    good=server(page(more="const language = navigator.language;")),
    near=(
        server(page(more='const note = "navigator.serviceWorker";')),
        server(page(more="// navigator.serviceWorker")),
    ),
    evidence="static",
)
def service_worker(subject: Subject) -> Faults:
    """A View uses a service worker."""
    for _, served in subject.pages:
        for code in served.code:
            for node in code.uses("navigator.serviceWorker"):
                place = served.at_node(code, node)
                yield Fault(place, '"navigator.serviceWorker" throws inside a View')
