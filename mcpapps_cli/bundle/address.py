"""Addresses beside a module: in a View they would be beside the host's page."""

from __future__ import annotations

import json
import re
from typing import Final, NamedTuple, NoReturn

from mcpapps_cli.bundle.data_url import data_url, media_type
from mcpapps_cli.bundle.source import Folder, Place, Source
from mcpapps_cli.bundle.splice import Splice
from mcpapps_cli.bundle.syntax import LONGEST
from mcpapps_cli.bundle.tally import Tally
from mcpapps_cli.errors import SourceError

LOCAL_URL: Final = (
    r"\bnew\s+URL\s*\(\s*(?P<literal>(?P<quote>[\"'`])"
    r"(?P<path>(?![a-z][a-z+.-]*:|//)[^\"'`$]*)(?P=quote))\s*,\s*import\.meta\.url"
)
# The policy lets no script fetch what is in a data: URL.
_SHOWN: Final = ("image/", "audio/", "video/", "font/")


class Addresses(NamedTuple):
    """The addresses beside one module.

    Attributes:
        splices: The edits that put a picture, a sound or a font in the place of its address.
        left: Where the others are.
    """

    splices: list[Splice]
    left: list[Place]


def read_addresses(
    own: Source, folder: Folder, tally: Tally, start: int = 0, end: int | None = None
) -> Addresses:
    """Read what a module names beside itself; nothing is refused.

    Args:
        own: A script, or a page of which `start` to `end` is one.
        folder: Where files come from.
        tally: Where parts go.
        start: First character.
        end: After the last character. Default: the end of the text.
    """
    found = Addresses([], [])
    text = own.text[start:end]
    if "import.meta.url" not in text:
        return found
    from mcpapps_cli.markup import js

    comments = js.comments(text)
    for match in re.finditer(LOCAL_URL, text):
        if any(first <= match.start() < last for first, last in comments):
            continue
        place = Place(own, start + match.start("path"), max(1, len(match["path"])))
        url = _inlined(match["path"], place, folder, tally)
        if url is None:
            found.left.append(place)
        else:
            at, after = start + match.start("literal"), start + match.end("literal")
            found.splices.append(Splice(at, after, json.dumps(url)))
    return found


def module_addresses(
    own: Source, folder: Folder, tally: Tally, start: int = 0, end: int | None = None
) -> list[Splice]:
    """Return the edits for a module that goes into the page as it is; as `read_addresses`.

    In a long script, which is made by a program, an address may be in a part that never runs.

    Raises:
        SourceError: It names something that cannot be shown from inside the page.
    """
    splices, left = read_addresses(own, folder, tally, start, end)
    for place in left:
        if len(own.text[start:end]) <= LONGEST:
            refuse_address(place, folder)
        tally.warn(*_words(place), place)
    return splices


def refuse_address(place: Place, folder: Folder) -> NoReturn:
    """Raise a `SourceError`: the file is missing, or nothing to show."""
    if place.text.strip("./"):
        folder.data(place.text, place)
    place.fail(*_words(place))


def _words(place: Place) -> tuple[str, str]:
    return (
        f"\"{place.text}\" is sought beside the host's page, not beside the View's",
        "import the file, and it becomes part of the page",
    )


def _inlined(path: str, place: Place, folder: Folder, tally: Tally) -> str | None:
    if not path.strip("./"):
        return None
    try:
        file, data = folder.data(path, place)
    except SourceError:
        return None
    media = media_type(file)
    if media is None or not media.startswith(_SHOWN):
        return None
    if media.startswith("font/"):
        tally.note_font(place)
    tally.add("image", file, len(data))
    fragment = path.partition("#")[2]
    return data_url(data, media) + (f"#{fragment}" if fragment else "")
