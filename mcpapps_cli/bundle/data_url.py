"""Files as `data:` URLs."""

from __future__ import annotations

from base64 import b64encode
from pathlib import PurePath
from typing import Final
from urllib.parse import quote

# Not `mimetypes`: it reads tables of the system, and a bundle is the same everywhere.
_TYPES: Final = {
    ".apng": "image/apng",
    ".avif": "image/avif",
    ".bmp": "image/bmp",
    ".gif": "image/gif",
    ".ico": "image/x-icon",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".aac": "audio/aac",
    ".flac": "audio/flac",
    ".m4a": "audio/mp4",
    ".mp3": "audio/mpeg",
    ".mp4": "video/mp4",
    ".oga": "audio/ogg",
    ".ogg": "audio/ogg",
    ".ogv": "video/ogg",
    ".opus": "audio/ogg",
    ".wav": "audio/wav",
    ".weba": "audio/webm",
    ".webm": "video/webm",
    ".vtt": "text/vtt",
    ".otf": "font/otf",
    ".ttf": "font/ttf",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
}
EMBEDDED: Final = tuple(_TYPES)
"""Suffixes of the files that can become part of a page as they are."""


def media_type(path: PurePath) -> str | None:
    """Return the media type that a file's suffix stands for, or None."""
    return _TYPES.get(path.suffix.lower())


def data_url(data: bytes, media: str) -> str:
    """Return `data` as a URL that needs no quoting in HTML, in CSS or in a `srcset`.

    SVG stays readable, which is smaller once the page is compressed.
    """
    if media == "image/svg+xml":
        text = quote(data.replace(b"\r\n", b"\n"), safe="/:=;@!$*+?~")
        return f"data:{media},{text}"
    return f"data:{media};base64,{b64encode(data).decode('ascii')}"
