"""Browser features that a frame needs a permission for."""

from __future__ import annotations

from mcpapps_cli.lint.rule import META, Fault, Faults, Subject, issue, page, rule, server, spec
from mcpapps_cli.model import JsonObject

_FEATURES = {
    "navigator.mediaDevices.getUserMedia": ("camera", "microphone"),
    "navigator.geolocation.getCurrentPosition": ("geolocation",),
    "navigator.geolocation.watchPosition": ("geolocation",),
    "navigator.clipboard.write": ("clipboardWrite",),
    "navigator.clipboard.writeText": ("clipboardWrite",),
}
_COPY = 'navigator.clipboard.writeText("a").catch(() => {});'


def _asking(*names: str) -> JsonObject:
    return {**META, "permissions": {name: {} for name in names}}


@rule(
    "MA219",
    "error",
    why="The frame of a View has only the permissions that its metadata asks for: the call fails.",
    fix="ask for it in `permissions` of `_meta.ui`, and handle a refusal",
    source=(
        spec("UI Resource Format"),
        issue("openai/openai-apps-sdk-examples#236"),
        issue("archestra-ai/archestra#6212"),
    ),
    bad=server(page(more=_COPY)),
    good=server(page(more=_COPY, meta=_asking("clipboardWrite"))),
    near=(
        server(
            page(
                more="navigator.mediaDevices.getUserMedia(wanted).catch(show);",
                meta=_asking("camera"),
            )
        ),
        server(page(more='const note = "navigator.clipboard.writeText";')),
        server(page(more="const able = 'clipboard' in navigator;")),
    ),
    evidence="static",
)
def permission_undeclared(subject: Subject) -> Faults:
    """A View uses a feature of the browser that its metadata does not ask for."""
    for view, served in subject.pages:
        asked = view.apps.permissions
        for code in served.code:
            for path, names in _FEATURES.items():
                if any(name in asked for name in names):
                    continue
                wanted = " or ".join(f'"{name}"' for name in names)
                for node in code.uses(path):
                    place = served.at_node(code, node)
                    yield Fault(place, f'"{path}" needs the permission {wanted}')
