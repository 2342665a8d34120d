"""A place where a page or a style sheet names a URL."""

from __future__ import annotations

from typing import Literal, NamedTuple

ReferenceKind = Literal[
    "script",
    "style",
    "image",
    "media",
    "font",
    "frame",
    "object",
    "base",
    "icon",
    "link",
    "form",
    "preconnect",
    "import",
    "import-map",
    "preload",
    "other",
]
"""What the URL is used for.

`import` is a CSS `@import`; `import-map` a URL of an import map; `preload` also `modulepreload`
and `prefetch`; `link` where a click or a refresh leads, a manifest, and any link element that
loads nothing.
"""


class Reference(NamedTuple):
    """One URL and where it is written.

    Attributes:
        url: As the browser reads it: escapes replaced, white space around it removed.
        kind: What it is used for.
        start: Offset of its first character as written, without quotes.
        end: Offset after its last character.
        element: Lower-case name of the element; empty in a style sheet of its own.
        attribute: Lower-case name of the attribute; of CSS `url()`, `@import` or `image-set()`;
            `style` for a `style` attribute; `json` in an import map.
        inert: Whether it is in a `template`, which loads nothing until a script copies it.
    """

    url: str
    kind: ReferenceKind
    start: int
    end: int
    element: str = ""
    attribute: str = ""
    inert: bool = False
