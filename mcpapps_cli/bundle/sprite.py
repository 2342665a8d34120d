"""SVG sprites: browsers refuse one in a `data:` URL, so its symbols come into the page."""

from __future__ import annotations

from mcpapps_cli.bundle.source import Folder, Place, Source
from mcpapps_cli.bundle.splice import Splice
from mcpapps_cli.bundle.tally import Tally
from mcpapps_cli.markup.html import Token, tokenize
from mcpapps_cli.markup.page import Page, Reference

# Not display: none, which would take gradients and filters along.
_HIDDEN = 'width="0" height="0" style="position:absolute" aria-hidden="true"'


class Sprites:
    """The sprites of one page, each brought in once."""

    def __init__(self, source: Source, page: Page, folder: Folder, tally: Tally):
        self._source = source
        self._folder = folder
        self._tally = tally
        self._ids = {value for token in page.tokens if (value := _id(token))}
        self._pictures: dict[str, str] = {}

    def use(self, reference: Reference) -> Splice:
        """Return the edit that makes a `use` element refer to a part of the page.

        Raises:
            SourceError: The file is no SVG, lacks the part, or shares a name with the page.
        """
        place = Place(self._source, reference.start, reference.end - reference.start)
        url, _, name = reference.url.partition("#")
        file = self._folder.text(url, place)
        tokens = list(tokenize(file.text))
        if not name:
            place.fail(f'"{url}" is used whole', "name a symbol of it: file.svg#name, or use <img>")
        names = {value for token in tokens if (value := _id(token))}
        if name not in names:
            place.fail(f'"{url}" has no "#{name}"', f"it has {', '.join(sorted(names)) or 'none'}")
        if file.shown not in self._pictures:
            if shared := sorted(names & self._ids):
                place.fail(
                    f'"{url}" and the page both have "#{shared[0]}"', "rename it in one of them"
                )
            self._ids |= names
            self._pictures[file.shown] = self._hidden(file, tokens, place)
            self._tally.add("image", file.path, len(file.text.encode()))
        return Splice(reference.start, reference.end, f"#{name}")

    def markup(self) -> str:
        """Return what has to be in the page, so that the references find their parts."""
        return "".join(self._pictures.values())

    def _hidden(self, file: Source, tokens: list[Token], place: Place) -> str:
        start = next((each for each in tokens if each.kind == "start" and each.name == "svg"), None)
        ends = [each for each in tokens if each.kind == "end" and each.name == "svg"]
        if start is None or not ends or any(each.name == "script" for each in tokens):
            place.fail(f'"{place.text}" is no picture that can be taken over', "check the file")
        kept = [
            file.text[attr.start : attr.end]
            for attr in start.attrs
            if attr.name not in ("width", "height", "style", "id", "class", "hidden", "aria-hidden")
        ]
        opening = " ".join(("<svg", _HIDDEN, *kept))
        return f"{opening}>{file.text[start.end : ends[-1].end]}"


def _id(token: Token) -> str | None:
    attr = token.get("id") if token.kind == "start" else None
    return attr.value if attr is not None else None
