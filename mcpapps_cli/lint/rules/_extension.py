"""Where a server declares the extension."""

from __future__ import annotations

import json

from mcpapps_cli.lint.rule import (
    Place,
    Subject,
    as_object,
)
from mcpapps_cli.model import JsonObject
from mcpapps_cli.wire import EXTENSION_ID, MIME_TYPE

DECLARED: JsonObject = {"extensions": {EXTENSION_ID: {"mimeTypes": [MIME_TYPE]}}}


def is_declared(subject: Subject) -> bool:
    return EXTENSION_ID in as_object(subject.inventory.capabilities.get("extensions"))


def misplaced(subject: Subject) -> tuple[str, ...] | None:
    """Path of the extension's id where no host looks for it."""
    capabilities = subject.inventory.capabilities
    if EXTENSION_ID in capabilities:
        return (EXTENSION_ID,)
    for key, value in capabilities.items():
        if key != "extensions" and EXTENSION_ID in as_object(value):
            return (key, EXTENSION_ID)
    return None


def capability_place(subject: Subject, path: tuple[str, ...] = ()) -> Place:
    pointer = "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in path)
    excerpt = f"{json.dumps(path[-1])}: …" if path else ""
    return Place("server", pointer=f"capabilities#{pointer}", excerpt=excerpt)
