"""Media types as hosts compare them."""

from __future__ import annotations

from base64 import b64encode

from mcpapps_cli.lint.rule import (
    page,
)

BLOB = b64encode(page().html.encode()).decode()

KNOWN = {
    "text/html+skybridge": "the type of ChatGPT's own widgets",
    "text/html+mcp": "the type of the drafts before 2026-01-26",
    "text/plain": "what an SDK sends for a resource that names no type",
}


def media_type(value: str) -> tuple[str, dict[str, str]]:
    essence, *parameters = (part.strip() for part in value.split(";"))
    pairs = (parameter.partition("=") for parameter in parameters)
    named = {name.strip().lower(): text.strip().strip('"') for name, _, text in pairs}
    return essence.lower(), named


def mime_fault(value: object) -> str | None:
    if not isinstance(value, str):
        return "has no mimeType" if value is None else "has a mimeType that is no string"
    essence, parameters = media_type(value)
    if essence in KNOWN:
        return f'is served as "{value}", {KNOWN[essence]}'
    if essence != "text/html":
        return f'is served as "{value}"'
    if "profile" not in parameters:
        return f'is served as "{value}", without the profile'
    if parameters["profile"] != "mcp-app":
        return f'is served with the profile "{parameters["profile"]}"'
    return None
