"""Edits of package files that change no behaviour and leave less to bundle."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Final

HELPER: Final = "mcpapps:helper/"
"""What a shared helper is imported from, with its hash behind it."""
HELPER_FILES: Final = r"[\\/]node_modules[\\/].*[\\/](?:es|es5|es6|esm)[\\/].*\.m?js$"
"""Folders in which packages keep what Babel wrote file by file."""
NAMESPACE_FILES: Final = r"[\\/]node_modules[\\/]@modelcontextprotocol[\\/].*\.m?js$"
"""Packages that import Zod's namespace as a value."""

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


class Helpers:
    """The helpers that were taken out of package files, one of each kind."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def take(self, text: str) -> str | None:
        """Return a file that imports its helpers; None when it has none of its own.

        A helper that is the same text, and uses the same helpers, is the same function.
        """
        found = {match[1]: match.group() for match in _DEFINITION.finditer(text)}
        if not found:
            return None
        keys = {name: self._key(name, found, ()) for name in found}
        imports = "".join(f'import {{ {n} }} from "{HELPER}{k}";' for n, k in keys.items())
        # On the first line, so that the lines below keep their numbers.
        return imports + _DEFINITION.sub("", text)

    def text(self, key: str) -> str:
        """Return the module of a helper."""
        return self._texts[key]

    def _key(self, name: str, found: Mapping[str, str], above: tuple[str, ...]) -> str:
        used = {each for each in _USE.findall(found[name]) if each in found and each != name}
        if used & {*above, name}:
            # They use each other, which no helper of Babel's does: keep them apart.
            used = set()
        keys = {each: self._key(each, found, (*above, name)) for each in sorted(used)}
        imports = "".join(f'import {{ {n} }} from "{HELPER}{k}";' for n, k in keys.items())
        module = f"{imports}export {found[name]}"
        key = hashlib.sha256(module.encode()).hexdigest()[:16]
        self._texts[key] = module
        return key


def import_namespace(text: str) -> str | None:
    """Return a file that imports Zod so that what it does not use can be left out; else None.

    `import { z } from "zod"` gives an object with everything, `import * as z` the same names one
    by one. What the file reads of it is the same.
    """
    changed = _ZOD.sub(_whole, text)
    return changed if changed != text else None


def _whole(match: re.Match[str]) -> str:
    return f"import * as {match['other'] or match['default'] or 'z'} from {match['name']}"
