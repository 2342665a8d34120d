"""Edits of a text by offset: what no edit covers stays as it is, byte for byte."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Splice(NamedTuple):
    """Put `text` in the place of the characters from `start` to `end`; equal means insert."""

    start: int
    end: int
    text: str


def apply_splices(text: str, splices: Iterable[Splice]) -> str:
    """Return `text` with every splice applied.

    Insertions at one place keep the order in which they are given.

    Raises:
        ValueError: Two splices overlap.
    """
    parts: list[str] = []
    done = 0
    for splice in sorted(splices, key=lambda each: (each.start, each.end)):
        if splice.start < done:
            raise ValueError(f"splice at {splice.start} overlaps the one that ends at {done}")
        parts += (text[done : splice.start], splice.text)
        done = splice.end
    return "".join((*parts, text[done:]))
