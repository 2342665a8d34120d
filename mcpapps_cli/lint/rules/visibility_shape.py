"""Who may call a tool."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, rule, server, spec, tool
from mcpapps_cli.wire import VISIBILITIES


@rule(
    "MA103",
    "error",
    why=(
        "A host that cannot read the value hides the tool from the model, from the View or from "
        "both; one that ignores it shows the model a tool that was meant for the View."
    ),
    fix='write an array of "model" and "app", or leave `visibility` out for both',
    source=(spec("Resource Discovery"), issue("danny-avila/LibreChat#13831")),
    bad=server(tool(visibility="app")),
    good=server(tool(visibility=["app"])),
    near=(server(tool(visibility=["model", "app"])), server(tool())),
)
def visibility_shape(subject: Subject) -> Faults:
    """`visibility` of a tool is not an array of "model" and "app"."""
    for entry in subject.tools:
        if "visibility" not in entry.ui:
            continue
        value, path = entry.ui["visibility"], ("_meta", "ui", "visibility")
        if not isinstance(value, list | tuple):
            yield Fault(entry.at(*path), f'"visibility" of {entry.label} is not an array')
        elif not value:
            yield Fault(
                entry.at(*path), f'"visibility" of {entry.label} is empty: nobody may call it'
            )
        else:
            for index, word in enumerate(value):
                if word not in VISIBILITIES:
                    yield Fault(
                        entry.at(*path, index),
                        f'"visibility" of {entry.label} names "{word}"',
                    )
