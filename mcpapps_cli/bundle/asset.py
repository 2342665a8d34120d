"""References to images, fonts, media and style sheets, each turned into what it names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from mcpapps_cli.bundle.data_url import data_url, media_type
from mcpapps_cli.bundle.source import (
    RUN_FIRST,
    Folder,
    Place,
    Source,
    is_file_url,
    is_local,
    is_network,
    unify,
)
from mcpapps_cli.bundle.splice import Splice, apply_splices
from mcpapps_cli.bundle.tally import Tally
from mcpapps_cli.embed import escape_style
from mcpapps_cli.markup import css
from mcpapps_cli.markup.page import Reference

INLINE_KINDS: Final = frozenset({"image", "icon", "media", "font"})
_TAILWIND: Final = re.compile(r"@(?:apply|theme|tailwind|source|utility)(?![\w-])")
_NOT_CODE: Final = re.compile(r"""/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""", re.DOTALL)
_STATEMENT: Final = re.compile(r"""@import\s+(?:url\(\s*)?["']?$""", re.IGNORECASE)
_TAIL: Final = re.compile(r"""["']?\s*\)?(?P<conditions>[^;{}<]*);?""")
_LAYER: Final = re.compile(r"layer(?:\(\s*([^)]*?)\s*\))?(?=\s|$)", re.IGNORECASE)
_SUPPORTS: Final = re.compile(r"supports(?=\()", re.IGNORECASE)
_CHARSET: Final = re.compile(r'@charset\s+"[^"]*";')


def inline_asset(
    source: Source, reference: Reference, folder: Folder, tally: Tally
) -> list[Splice]:
    """Return the edit that puts a file's bytes in the place of its URL; none if it stays.

    Raises:
        SourceError: The file cannot be used.
    """
    url = reference.url.strip()
    place = Place(source, reference.start, reference.end - reference.start)
    if is_file_url(url):
        place.refuse_file_url()
    if is_network(url):
        tally.keep(url, reference.kind, place)
    if not is_local(url):
        return []
    fragment = url.partition("#")[2]
    path, data = folder.data(url, place)
    media = media_type(path)
    if media is None:
        source.fail(
            f'"{url}" has no known media type',
            place.start,
            place.length,
            f"a View cannot carry a {path.suffix or 'nameless'} file",
        )
    if media.startswith("font/"):
        tally.note_font(place)
    tally.add("image", path, len(data))
    inlined = data_url(data, media) + (f"#{fragment}" if fragment else "")
    tally.measure(folder.shown(path), inlined)
    return [Splice(reference.start, reference.end, inlined)]


def check_sheet(source: Source, start: int = 0, end: int | None = None) -> None:
    """Refuse what only Tailwind understands; browsers pass over it without a word.

    Args:
        source: A style sheet, or a page of which `start` to `end` is one.
        start: First character.
        end: After the last character. Default: the end of the text.

    Raises:
        SourceError: It has some.
    """
    if match := find_tailwind(source.text[start:end]):
        message = f'"{match.group()}" is for Tailwind, which did not run'
        source.fail(message, start + match.start(), len(match.group()), RUN_FIRST)


def find_tailwind(text: str) -> re.Match[str] | None:
    """Return the first at-rule of Tailwind's in a style sheet, outside comments and strings."""
    if not _TAILWIND.search(text):
        return None
    return _TAILWIND.search(_NOT_CODE.sub(lambda match: " " * len(match[0]), text))


def style_text(
    source: Source, folder: Folder, tally: Tally, *, chain: tuple[Source, ...] = ()
) -> str:
    """Return a style sheet with everything local inlined.

    Raises:
        SourceError: A file cannot be used.
    """
    check_sheet(source)
    references = css.references(source.text)
    splices = style_splices(source, references, folder, tally, chain=(*chain, source))
    return _CHARSET.sub("", unify(apply_splices(source.text, splices)), count=1)


def style_splices(
    source: Source,
    references: Iterable[Reference],
    folder: Folder,
    tally: Tally,
    *,
    chain: tuple[Source, ...],
) -> list[Splice]:
    """Return the edits for `references`, which stand in style sheets of `source`.

    Args:
        source: A style sheet, or a page.
        references: In the order of the text.
        folder: Where files come from.
        tally: Where parts and notices go.
        chain: The sheets that led here through `@import`, `source` last.

    Raises:
        SourceError: A file cannot be used, or imports form a circle.
    """
    splices: list[Splice] = []
    imported = False
    for reference in references:
        if reference.kind != "import":
            splices += inline_asset(source, reference, folder, tally)
        elif is_local(reference.url):
            splices.append(_import(source, reference, folder, tally, chain))
            imported = True
        elif is_network(reference.url):
            length = reference.end - reference.start
            if imported or len(chain) > 1:
                source.fail(
                    f'"{reference.url}" would come after rules, where browsers ignore @import',
                    reference.start,
                    length,
                    "put it first, or into a <link> of the page",
                )
            tally.keep(reference.url, "import", Place(source, reference.start, length))
    return splices


def _import(
    source: Source, reference: Reference, folder: Folder, tally: Tally, chain: tuple[Source, ...]
) -> Splice:
    place = Place(source, reference.start, reference.end - reference.start)
    before = _STATEMENT.search(source.text, 0, reference.start)
    after = _TAIL.match(source.text, reference.end)
    if before is None or after is None:
        source.fail("this @import cannot be read", place.start, place.length, "write it plainly")
    sheet = folder.sheet(reference.url, place)
    if any(sheet.path == each.path for each in chain):
        names = " -> ".join(each.shown for each in (*chain, sheet))
        source.fail("style sheets import each other", place.start, place.length, names)
    text = escape_style(style_text(sheet, folder, tally, chain=chain))
    tally.add("style", sheet.path, len(sheet.text.encode()))
    return Splice(before.start(), after.end(), _wrap(text, after["conditions"].strip()))


def _wrap(text: str, conditions: str) -> str:
    opening: list[str] = []
    if layer := _LAYER.match(conditions):
        opening.append(f"@layer {layer[1] or ''}".strip())
        conditions = conditions[layer.end() :].strip()
    if supports := _SUPPORTS.match(conditions):
        close = _closing(conditions, supports.end())
        opening.append(f"@supports {conditions[supports.end() : close]}")
        conditions = conditions[close:].strip()
    if conditions:
        opening.append(f"@media {conditions}")
    start = "".join(f"{each}{{" for each in opening)
    return f"{start}{text}{'}' * len(opening)}"


def _closing(text: str, start: int) -> int:
    depth = 0
    for index in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if depth == 0:
            return index + 1
    return len(text)
