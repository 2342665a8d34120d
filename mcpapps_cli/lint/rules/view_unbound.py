"""The Views of a project and the tools of its server."""

from __future__ import annotations

from pathlib import Path

from mcpapps_cli.lint.rule import URI, Fault, Faults, Place, Subject, rule, server, spec, tool
from mcpapps_cli.model import Project, View


def _with_view(uri: str) -> Project:
    root = Path("/project")
    view = View(name="chart", entry=root / "views" / "chart.html", uri=uri)
    return Project(root=root, name="project", out=root / "built", views=(view,))


@rule(
    "MA120",
    "warning",
    why="No host ever shows a View that no tool links.",
    fix="set `_meta.ui.resourceUri` of a tool to the View's URI, or remove the View",
    source=(spec("Resource Discovery"),),
    bad=server(tool(), project=_with_view("ui://app/table.html")),
    good=server(tool(), project=_with_view(URI)),
    near=(
        server(tool("draw")),
        server(tool("draw"), tool("plain", meta={}), project=_with_view(URI)),
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
