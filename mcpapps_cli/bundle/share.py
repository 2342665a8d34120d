"""What the bytes of a bundle are made of."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from typing import Final

from mcpapps_cli.bundle.native import Compiled, is_bridge
from mcpapps_cli.model import Bundle, Share

_PACKAGE: Final = re.compile(r".*node_modules/((?:@[^/]+/)?[^/]+)/")
_BRIDGE: Final = "bridge"
_LOCALE: Final = re.compile(r"node_modules/zod/v4/locales/(?!en\.|index\.)[^/]+$")
_HEAVY: Final = ("@modelcontextprotocol/ext-apps", "@modelcontextprotocol/client", "zod")
_MUCH: Final = 0.1


def shares(
    bundle: Bundle, texts: Mapping[str, str], compiled: Compiled | None
) -> tuple[Share, ...]:
    """Return what every file and package takes, the largest first.

    Args:
        bundle: The bundle, but for this.
        texts: By name, what a file is in the page.
        compiled: What an engine made. Of one compressed whole its parts have no size of their
            own: each gets its part of it.
    """
    found = {
        name: Share(name, size, len(gzip.compress(text.encode(), 9, mtime=0)))
        for name, text in texts.items()
        if (size := len(text.encode()))
    }
    rate = bundle.gzip / bundle.size
    sizes: dict[str, int] = {}
    for path, size in (compiled.bytes if compiled else {}).items():
        name = share_name(path)
        sizes[name] = sizes.get(name, 0) + size
    if not compiled:
        sizes[_BRIDGE] = sum(part.size for part in bundle.inlined if part.kind == "bridge")
    for name, size in sizes.items():
        if size:
            found[name] = Share(name, size, round(size * rate))
    return tuple(sorted(found.values(), key=lambda each: (-each.size, each.name)))


def share_name(path: str) -> str:
    """Return the package, the file or `bridge` that an input of esbuild's is."""
    if match := _PACKAGE.match(path):
        return match[1]
    if is_bridge(path):
        return _BRIDGE
    return re.sub(r"\?\w*$", "", path.removeprefix("page:").removeprefix("query:"))


def advice(bundle: Bundle) -> tuple[str, ...]:
    """Return what would make a bundle smaller."""
    heavy = [
        each for each in bundle.shares if each.name in _HEAVY and each.size > bundle.size * _MUCH
    ]
    if not heavy:
        return ()
    named = ", ".join(f"{each.name} {each.size / 1000:.0f} kB" for each in heavy)
    return (f'{named}: import from "mcpapps:bridge" instead, which is 10 kB',)


def locale_bytes(compiled: Compiled | None) -> int:
    """Return how many bytes of a bundle are Zod's messages in other languages."""
    if compiled is None:
        return 0
    return sum(size for path, size in compiled.bytes.items() if _LOCALE.search(path))
