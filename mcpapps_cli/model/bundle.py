"""What `bundle` makes of a View."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mcpapps_cli.model.names import JsonObject, Uri
from mcpapps_cli.model.position import Position


@dataclass(frozen=True, slots=True)
class Inlined:
    """A local file that became part of a bundle; `kind` is `script`, `style` or `image`."""

    kind: Literal["script", "style", "image", "bridge"]
    path: Path
    size: int


@dataclass(frozen=True, slots=True)
class Notice:
    """Something in a View that works here but not everywhere; no fault."""

    message: str
    help: str
    position: Position


@dataclass(frozen=True, slots=True)
class Share:
    """What a file or a package takes of a bundle.

    Attributes:
        name: A path from the project, a package, or `bridge`.
        size: Bytes.
        gzip: Bytes after compression; its part of the whole where it cannot be had alone.
    """

    name: str
    size: int
    gzip: int


@dataclass(frozen=True, slots=True)
class Bundle:
    """One self-contained HTML file and its metadata.

    Attributes:
        view: The View's name.
        uri: Its `ui://` URI.
        html: The document.
        meta: The `_meta.ui` object for listing and content.
        size: UTF-8 bytes of `html`.
        gzip: Bytes after gzip -9.
        sha256: Hex digest of the UTF-8 bytes.
        inlined: What was spliced in, in document order.
        external: Absolute URLs left in the document.
        inputs: Every local file that was read; a change in one makes the bundle stale.
        notices: What the author should know, in document order.
        engine: What made its scripts, such as `esbuild 0.28.2`; `none` when nothing had to.
        shares: What its bytes are made of, the largest first.
        hints: What would make it smaller, and what its size means.
    """

    view: str
    uri: Uri
    html: str
    meta: JsonObject
    size: int
    gzip: int
    sha256: str
    inlined: tuple[Inlined, ...] = ()
    external: tuple[str, ...] = ()
    inputs: tuple[Path, ...] = ()
    notices: tuple[Notice, ...] = ()
    engine: str = "none"
    shares: tuple[Share, ...] = ()
    hints: tuple[str, ...] = ()
