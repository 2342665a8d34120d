"""The literals and imports of a script as values, whatever found them."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

_ESCAPE: Final = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]+)\}|(\r\n|[\n\r\u2028\u2029])"
    r"|([0-3]?[0-7]{1,2})|([\s\S]))"
)
_SINGLE: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}


class StringLiteral(NamedTuple):
    """A string, or a template without substitutions.

    Attributes:
        value: With escapes replaced.
        start: Offset of the opening quote.
        end: Offset after the closing quote.
        quote: The quote: `"`, `'` or a back quote.
    """

    value: str
    start: int
    end: int
    quote: str


class Import(NamedTuple):
    """An import, or an export from another module.

    Attributes:
        specifier: The module's name with escapes replaced; empty when it is computed.
        start: Offset of the keyword.
        end: Offset after the statement and its semicolon, or after the call.
        spec_start: Offset of the specifier without quotes, or of the computed argument.
        spec_end: Offset after the specifier; equal to `spec_start` when it is computed.
        kind: `side-effect` is `import "x"`, `export` is `export ... from "x"`.
        clause: What stands between the keyword and `from`, as written.
        computed: Whether a dynamic import has something other than a plain string.
    """

    specifier: str
    start: int
    end: int
    spec_start: int
    spec_end: int
    kind: Literal["static", "dynamic", "export", "side-effect"]
    clause: str = ""
    computed: bool = False


def unescape(text: str) -> str:
    r"""Replace the escapes of a string literal, such as `\n` and `\u{1f600}`."""
    if "\\" not in text:
        return text
    value = _ESCAPE.sub(_character, text)
    # Two escapes may be the halves of one character; a lone half cannot be printed.
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _character(match: re.Match[str]) -> str:
    digits = match[1] or match[2] or match[3]
    if digits is not None:
        code = int(digits.lstrip("0")[:7] or "0", 16)
        return chr(code) if code <= 0x10FFFF else "\ufffd"
    if match[4] is not None:
        return ""
    if match[5] is not None:
        return chr(int(match[5], 8))
    return _SINGLE.get(match[6], match[6])
