"""Start tags without the attributes that no longer apply."""

from __future__ import annotations

from collections.abc import Set
from typing import Final

from mcpapps_cli.bundle.splice import Splice, apply_splices
from mcpapps_cli.markup.html import Token, tokenize

FETCH: Final = frozenset(
    {"src", "href", "crossorigin", "integrity", "referrerpolicy", "fetchpriority", "charset"}
)
"""Attributes that describe a file that is fetched, which an inlined script or sheet is not."""


def without_attributes(tag: str, dropped: Set[str]) -> str:
    """Return the text of a start tag without some attributes, the rest of it as written."""
    token = next(iter(tokenize(tag)))
    splices = []
    for attr in token.attrs:
        if attr.name in dropped:
            start = attr.start
            while tag[start - 1].isspace():
                start -= 1
            splices.append(Splice(start, attr.end, ""))
    # Again, for a browser sees the second of two equal attributes once the first is gone.
    return without_attributes(apply_splices(tag, splices), dropped) if splices else tag


def new_tag(name: str, text: str, token: Token, dropped: Set[str]) -> str:
    """Return a start tag of another element with the attributes of `token`.

    Args:
        name: The element.
        text: The page that `token` is part of.
        token: A start tag.
        dropped: Names of the attributes to leave out.
    """
    kept = [text[attr.start : attr.end] for attr in token.attrs if attr.name not in dropped]
    return f"<{' '.join((name, *kept))}>"
