"""Addresses that a script gives a name and uses elsewhere, such as `const API = "https://..."`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from mcpapps_cli.bundle.source import Place, Source

# Shorter names are those of a minifier, which gives one to many things.
_NAME: Final = r"[A-Za-z_$][\w$]{2,}"
_LITERAL: Final = r"(?i)[\"'`](?P<url>(?:https?|wss?)://[^\"'`\s\\$<>{}]+)"
_DECLARED: Final = rf"\bconst\s+(?P<name>{_NAME})\s*(?::[^=;,(){{}}]*)?=\s*\Z"
_MEMBER: Final = rf"[{{,]\s*(?P<name>{_NAME})\s*:\s*\Z"
# What may stand between a call and the name in it: the object of a member, a template, a URL.
_OBJECT: Final = r"(?:[\w$]+\s*\??\.\s*)+\Z"
_TEMPLATE: Final = r"`\$\{\s*\Z"
_URL: Final = r"new\s+URL\s*\((?:[^()]*,)?\s*\Z"
_LOOK_BACK: Final = 120
_STEPS: Final = 3

Kind = Callable[[str], str | None]
"""What a call is for, of which this is the text before its argument; None for any other."""


class Constant(NamedTuple):
    """An address, what it is used for, and where it is written."""

    url: str
    kind: str
    place: Place


def constants(own: tuple[Source, ...], kind_of: Kind) -> Iterator[Constant]:
    """Find the addresses that a named value holds and a call gets.

    A name that is a parameter somewhere stands for more than its value, and is passed over.

    Args:
        own: The View's own files; a name may be used in another file than it is given in.
        kind_of: Tells what a call is for.
    """
    for file in own:
        for match in re.finditer(_LITERAL, file.text):
            if _is_comment(file.text, match.start()):
                continue
            before = file.text[max(0, match.start() - _LOOK_BACK) : match.start()]
            if kind_of(before):
                # Found in the finished script already.
                continue
            kind = kind_of(_without(before, _URL))
            for pattern in (_DECLARED, _MEMBER) if kind is None else ():
                if named := re.search(pattern, before):
                    kind = kind or _kind(named["name"], pattern == _MEMBER, own, kind_of, _STEPS)
            if kind is not None:
                place = Place(file, match.start("url"), len(match["url"]))
                yield Constant(match["url"], kind, place)


def _kind(
    name: str, member: bool, own: tuple[Source, ...], kind_of: Kind, steps: int
) -> str | None:
    if not member and _is_parameter(name, own):
        return None
    for file in own:
        for match in re.finditer(rf"(?<![\w$]){re.escape(name)}(?![\w$])", file.text):
            before = file.text[max(0, match.start() - _LOOK_BACK) : match.start()]
            plain = _without(before, _OBJECT)
            if member != (plain != before) or _is_comment(file.text, match.start()):
                continue
            rest = _without(_without(plain, _TEMPLATE), _URL)
            if kind := kind_of(rest):
                return kind
            again = re.search(_DECLARED, rest) if steps else None
            if again and (kind := _kind(again["name"], False, own, kind_of, steps - 1)):
                return kind
    return None


def _without(text: str, pattern: str) -> str:
    return re.sub(pattern, "", text)


def _is_parameter(name: str, own: tuple[Source, ...]) -> bool:
    listed = rf"\((?:[^()]*[\s,{{])?{re.escape(name)}\s*[?:=,)}}][^()]*\)?[^(){{}};=]*(?:=>|\{{)"
    alone = rf"(?<![\w$.]){re.escape(name)}\s*=>"
    return any(re.search(rf"{listed}|{alone}", file.text) for file in own)


def _is_comment(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    block = text.rfind("/*", 0, at)
    return re.search(r"(?<!:)//", line) is not None or block > text.rfind("*/", 0, at)
