"""Bodies that are sent as base64."""

from __future__ import annotations

import base64

from mcpapps_cli.lint.rule import (
    UNSET,
    page,
)
from mcpapps_cli.model import JsonObject

BLOB = base64.b64encode(page().html.encode()).decode()


def as_blob(value: object) -> JsonObject:
    return {"text": UNSET, "blob": value}
