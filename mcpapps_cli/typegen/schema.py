"""A JSON Schema as a TypeScript type.

What pydantic and Zod write comes out exactly; a keyword that only narrows (`not`, `if`, formats,
lengths) is left to a comment. Nothing raises: what cannot be told is `unknown` with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from textwrap import indent
from typing import Any, Final

from mcpapps_cli.model import Json, Pointer
from mcpapps_cli.typegen.literal import (
    doc_comment,
    literal_type,
    notes_on,
    property_name,
    quoted,
    remark,
)
from mcpapps_cli.typegen.reference import Document, Names

_DEEPEST: Final = 32
_LINE: Final = 72
_MOST_NAMES: Final = 200
_SIMPLE: Final = {
    "string": "string",
    "number": "number",
    "integer": "number",
    "boolean": "boolean",
    "null": "null",
}
_OBJECT: Final = (
    *("properties", "required", "additionalProperties", "patternProperties", "propertyNames"),
)
_ARRAY: Final = ("items", "prefixItems", "additionalItems")
_UNTOLD: Final = (
    *("not", "if", "$dynamicRef", "$recursiveRef", "dependentSchemas", "contains", "format"),
    *("pattern", "minimum", "maximum", "minLength", "maxLength", "unevaluatedProperties"),
)
_ANY_OBJECT: Final = "{ [key: string]: unknown }"


@dataclass(frozen=True, slots=True)
class TypeText:
    """A type, and how tightly it holds together: 0 as one word, 1 by `&`, 2 by `|`."""

    text: str
    rank: int = 0

    def within(self, rank: int) -> str:
        """Return the text, in parentheses when an operator of `rank` would tear it apart."""
        return f"({self.text})" if self.rank > rank else self.text


UNKNOWN: Final = TypeText("unknown")
NEVER: Final = TypeText("never")


class Writer:
    """Writes the types of one document.

    A type may be a list of itself, as in `type A = A[]`; in JSDoc the compiler does not allow it.

    Args:
        document: What `$ref` is looked up in.
        names: Gives names to what is referred to.
        prefix: Stands before each name, such as `Data.`.
        comments: Whether comments and line ends are allowed; False for a type within JSDoc.
        current: The pointer that is being written, for types that refer to themselves.
    """

    def __init__(
        self,
        document: Document,
        names: Names,
        *,
        prefix: str = "",
        comments: bool = True,
        current: Pointer | None = None,
    ):
        self._document = document
        self._names = names
        self._prefix = prefix
        self._comments = comments
        self._current = current

    def write(self, schema: Json, depth: int = 0, *, direct: bool = True) -> TypeText:
        """Return the type of the values that `schema` accepts, or a wider one.

        Args:
            schema: Anything; only objects and booleans are schemas.
            depth: How many schemas it is inside of.
            direct: Whether the result is a part of the type being named, not of a member of it.
        """
        if schema is True or schema == {}:
            return UNKNOWN
        if schema is False:
            return NEVER
        if not isinstance(schema, dict):
            return self._unknown("not a schema")
        if depth > _DEEPEST:
            return self._unknown("nested too deep")
        parts = list(self._parts(schema, depth, direct))
        if not parts:
            untold = [key for key in _UNTOLD if key in schema]
            parts = [self._unknown(", ".join(untold))] if untold else [UNKNOWN]
        result = _all_of(parts)
        if schema.get("nullable") is True:
            result = _any_of([result, TypeText("null")])
        return result

    def _parts(self, schema: dict[str, Any], depth: int, direct: bool) -> Iterable[TypeText]:
        if "$ref" in schema:
            yield self._reference(schema["$ref"], direct)
        if schema.get("not") in (True, {}) and "not" in schema:
            yield NEVER
        if "const" in schema:
            yield TypeText(literal_type(schema["const"]))
        elif isinstance(values := schema.get("enum"), list):
            yield _any_of([TypeText(literal_type(value)) for value in values])
        elif (base := self._base(schema, depth, direct)) is not None:
            yield base
        for branch in _list(schema, "allOf"):
            yield self.write(branch, depth + 1, direct=direct)
        for key in ("anyOf", "oneOf"):
            if branches := _list(schema, key):
                tags = _tags(schema)
                yield _any_of(
                    [
                        self._tagged(branch, tags, self.write(branch, depth + 1, direct=direct))
                        for branch in branches
                    ]
                )

    def _reference(self, ref: object, direct: bool) -> TypeText:
        found = self._document.find(ref)
        if found is None:
            return self._unknown(f"$ref {ref}")
        pointer, schema = found
        if (
            direct
            and self._current is not None
            and self._document.is_circular(pointer, self._current, items=not self._comments)
        ):
            return self._unknown(f"{ref} is made of itself")
        return TypeText(self._prefix + self._names.give(self._document, pointer, schema))

    def _tagged(self, branch: Json, tags: dict[str, str], type_: TypeText) -> TypeText:
        # A tag that has a default is not required by its schema, but by the union.
        ref = branch.get("$ref") if isinstance(branch, dict) else None
        found = self._document.find(ref)
        if found is None or not isinstance(found[1], dict) or not isinstance(ref, str):
            return type_
        name = tags.get("")
        if name is None or name in _strings(found[1].get("required")) or ref not in tags:
            return type_
        return _all_of([type_, TypeText(f"{{ {property_name(name)}: {tags[ref]} }}")])

    def _base(self, schema: dict[str, Any], depth: int, direct: bool) -> TypeText | None:
        types = schema.get("type")
        if types is None:
            if any(key in schema for key in _OBJECT):
                types = "object"
            elif any(key in schema for key in _ARRAY):
                types = "array"
            else:
                return None
        listed = types if isinstance(types, list) and types else [types]
        return _any_of([self._of_type(each, schema, depth, direct) for each in listed])

    def _of_type(self, name: object, schema: dict[str, Any], depth: int, direct: bool) -> TypeText:
        if name == "object":
            return TypeText(self._object(schema, depth))
        if name == "array":
            return TypeText(self._array(schema, depth, direct and not self._comments))
        if isinstance(name, str) and name in _SIMPLE:
            return TypeText(_SIMPLE[name])
        return self._unknown(f"type {name}")

    def _array(self, schema: dict[str, Any], depth: int, direct: bool) -> str:
        first, rest = schema.get("prefixItems"), schema.get("items")
        if not isinstance(first, list):
            # Until 2019-09 a list under `items` meant what `prefixItems` means now.
            first, rest = (
                (rest, schema.get("additionalItems")) if isinstance(rest, list) else ([], rest)
            )
        each = UNKNOWN if rest is None else self.write(rest, depth + 1, direct=direct)
        if not first:
            return "never[]" if rest is False else f"{each.within(0)}[]"
        members = [self.write(item, depth + 1, direct=direct) for item in first]
        # Whoever writes no `minItems` for a tuple means all of it.
        least = schema.get("minItems")
        least = least if isinstance(least, int) and not isinstance(least, bool) else len(members)
        texts = [
            member.text if index < least else f"{member.within(0)}?"
            for index, member in enumerate(members)
        ]
        most = schema.get("maxItems")
        if rest is not False and not (isinstance(most, int) and most <= len(members)):
            texts.append(f"...{each.within(0)}[]")
        return f"[{', '.join(texts)}]"

    def _object(self, schema: dict[str, Any], depth: int) -> str:
        properties = schema.get("properties")
        properties = properties if isinstance(properties, dict) else {}
        required = _strings(schema.get("required"))
        others = self._others(schema, depth, bool(properties or required))
        members: dict[str, tuple[Json, TypeText]] = {
            name: (part, self.write(part, depth + 1, direct=False))
            for name, part in properties.items()
        }
        spare = others[0] if others else UNKNOWN
        for name in (*required, *self._key_names(schema)):
            members.setdefault(name, (None, spare))
        lines = []
        for name, (part, type_) in members.items():
            comment = (
                doc_comment(notes_on(part)) if self._comments and isinstance(part, dict) else ""
            )
            mark = "" if name in required else "?"
            lines.append(f"{comment}{property_name(name)}{mark}: {type_.text};")
        if others and not (members and self._key_names(schema)):
            # Every property has to fit the index signature.
            fits = [*others, *(type_ for _, type_ in members.values())]
            if any(name not in required for name in members):
                fits.append(TypeText("undefined"))
            lines.append(f"[key: string]: {_widest(fits).text};")
        return self._block(lines)

    def _others(self, schema: dict[str, Any], depth: int, named: bool) -> list[TypeText]:
        patterns = schema.get("patternProperties")
        found = [
            self.write(part, depth + 1, direct=False)
            for part in (patterns.values() if isinstance(patterns, dict) else ())
        ]
        extra = schema.get("additionalProperties")
        if extra is None:
            # An object is open unless it says otherwise, but who lists names means these.
            return found if found or named else [UNKNOWN]
        if extra is not False:
            found.append(self.write(extra, depth + 1, direct=False))
        return found

    def _key_names(self, schema: dict[str, Any]) -> list[str]:
        keys = schema.get("propertyNames")
        if not isinstance(keys, dict):
            return []
        names = _strings([keys["const"]] if "const" in keys else keys.get("enum"))
        return names if len(names) <= _MOST_NAMES else []

    def _block(self, lines: list[str]) -> str:
        if not lines:
            return "{ [key: string]: never }"
        flat = f"{{ {' '.join(lines)[:-1]} }}"
        if not self._comments or ("\n" not in flat and len(flat) <= _LINE):
            return flat
        return "{\n" + indent("\n".join(lines), "  ") + "\n}"

    def _unknown(self, reason: str) -> TypeText:
        return TypeText(f"unknown {remark(reason)}") if self._comments else UNKNOWN


def _all_of(parts: list[TypeText]) -> TypeText:
    told = _unlike([part for part in parts if part != UNKNOWN])
    narrow = [part for part in told if part.text != _ANY_OBJECT] or told
    if not narrow:
        return UNKNOWN
    if len(narrow) == 1:
        return narrow[0]
    return TypeText(" & ".join(part.within(1) for part in narrow), 1)


def _any_of(parts: list[TypeText]) -> TypeText:
    told = _unlike(parts)
    if not told:
        return NEVER
    if len(told) == 1:
        return told[0]
    return TypeText(" | ".join(part.within(1) for part in told), 2)


def _widest(parts: list[TypeText]) -> TypeText:
    # A union with `unknown` is `unknown`, which is shorter to read.
    plain = [part for part in parts if part.text.startswith("unknown") and not part.rank]
    return plain[0] if plain else _any_of(parts)


def _unlike(parts: list[TypeText]) -> list[TypeText]:
    return list({part.text: part for part in parts}.values())


def _list(schema: dict[str, Any], key: str) -> list[Any]:
    value = schema.get(key)
    return value if isinstance(value, list) else []


def _strings(value: object) -> list[str]:
    listed = value if isinstance(value, list) else []
    return list(dict.fromkeys(each for each in listed if isinstance(each, str)))


def _tags(schema: dict[str, Any]) -> dict[str, str]:
    """Return `$ref` to the literals of its tag, and the tag's name under the empty key."""
    discriminator = schema.get("discriminator")
    if not isinstance(discriminator, dict):
        return {}
    name, mapping = discriminator.get("propertyName"), discriminator.get("mapping")
    if not isinstance(name, str) or not isinstance(mapping, dict):
        return {}
    tags: dict[str, list[str]] = {}
    for value, ref in mapping.items():
        if isinstance(ref, str):
            tags.setdefault(ref, []).append(quoted(str(value)))
    return {"": name, **{ref: " | ".join(values) for ref, values in tags.items()}}
