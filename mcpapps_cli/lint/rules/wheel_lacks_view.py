"""Views that are not in the package that users install."""

from __future__ import annotations

from pathlib import PurePosixPath

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Observed,
    Place,
    Subject,
    Wheel,
    example_project,
    rule,
    server,
)


def _wheel(*names: str) -> Observed:
    return Observed(wheel=Wheel(PurePosixPath("dist/app-1.0-py3-none-any.whl"), names))


_PROJECT = example_project()


@rule(
    "MA124",
    "error",
    why=(
        "An editable install hides it: the installed server finds no page and answers "
        "resources/read with an error."
    ),
    fix="put the built pages inside the package, and include them in the wheel",
    source=("https://github.com/JamsusMaximus/trainingpeaks-mcp/pull/148",),
    bad=server(project=_PROJECT, observed=_wheel("app/server.py"), shown="app/server.py"),
    good=server(
        project=_PROJECT,
        observed=_wheel("app/server.py", "app/built/chart.html"),
        shown="app/server.py\napp/built/chart.html",
    ),
    near=(
        server(project=_PROJECT),
        server(observed=_wheel("app/server.py")),
    ),
    evidence="source",
)
def wheel_lacks_view(subject: Subject) -> Faults:
    """The built wheel lacks the page of a View of the project."""
    wheel, project = subject.observed.wheel, subject.project
    if wheel is None or project is None:
        return
    files = {name.rpartition("/")[2] for name in wheel.names}
    for view in project.views:
        name = f"{view.name}.html"
        if name not in files:
            place = Place(f'View "{view.name}"', pointer=f"{wheel.path}#/{name}")
            yield Fault(place, f'"{wheel.path.name}" has no file "{name}"')
