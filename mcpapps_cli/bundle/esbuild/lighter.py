"""Edits of package files that change no behaviour and leave less to bundle."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

_MODULE: Final = "data:text/javascript,"

# Babel writes each on one line into every file that needs it, always under the same name.
_HELPERS: Final = (
    *("_arrayLikeToArray", "_arrayWithHoles", "_arrayWithoutHoles", "_assertThisInitialized"),
    *("_callSuper", "_classCallCheck", "_createClass", "_createForOfIteratorHelper"),
    *("_createForOfIteratorHelperLoose", "_createSuper", "_defineProperties", "_defineProperty"),
    *("_extends", "_getPrototypeOf", "_inherits", "_inheritsLoose", "_isNativeReflectConstruct"),
    *("_iterableToArray", "_iterableToArrayLimit", "_nonIterableRest", "_nonIterableSpread"),
    *("_objectSpread", "_objectWithoutProperties", "_objectWithoutPropertiesLoose"),
    *("_possibleConstructorReturn", "_setPrototypeOf", "_slicedToArray", "_taggedTemplateLiteral"),
    *("_toArray", "_toConsumableArray", "_toPrimitive", "_toPropertyKey", "_typeof"),
    *("_unsupportedIterableToArray", "ownKeys"),
)
_NAME: Final = "|".join(sorted(_HELPERS, key=len, reverse=True))
_DEFINITION: Final = re.compile(rf"^function ({_NAME})\([^\n]*\}}$", re.MULTILINE)
_USE: Final = re.compile(rf"(?<![\w$.])(?:{_NAME})(?![\w$])")
_ZOD: Final = re.compile(
    r"\bimport\s*(?:\{\s*z(?:\s+as\s+(?P<other>[\w$]+))?\s*\}|(?P<default>[\w$]+))\s*from\s*"
    r"(?P<name>[\"']zod(?:/v4)?[\"'])"
)


def import_helpers(text: str) -> str | None:
    """Return a file that imports its helpers; None when it has none of its own.

    A helper that is the same text, and uses the same helpers, is the same module: what it is
    imported from is that text, which esbuild reads without asking us.
    """
    # Most files have none, and a plain search is quicker.
    if "function _" not in text and "function ownKeys" not in text:
        return None
    found = {match[1]: match.group() for match in _DEFINITION.finditer(text)}
    if not found:
        return None
    # On the first line, so that the lines below keep their numbers.
    return _imports_of(tuple(found.items())) + _DEFINITION.sub("", text)


@cache
def _imports_of(helpers: tuple[tuple[str, str], ...]) -> str:
    # Files have the same few sets of helpers.
    found = dict(helpers)
    return _imports(found, found, ())


def _imports(names: Iterable[str], found: Mapping[str, str], above: tuple[str, ...]) -> str:
    modules = ((name, _module(name, found, above)) for name in names)
    return "".join(f"import {{ {name} }} from {json.dumps(url)};" for name, url in modules)


def _module(name: str, found: Mapping[str, str], above: tuple[str, ...]) -> str:
    used = {each for each in _used(found[name]) if each in found and each != name}
    if used & {*above, name}:
        # They use each other, which no helper of Babel's does: keep them apart.
        used = set()
    text = f"{_imports(sorted(used), found, (*above, name))}export {found[name]}"
    return _MODULE + text.replace("%", "%25")


@cache
def _used(helper: str) -> frozenset[str]:
    return frozenset(_USE.findall(helper))


def import_namespace(text: str) -> str | None:
    """Return a file that imports Zod so that what it does not use can be left out; else None.

    `import { z } from "zod"` gives an object with everything, `import * as z` the same names one
    by one. What the file reads of it is the same.
    """
    changed = _ZOD.sub(_whole, text)
    return changed if changed != text else None


def _whole(match: re.Match[str]) -> str:
    return f"import * as {match['other'] or match['default'] or 'z'} from {match['name']}"
