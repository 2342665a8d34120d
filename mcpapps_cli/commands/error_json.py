"""An error as JSON, for a reader who asked for JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from mcpapps_cli import console
from mcpapps_cli.errors import ExitStatus, McpAppsError, SourceError


def end_with(error: McpAppsError, format_: str) -> ExitStatus:
    """Write an error as JSON where the reader asked for `json`, and return USAGE; else raise it."""
    if format_ != "json":
        raise error
    console.out(error_json(error))
    return ExitStatus.USAGE


def error_json(error: McpAppsError) -> str:
    """Return the document that `docs/lint.schema.json` calls a failure.

    A position has path, line, column and length; the line's text is in the file.
    """
    found: dict[str, Any] = {
        "message": error.message,
        "help": error.help,
        "details": list(error.details),
    }
    if isinstance(error, SourceError):
        position = asdict(error.position)
        del position["source"]
        found["position"] = position
    # ASCII: half of a surrogate pair in a server's answer could not be written as UTF-8.
    return json.dumps({"version": 1, "error": found}, indent=2)
