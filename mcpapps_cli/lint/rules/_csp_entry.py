"""The entries of the origin lists of a View."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcpapps_cli.lint.rule import (
    Place,
    Subject,
    as_object,
)
from mcpapps_cli.model import JsonObject
from mcpapps_cli.wire import CSP_KEYS

SCHEME_ONLY = re.compile(r"[a-z][a-z0-9+.-]*:|\*", re.IGNORECASE)


def csp_meta(key: str, *entries: object, **more: object) -> JsonObject:
    return {"csp": {key: list(entries), **more}, "prefersBorder": True}


def csp_entries(subject: Subject) -> Iterator[tuple[str, str, Place]]:
    """Every string of every list, with its list's name and its place."""
    for view in subject.resources:
        csp = as_object(view.ui.get("csp"))
        for key in CSP_KEYS:
            entries = csp.get(key)
            for index, entry in enumerate(entries if isinstance(entries, list) else ()):
                if isinstance(entry, str):
                    yield key, entry, view.in_ui("csp", key, index)
