"""A View on disk as `mcpapps bundle` wrote it: `<name>.html` and `<name>.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mcpapps_cli.server.check import checked_uri

_HASH: Final = re.compile(r"\.([0-9a-f]{8,64})(?=\.[^./]*$|$)")


@dataclass(frozen=True, slots=True)
class Pair:
    """What the two files said when they were read.

    Attributes:
        page: The HTML file.
        uri: The View's URI.
        meta: `_meta` for the listing and for the content.
        family: Matches `uri` with any well-formed hash in it; None when `uri` has no hash.
    """

    page: Path
    uri: str
    meta: Mapping[str, Any]
    family: re.Pattern[str] | None = None

    def html(self) -> str:
        """Return the document; line ends stay as they are.

        Raises:
            OSError: The file cannot be read.
            UnicodeDecodeError: It is not UTF-8.
        """
        return self.page.read_bytes().decode("utf-8")


def read_pair(page: Path) -> Pair:
    """Read the metadata of a bundled View.

    Args:
        page: The HTML file; the JSON lies beside it under the same name.

    Raises:
        ValueError: One of the two is missing or is not what `mcpapps bundle` writes.
    """
    if page.suffix != ".html":
        raise ValueError(f'page "{page}" must be the ".html" file that "mcpapps bundle" wrote')
    beside = page.with_suffix(".json")
    for file in (page, beside):
        if not file.is_file():
            raise ValueError(f'view file "{file}" does not exist; run "mcpapps bundle"')
    try:
        document = json.loads(beside.read_bytes())
    except (ValueError, RecursionError):
        raise ValueError(f'view file "{beside}" is no JSON; run "mcpapps bundle"') from None
    meta = document.get("_meta") if isinstance(document, dict) else None
    if not isinstance(meta, dict) or not isinstance(meta.get("ui"), dict):
        raise ValueError(f'view file "{beside}" has no "_meta.ui"; run "mcpapps bundle"')
    uri = checked_uri(f'uri of "{beside}"', document.get("uri"))
    return Pair(page, uri, meta, _family(uri, document.get("sha256")))


def _family(uri: str, sha256: object) -> re.Pattern[str] | None:
    # Only a hash of this content is one: other hexadecimal text is part of the name.
    found = _HASH.search(uri)
    if found is None or not isinstance(sha256, str) or not sha256.startswith(found[1]):
        return None
    before, after = uri[: found.start(1)], uri[found.end(1) :]
    return re.compile(f"{re.escape(before)}[0-9a-f]{{{len(found[1])}}}{re.escape(after)}")
