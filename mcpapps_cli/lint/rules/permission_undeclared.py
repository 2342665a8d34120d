"""Browser features that a frame needs a permission for."""

from __future__ import annotations

import re

from mcpapps_cli.lint.rule import META, Fault, Faults, Subject, issue, page, rule, server, spec
from mcpapps_cli.model import JsonObject

_NAVIGATOR = r"(?<![\w$.])(?:window\s*\.\s*)?navigator\s*\.\s*"
_FEATURES = (
    (
        re.compile(_NAVIGATOR + r"mediaDevices\s*\.\s*getUserMedia\b"),
        ("camera", "microphone"),
    ),
    (
        re.compile(_NAVIGATOR + r"geolocation\s*\.\s*(?:getCurrentPosition|watchPosition)\b"),
        ("geolocation",),
    ),
    (re.compile(_NAVIGATOR + r"clipboard\s*\.\s*write(?:Text)?\b"), ("clipboardWrite",)),
)
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
        server(page(more="navigator.mediaDevices.getUserMedia(wanted);", meta=_asking("camera"))),
        server(page(more='const note = "navigator.clipboard.writeText";')),
        server(page(more="const able = 'clipboard' in navigator;")),
    ),
    evidence="static",
)
def permission_undeclared(subject: Subject) -> Faults:
    """A View uses a feature of the browser that its metadata does not ask for."""
    for view, served in subject.pages:
        asked = view.apps.permissions
        for script in served.code:
            bare = served.bare(script)
            for pattern, names in _FEATURES:
                if any(name in asked for name in names):
                    continue
                for match in pattern.finditer(bare):
                    wanted = " or ".join(f'"{name}"' for name in names)
                    yield Fault(
                        served.at(script.start + match.start(), script.start + match.end()),
                        f'"{match[0]}" needs the permission {wanted}',
                    )
