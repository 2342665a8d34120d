"""Values whose default is not the same in every host."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    META,
    Fault,
    Faults,
    ResourcePart,
    Subject,
    resource,
    rule,
    server,
    spec,
)

_CSP = META["csp"]


def _both(**ui: object) -> ResourcePart:
    return resource(meta=ui, listing_meta=ui)


@rule(
    "MA217",
    "info",
    why="Without it one host draws a border and a background around the View, and another none.",
    fix="say `prefersBorder` true or false in `_meta.ui` of the resource",
    source=(spec("UI Resource Format"),),
    bad=server(_both(csp=_CSP)),
    good=server(resource(meta=META)),
    near=(
        server(_both(csp=_CSP, prefersBorder=False)),
        server(resource(listed=False)),
    ),
)
def prefers_border_absent(subject: Subject) -> Faults:
    """A View does not say whether it wants a border."""
    for view in subject.resources:
        if view.raw.content is not None and "prefersBorder" not in view.ui:
            yield Fault(view.in_content(), f'"{view.uri}" leaves the border to the host')
