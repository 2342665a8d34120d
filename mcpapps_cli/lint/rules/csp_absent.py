"""A View has no `csp`."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    META,
    Fault,
    Faults,
    ResourcePart,
    Subject,
    issue,
    resource,
    rule,
    server,
    spec,
)


def _both(**ui: object) -> ResourcePart:
    return resource(meta=ui, listing_meta=ui)


@rule(
    "MA212",
    "info",
    why=(
        "Every host reads explicit empty lists as: no connection. Without `csp` the defaults of "
        "hosts differ, and ChatGPT asks for it before it takes an app."
    ),
    fix="declare the four lists of `csp`, empty where nothing is needed",
    source=(spec("UI Resource Format"), issue("jztan/redmine-mcp-server#249")),
    bad=server(_both(prefersBorder=True)),
    good=server(resource(meta=META)),
    near=(
        server(_both(csp={}, prefersBorder=True)),
        server(resource(listed=False)),
    ),
)
def csp_absent(subject: Subject) -> Faults:
    """A View has no `csp`."""
    for view in subject.resources:
        if view.raw.content is not None and "csp" not in view.ui:
            yield Fault(
                view.in_content(),
                f'"{view.uri}" declares no origins, not even none',
                severity="warning" if "chatgpt" in subject.profiles else None,
            )
