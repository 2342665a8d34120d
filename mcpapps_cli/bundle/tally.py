"""What a bundle is made of, gathered while it is built."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, NamedTuple

from mcpapps_cli import csp
from mcpapps_cli.bundle.source import Place
from mcpapps_cli.model import Csp, Inlined, Notice

# By kind of reference: the directive that governs it and the declaration that widens it.
_GOVERNED_BY: Final[Mapping[str, tuple[str, str]]] = {
    "script": ("script-src", "resourceDomains"),
    "import-map": ("script-src", "resourceDomains"),
    "style": ("style-src", "resourceDomains"),
    "import": ("style-src", "resourceDomains"),
    "image": ("img-src", "resourceDomains"),
    "icon": ("img-src", "resourceDomains"),
    "media": ("media-src", "resourceDomains"),
    "font": ("font-src", "resourceDomains"),
    "frame": ("frame-src", "frameDomains"),
    "connect": ("connect-src", "connectDomains"),
}

Kind = Literal["script", "style", "image", "bridge"]


class Use(NamedTuple):
    """A use of an origin that the View's declaration does not cover.

    Attributes:
        url: As written.
        origin: Its scheme, host and port.
        key: The list of `csp` that would cover it.
        place: Where it is written.
    """

    url: str
    origin: str
    key: str
    place: Place


class Tally:
    """Parts, external addresses and notices of one bundle, in the order met.

    Attributes:
        csp: The View's declaration.
        inlined: The parts.
        external: The addresses that stay.
        notices: What the author should know.
        undeclared: Uses that the declaration does not cover.
        texts: By name, what became part of the page as text, as it is there.
        fonts: Whether a font is among the parts.
    """

    def __init__(self, csp: Csp | None) -> None:
        self.csp = csp
        self.inlined: list[Inlined] = []
        self.external: dict[str, None] = {}
        self.notices: list[Notice] = []
        self.undeclared: list[Use] = []
        self.texts: dict[str, str] = {}
        self.fonts = False

    def add(self, kind: Kind, path: Path, size: int) -> None:
        """Note a part."""
        self.inlined.append(Inlined(kind, path, size))

    def measure(self, name: str, text: str) -> None:
        """Note what a file is in the page, for its share of the size."""
        self.texts[name] = self.texts.get(name, "") + text

    def warn(self, message: str, help: str, place: Place) -> None:
        """Note something that the author should know."""
        self.notices.append(Notice(message, help, place.source.at(place.start, place.length)))

    def note_font(self, place: Place) -> None:
        """Note a font that became part of the page."""
        self.fonts = True
        self.warn(
            "an inlined font is blocked by the policy of the specification",
            "use system or host fonts, or declare the origin of a font in csp.resourceDomains",
            place,
        )

    def keep(self, url: str, kind: str, place: Place) -> None:
        """Note an address that stays in the page, and whether the policy lets it load."""
        governed = _GOVERNED_BY.get(kind)
        if governed is None:
            return
        directive, key = governed
        self.external[url] = None
        origin = csp.origin_of(url)
        if origin is not None and not csp.allows(self.csp, directive, url):
            self.undeclared.append(Use(url, origin, key, place))
