"""URIs under which a host keeps an old page."""

from __future__ import annotations

import re

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
    tool,
)

_VERSION = re.compile(r"[0-9a-f]{6,}|\bv?\d+(?:\.\d+)+|\bv\d+|[?&]v=", re.IGNORECASE)
_HASHED = "ui://app/chart-1f3a9c2e.html"


def _view(uri: str = "ui://app/chart.html") -> ResourcePart:
    meta = {**META, "domain": "app.example.com"}
    return resource(uri, meta=meta, listing_meta=meta)


@rule(
    "MA121",
    "info",
    why="ChatGPT keeps a page by its URI: users see the old View after a release.",
    fix="put a version or the hash of the content into the URI: hash-uri = true does it",
    source=(issue("alpic-ai/skybridge#530"), issue("openai/openai-apps-sdk-examples#206")),
    bad=server(tool(), _view(), profiles=("chatgpt",)),
    good=server(tool(uri=_HASHED), _view(_HASHED), profiles=("chatgpt",)),
    near=(
        server(),
        server(tool(uri="ui://app/v2/chart"), _view("ui://app/v2/chart"), profiles=("chatgpt",)),
    ),
)
def uri_unversioned(subject: Subject) -> Faults:
    """The URI of a View has no version, for a host that keeps pages by URI."""
    for view in subject.resources if "chatgpt" in subject.profiles else ():
        if view.raw.html is not None and not _VERSION.search(view.uri):
            yield Fault(view.in_content("uri"), f'"{view.uri}" has no version')
