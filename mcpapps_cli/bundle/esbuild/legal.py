"""The notices of licences at the end of a script, each once."""

from __future__ import annotations

import re
from typing import Final

_BLOCK: Final = re.compile(
    r"^(?P<path>\S[^\n]*):\n(?P<text>(?:  [^\n]*\n|\n(?=  ))+)", re.MULTILINE
)
_MARKS: Final = re.compile(r"^\s*(?:/\*+!?|\*+(?!/))?\s*|\s*(?:\*+/)?\s*$")
_LIST: Final = "Bundled license information:"
_PACKAGE: Final = re.compile(r"(?:.*node_modules/)?((?:@[^/]+/)?[^/]+)/")


def notices(text: str) -> str:
    """Return legal comments as esbuild lists them, shortened; empty when there are none.

    The View's own stay as they are, those of packages become one comment. A notice that several
    files of a package have, each with its own name in it, stands once.
    """
    own, _, listed = text.partition(_LIST)
    groups: dict[str, dict[str, None]] = {}
    for match in _BLOCK.finditer(f"{listed}\n"):
        file = match["path"].rpartition("/")[2]
        stem = file.rsplit(".", 1)[0]
        lines = [_MARKS.sub("", line) for line in match["text"].splitlines()]
        found = "\n".join(line for line in lines if line not in (file, stem, ""))
        package = _PACKAGE.match(match["path"])
        names = groups.setdefault(found, {})
        names[package[1] if package else match["path"]] = None
    parts = [f"{', '.join(names)}:\n{found}" for found, names in groups.items()]
    # Nothing in a notice may end the comment.
    packages = "\n\n".join(parts).replace("*/", "* /")
    return "\n".join(filter(None, (own.strip(), packages and f"/*! {packages} */")))
