"""What the bytes of a bundle are made of."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from mcpapps_cli.bundle.source import BRIDGE, is_bridge
from mcpapps_cli.model import Bundle, Share

if TYPE_CHECKING:
    from mcpapps_cli.bundle.native import Compiled

_PACKAGE: Final = re.compile(r".*node_modules/((?:@[^/]+/)?[^/]+)/")
_BRIDGE: Final = "bridge"
_LOCALE: Final = re.compile(r"node_modules/zod/v4/locales/(?!en\.|index\.)[^/]+$")
_HEAVY: Final = ("@modelcontextprotocol/ext-apps", "@modelcontextprotocol/client", "zod")
_MUCH: Final = 0.1
_SMALL: Final = 10_000
_HOST_LIMIT: Final = 2**20


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
    if path.startswith("<data:"):
        return "data: modules"
    if match := _PACKAGE.match(path):
        return match[1]
    if is_bridge(path):
        return _BRIDGE
    return re.sub(r"\?\w*$", "", path.removeprefix("page:").removeprefix("query:"))


def hints(bundle: Bundle, compiled: Compiled | None) -> tuple[str, ...]:
    """Return what would make a bundle smaller, and what its size means for hosts."""
    found = []
    heavy = [each for each in bundle.shares if each.name in _HEAVY]
    if sum(each.size for each in heavy) > bundle.size * _MUCH:
        named = ", ".join(f"{each.name} {each.size / 1000:.0f} kB" for each in heavy)
        found.append(f'{named}: the bridge, imported from "{BRIDGE}", does the same in 10 kB')
    locales = sum(
        size for path, size in (compiled.bytes if compiled else {}).items() if _LOCALE.search(path)
    )
    if locales > _SMALL:
        found.append(
            f"--trim zod-locales would leave out {locales / 1000:.0f} kB of messages in other "
            "languages than English"
        )
    if bundle.size > _HOST_LIMIT:
        found.append("some hosts refuse a View of more than 1 MiB")
    return tuple(found)
