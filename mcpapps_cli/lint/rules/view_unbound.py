"""The Views of a project and the tools of its server."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Place,
    Subject,
    example_project,
    rule,
    server,
    spec,
    tool,
)


@rule(
    "MA120",
    "warning",
    why="No host ever shows a View that no tool links.",
    fix="set `_meta.ui.resourceUri` of a tool to the View's URI, or remove the View",
    source=(spec("Resource Discovery"),),
    bad=server(tool(), project=example_project("ui://app/table.html")),
    good=server(tool(), project=example_project()),
    near=(
        server(tool("draw")),
        server(tool("draw"), tool("plain", meta={}), project=example_project()),
    ),
    evidence="source",
)
def view_unbound(subject: Subject) -> Faults:
    """A View of the project is linked by no tool of its server."""
    if subject.project is None:
        return
    linked = {entry.uri for entry in subject.ui_tools if isinstance(entry.uri, str)}
    for view in subject.project.views:
        if view.uri not in linked:
            place = Place(f'view "{view.name}"', pointer=f"views/{view.name}#/uri")
            yield Fault(place, f'no tool links "{view.uri}", the URI of the View "{view.name}"')
