"""Arguments for a tool that nobody gave any for, from what its input schema says by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mcpapps_cli.model import JsonObject

_DEPTH: Final = 8
_TEXTS: Final = {
    "date": "2026-01-26",
    "date-time": "2026-01-26T12:00:00Z",
    "time": "12:00:00Z",
    "email": "someone@example.com",
    "uri": "https://example.com/",
    "uuid": "00000000-0000-4000-8000-000000000000",
}


def sample_arguments(tool: JsonObject) -> dict[str, Any]:
    """Return arguments that the schema of a tool accepts, as few as it lets.

    An example of the whole comes first, then defaults and examples of what is required, then the
    smallest value of its type. What is not required is left to the server.

    Args:
        tool: The raw `tools/list` entry.
    """
    schema = tool.get("inputSchema")
    if not isinstance(schema, Mapping):
        return {}
    found = _sample(schema, schema, 0)
    return dict(found) if isinstance(found, Mapping) else {}


def _sample(schema: Any, root: Mapping[str, Any], depth: int) -> Any:
    if not isinstance(schema, Mapping) or depth > _DEPTH:
        return None
    if "const" in schema:
        return schema["const"]
    if depth and "default" in schema:
        return schema["default"]
    examples = schema.get("examples")
    if isinstance(examples, list | tuple) and examples:
        return examples[0]
    if isinstance(choices := schema.get("enum"), list | tuple) and choices:
        return choices[0]
    if isinstance(reference := schema.get("$ref"), str):
        return _sample(_find(reference, root), root, depth + 1)
    for key in ("anyOf", "oneOf", "allOf"):
        branches = schema.get(key)
        if isinstance(branches, list | tuple) and branches:
            return _sample(branches[0], root, depth + 1)
    return _of_type(schema, root, depth)


def _of_type(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Any:
    kind = schema.get("type")
    if isinstance(kind, list | tuple):
        kind = next(iter(kind), None)
    match kind:
        case "string":
            text = _TEXTS.get(str(schema.get("format")), "text")
            return text.ljust(_count(schema.get("minLength")), "x")
        case "integer" | "number":
            return _number(schema, whole=kind == "integer")
        case "boolean":
            return False
        case "array":
            least = min(_count(schema.get("minItems")), 100)
            return [_sample(schema.get("items"), root, depth + 1) for _ in range(least)]
        case "null":
            return None
        case _:
            return _object(schema, root, depth)


def _object(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> dict[str, Any]:
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, Mapping) or not isinstance(required, list | tuple):
        return {}
    return {
        name: _sample(properties[name], root, depth + 1) for name in required if name in properties
    }


def _number(schema: Mapping[str, Any], *, whole: bool) -> float:
    least, above, most = (
        _number_or_none(schema.get(key)) for key in ("minimum", "exclusiveMinimum", "maximum")
    )
    if least is None and above is not None:
        least = above + 1
    if least is None:
        least = 1 if most is None else min(1, most)
    return int(least) if whole else least


def _number_or_none(value: Any) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _count(value: Any) -> int:
    return min(value, 10_000) if isinstance(value, int) and value > 0 else 0


def _find(reference: str, root: Mapping[str, Any]) -> Any:
    found: Any = root
    for part in reference.removeprefix("#").strip("/").split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        found = found.get(key) if isinstance(found, Mapping) else None
    return found
