"""The HTTP headers that mirror a JSON-RPC message since 2026-07-28, and the user's own."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from typing import Any

from mcpapps_cli import wire
from mcpapps_cli.model import JsonObject
from mcpapps_cli.rpc import refusal

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_PRINTABLE = re.compile(r"[\x20-\x7e]*")
_ENCODED = re.compile(r"=\?base64\?.*\?=")
_NAMED_BY = {wire.TOOLS_CALL: "name", wire.RESOURCES_READ: "uri", "prompts/get": "name"}
_ANNOTATION = "x-mcp-header"


def checked_headers(headers: JsonObject) -> dict[str, str]:
    """Return the user's headers as text.

    Raises:
        ServerError: HTTP cannot carry one; the text has its name, never its value.
    """
    checked = {name: str(value).strip() for name, value in headers.items()}
    for name, value in checked.items():
        if not _TOKEN.fullmatch(name) or not _PRINTABLE.fullmatch(value):
            raise refusal.bad_header(name)
    return checked


def modern_headers(message: JsonObject, parameters: JsonObject) -> dict[str, str] | None:
    """Return the headers that mirror a request, or None when it is of the legacy era.

    Args:
        message: A JSON-RPC request.
        parameters: Of `header_parameters`, for the tool that is called.
    """
    params = _object(message.get("params"))
    version = _object(params.get("_meta")).get(wire.META_PROTOCOL_VERSION)
    if not isinstance(version, str):
        return None
    method = message["method"]
    headers = {"Mcp-Protocol-Version": version, "Mcp-Method": method}
    name = params.get(_NAMED_BY.get(method, ""))
    if isinstance(name, str):
        headers["Mcp-Name"] = _header_value(name)
    for header, path in parameters.items():
        value: Any = params.get("arguments")
        for key in path:
            value = _object(value).get(key)
        if isinstance(value, bool):
            headers[header] = str(value).lower()
        elif isinstance(value, str | int):
            headers[header] = _header_value(str(value))
    return headers


def header_parameters(tool: JsonObject) -> dict[str, tuple[str, ...]]:
    """Return which arguments of a tool travel as a header as well: header to path."""
    return dict(_annotated(_object(tool.get("inputSchema")), ()))


def _annotated(schema: JsonObject, path: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for key, member in _object(schema.get("properties")).items():
        fields = _object(member)
        name = fields.get(_ANNOTATION)
        if isinstance(name, str) and _TOKEN.fullmatch(name):
            yield f"Mcp-Param-{name}", (*path, key)
        if len(path) < 16:
            yield from _annotated(fields, (*path, key))


def _header_value(text: str) -> str:
    plain = _PRINTABLE.fullmatch(text) and text == text.strip() and not _ENCODED.fullmatch(text)
    if plain:
        return text
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode()
    return f"=?base64?{encoded}?="


def _object(value: object) -> JsonObject:
    return value if isinstance(value, Mapping) else {}
