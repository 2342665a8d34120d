"""What a bundle is made of, gathered while it is built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

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
}

Kind = Literal["script", "style", "image", "bridge"]


@dataclass(slots=True)
class Tally:
    """Parts, external addresses and notices of one bundle, in the order met."""

    csp: Csp | None
    inlined: list[Inlined] = field(default_factory=list)
    external: dict[str, None] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)

    def add(
        self, kind: Literal["script", "style", "image", "bridge"], path: Path, size: int
    ) -> None:
        """Note a part."""
        self.inlined.append(Inlined(kind, path, size))

    def warn(self, message: str, help: str, place: Place) -> None:
        """Note something that the author should know."""
        self.notices.append(Notice(message, help, place.source.at(place.start, place.length)))

    def keep(self, url: str, kind: str, place: Place) -> None:
        """Note an address that stays in the page, and whether the policy lets it load."""
        governed = _GOVERNED_BY.get(kind)
        if governed is None:
            return
        directive, key = governed
        self.external[url] = None
        if csp.allows(self.csp, directive, url):
            return
        origin = csp.origin_of(url)
        self.warn(
            f'"{url}" is not declared, so hosts block it',
            f'add "{origin}" to csp.{key} of the View, or use a local file',
            place,
        )
