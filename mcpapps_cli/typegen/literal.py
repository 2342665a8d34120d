"""JSON values, names and comments as TypeScript writes them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterable
from textwrap import wrap
from typing import Any, Final

from mcpapps_cli.model import Json

_PLAIN: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
# Halves of surrogate pairs cannot be written as UTF-8; the others end or hide a line.
_ESCAPED: Final = re.compile(
    "[\ud800-\udfff\u2028\u2029\u007f-\u009f\u200b-\u200f\u202a-\u202e\ufeff]"
)
_SPACE: Final = re.compile(r"\s+")
_DEEPEST: Final = 16


def quoted(text: str) -> str:
    """Return a string literal that can also stand inside a comment."""
    literal = json.dumps(text, ensure_ascii=False).replace("*/", r"*\/")
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", literal)


def property_name(name: str) -> str:
    """Return `name` as a property of an object type, quoted when it is no identifier."""
    return name if _PLAIN.fullmatch(name) else quoted(name)


def type_name(text: str, taken: Collection[str]) -> str:
    """Return an identifier in upper case that resembles `text` and is none of `taken`."""
    words = re.sub(r"[^A-Za-z0-9_$]+", " ", text).split()
    name = "".join(word[:1].upper() + word[1:] for word in words) or "Type"
    if name[0].isdigit():
        name = f"_{name}"
    number, unique = 1, name
    while unique in taken:
        number += 1
        unique = f"{name}{number}"
    return unique


def literal_type(value: Json, depth: int = 0) -> str:
    """Return the type that has `value` as its only member.

    Numbers that are no numbers, and what is nested deeper than anybody writes, become wider.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return json.dumps(value) if math.isfinite(value) else "number"
    if isinstance(value, str):
        return quoted(value)
    if depth > _DEEPEST:
        return "unknown"
    if isinstance(value, list | tuple):
        return f"[{', '.join(literal_type(each, depth + 1) for each in value)}]"
    if isinstance(value, dict):
        members = [
            f"{property_name(str(key))}: {literal_type(each, depth + 1)}"
            for key, each in value.items()
        ]
        return f"{{ {'; '.join(members)} }}" if members else "{ [key: string]: never }"
    return "unknown"


def remark(text: str) -> str:
    """Return `text` as a comment on one line."""
    return f"/* {one_line(text)} */"


def one_line(text: str) -> str:
    """Return `text` without line ends and without anything that would end a comment."""
    line = _SPACE.sub(" ", text).strip().replace("*/", "* /")
    return _ESCAPED.sub("\ufffd", line)


def doc_comment(lines: Iterable[str]) -> str:
    """Return a JSDoc comment of `lines` with its line end, or an empty text for none."""
    kept = [part for line in map(one_line, lines) for part in wrap(line, 90)]
    if not kept:
        return ""
    if len(kept) == 1:
        return f"/** {kept[0]} */\n"
    return "/**\n" + "".join(f" * {line}\n" for line in kept) + " */\n"


def notes_on(schema: dict[str, Any]) -> list[str]:
    """Return what a schema says to its reader: description, then tags for what no type can tell."""
    lines = []
    if isinstance(text := schema.get("description"), str):
        lines += text.strip().splitlines()
    if schema.get("deprecated") is True:
        lines.append("@deprecated")
    for key in ("format", "pattern", "contentEncoding", "contentMediaType"):
        if isinstance(value := schema.get(key), str):
            lines.append(f"@{key} {value}")
    for key in (
        *("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"),
        *("minLength", "maxLength", "minItems", "maxItems"),
    ):
        value = schema.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            lines.append(f"@{key} {value}")
    if "default" in schema and schema["default"] is not None:
        lines.append(f"@default {_short(schema['default'])}")
    return lines


def _short(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else f"{text[:79]}…"
